//===- GenRules.cpp - C++ of tangents and adjoints -----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contribution becomes a function of straight-line code, a statement per node
// of its DAG, in an order that does not depend on the compiler:
//
//   (mul $d, (cos $x))   Value t0 = b.cos(operands[0]);
//                        Value t1 = b.mul(d, b.lift(t0, d));
//                        return t1;
//
// Nodes without `$d` are computed in the type of the primal and lifted to the
// type of `$d` (which may hold several directions) where they meet it.
//
//===----------------------------------------------------------------------===//

#include "RuleGenerators.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace {

/// A value in generated code.
struct Expr {
  std::string text;
  /// Whether it is linear in `$d`.
  bool hasD = false;
};

/// Compiles one contribution of a rule.
class Compiler {
public:
  Compiler(const Record &rule) : rule(rule) {
    for (const Record *operand : rule.getValueAsListOfDefs("operands"))
      operands.push_back(operand->getValueAsString("name"));
    for (StringRef result : rule.getValueAsListOfStrings("results"))
      results.push_back(result);
  }

  void compile(raw_ostream &os, StringRef name, const DagInit *dag);

  unsigned usedOperands = 0, usedResults = 0;

private:
  Expr compileNode(const DagInit *dag);
  Expr compileArgument(const DagInit *dag, unsigned index);
  Expr getVariable(StringRef name);
  std::string assign(const Twine &text);
  std::string lift(const Expr &expr) {
    return expr.hasD ? expr.text : "b.lift(" + expr.text + ", d)";
  }

  const Record &rule;
  SmallVector<StringRef> operands, results;
  std::string body;
  unsigned numTemporaries = 0;
};

std::string Compiler::assign(const Twine &text) {
  std::string name = "t" + utostr(numTemporaries++);
  body += ("  Value " + name + " = " + text + ";\n").str();
  return name;
}

Expr Compiler::getVariable(StringRef name) {
  if (name == "d")
    return {"d", true};
  for (auto [index, operand] : enumerate(operands))
    if (operand == name) {
      usedOperands |= 1u << index;
      return {"operands[" + utostr(index) + "]"};
    }
  for (auto [index, result] : enumerate(results))
    if (result == name) {
      usedResults |= 1u << index;
      return {"results[" + utostr(index) + "]"};
    }
  PrintFatalError(rule.getLoc(), "no operand or result is called $" + name);
}

Expr Compiler::compileArgument(const DagInit *dag, unsigned index) {
  if (auto *nested = dyn_cast<DagInit>(dag->getArg(index)))
    return compileNode(nested);
  return getVariable(dag->getArgNameStr(index));
}

Expr Compiler::compileNode(const DagInit *dag) {
  const Record *op = dag->getOperatorAsDef(rule.getLoc());
  StringRef method = op->getValueAsString("method");
  if (op->getName() == "number") {
    auto *value = cast<StringInit>(dag->getArg(0));
    return {assign("b.number(" + value->getValue() + ")")};
  }
  if (op->getName() == "zero")
    return {assign("b.zeroLike(d)"), true};
  SmallVector<Expr> arguments;
  bool hasD = false;
  for (unsigned i = 0; i < dag->getNumArgs(); ++i) {
    arguments.push_back(compileArgument(dag, i));
    hasD |= arguments.back().hasD;
  }
  std::string call = ("b." + method + "(").str();
  ListSeparator separator;
  for (const Expr &argument : arguments)
    call +=
        StringRef(separator).str() + (hasD ? lift(argument) : argument.text);
  return {assign(call + ")"), hasD};
}

void Compiler::compile(raw_ostream &os, StringRef name, const DagInit *dag) {
  Expr result = compileNode(dag);
  if (!result.hasD)
    PrintFatalError(rule.getLoc(), "a contribution must be linear in $d");
  os << "Value " << name
     << "(ScalarBuilder &b, ArrayRef<Value> operands,\n"
        "    ArrayRef<Value> results, Value d) {\n"
     << body << "  return " << result.text << ";\n}\n";
}

} // namespace

static bool isZero(const DagInit *dag, const Record &rule) {
  return dag->getOperatorAsDef(rule.getLoc())->getName() == "zero";
}

static void generateRule(raw_ostream &os, const Record &rule) {
  std::string table;
  raw_string_ostream entries(table);
  const ListInit *perOperand = rule.getValueAsListInit("contributions");
  size_t numOperands = rule.getValueAsListInit("operands")->size();
  size_t numResults = rule.getValueAsListInit("results")->size();
  if (perOperand->size() != numOperands)
    PrintFatalError(rule.getLoc(), "expects contributions of each operand");
  for (unsigned i = 0; i < numOperands; ++i) {
    auto *perResult = cast<ListInit>(perOperand->getElement(i));
    if (perResult->size() != numResults)
      PrintFatalError(rule.getLoc(), "expects a contribution to each result");
    for (unsigned j = 0; j < numResults; ++j) {
      auto *dag = cast<DagInit>(perResult->getElement(j));
      if (isZero(dag, rule)) {
        entries << "    {nullptr, 0, 0},\n";
        continue;
      }
      std::string name =
          ("emit" + rule.getName() + "_" + Twine(i) + "_" + Twine(j)).str();
      Compiler compiler(rule);
      compiler.compile(os, name, dag);
      entries << "    {" << name << ", " << compiler.usedOperands << ", "
              << compiler.usedResults << "},\n";
    }
  }
  os << "constexpr Contribution contributionsOf" << rule.getName() << "[] = {\n"
     << table << "};\n"
     << "constexpr Rule rule" << rule.getName() << " = {" << numOperands << ", "
     << numResults << ", contributionsOf" << rule.getName() << "};\n\n";
}

/// Whether the operation belongs to `dialect`.
static bool isIn(const Record *op, StringRef dialect) {
  return op->getValueAsString("name").starts_with((dialect + ".").str());
}

static void generateList(raw_ostream &os, const RecordKeeper &records,
                         StringRef dialect) {
  for (const Record *rule : records.getAllDerivedDefinitions("Rule"))
    for (const Record *op : rule->getValueAsListOfDefs("ops"))
      if (isIn(op, dialect))
        os << "attachRule<" << op->getValueAsString("cppClass") << ", rule"
           << rule->getName() << ">(context);\n";
  for (const Record *inactive : records.getAllDerivedDefinitions("Inactive"))
    for (const Record *op : inactive->getValueAsListOfDefs("ops"))
      if (isIn(op, dialect))
        os << "attachInactive<" << op->getValueAsString("cppClass")
           << ">(context);\n";
  for (const Record *refused : records.getAllDerivedDefinitions("Refused"))
    for (const Record *op : refused->getValueAsListOfDefs("ops"))
      if (isIn(op, dialect))
        os << "attachRefused<" << op->getValueAsString("cppClass")
           << ", refusal" << refused->getName() << ">(context);\n";
}

bool autodiff::generateRules(raw_ostream &os, const RecordKeeper &records) {
  os << "// Generated by ad-tblgen -gen-rules; do not edit.\n\n"
        "#ifdef GET_RULE_DEFINITIONS\n#undef GET_RULE_DEFINITIONS\n";
  for (const Record *rule : records.getAllDerivedDefinitions("Rule"))
    generateRule(os, *rule);
  for (const Record *refused : records.getAllDerivedDefinitions("Refused")) {
    os << "constexpr Refusal refusal" << refused->getName() << " = {\"";
    os.write_escaped(refused->getValueAsString("reason"));
    os << "\"};\n";
  }
  os << "#endif\n";
  for (StringRef dialect : {"arith", "math"}) {
    std::string guard = "GET_RULES_OF_" + dialect.upper();
    os << "\n#ifdef " << guard << "\n#undef " << guard << "\n";
    generateList(os, records, dialect);
    os << "#endif\n";
  }
  return false;
}
