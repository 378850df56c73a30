# How every library and tool of the project is built: against the shared
# libMLIR.so and libLLVM.so only, with one precompiled header, ccache and lld.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# -fPIC everywhere (not -fPIE for tools), so that all share one precompiled
# header.
add_compile_options(-fPIC -Wall -Wextra -Wno-unused-parameter -fno-exceptions
                    $<$<COMPILE_LANGUAGE:CXX>:-Wno-comment>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # A precompiled header carries its time stamp unless told otherwise, which
  # would defeat ccache.
  add_compile_options(-Xclang -fno-pch-timestamp)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
endif()
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
add_link_options(-fuse-ld=lld -Wl,--as-needed -Wl,-z,defs)
if(AUTODIFF_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# The precompiled header is built once, here, and shared by all targets.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/pch)
file(WRITE ${CMAKE_BINARY_DIR}/pch/empty.cpp "")
add_library(AutodiffPCH OBJECT ${CMAKE_BINARY_DIR}/pch/empty.cpp)
target_precompile_headers(AutodiffPCH PRIVATE ${CMAKE_CURRENT_LIST_DIR}/pch.h)

# autodiff_add_library(name sources... DEPENDS targets... LINK targets...)
function(autodiff_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM AutodiffPCH)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  add_dependencies(${name} AutodiffHeaders ${ARG_DEPENDS})
endfunction()

# autodiff_add_tool(name sources... LINK targets...)
function(autodiff_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM AutodiffPCH)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  add_dependencies(${name} AutodiffHeaders)
endfunction()
