"""Runs the examples of a Markdown file and compares.

A block ```console holds commands after `$ ` and what they print; a block ```mlir
after a comment `<!-- file: PATH -->` is the content of that file. Commands run in
the root of the source tree; `build/` stands for the build folder.
"""

import os
import re
import subprocess
import sys


def blocks(text):
    pattern = r"(?:<!-- file: (\S+) -->\n)?```(\w+)\n(.*?)```"
    return re.findall(pattern, text, flags=re.DOTALL)


def check_console(body, build):
    count = 0
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        count += 1
        run = subprocess.run(
            ["bash", "-c", "set -o pipefail; " + command.replace("build/bin", build + "/bin")],
            stdout=subprocess.PIPE,
            text=True,
        )
        if run.returncode != 0 or run.stdout.strip("\n") != expected.strip("\n"):
            sys.exit(f"$ {command}\nexpected:\n{expected}\ngot:\n{run.stdout}")
    return count


def main(path):
    build = os.environ["AUTODIFF_BUILD_DIR"]
    os.chdir(os.path.dirname(os.path.abspath(path)))
    with open(os.path.basename(path)) as file:
        text = file.read()
    checked = 0
    for name, language, body in blocks(text):
        if name:
            with open(name) as file:
                if file.read().strip() != body.strip():
                    sys.exit(f"{path} does not show {name} as it is")
            checked += 1
        elif language == "console":
            checked += check_console(body, build)
    print(f"{checked} examples")
    if checked == 0:
        sys.exit(f"no examples in {path}")


if __name__ == "__main__":
    main(sys.argv[1])
