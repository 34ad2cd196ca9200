"""How many of a library's error paths the tests came by.

An error path is a place where a `throw` stands, or the beginning of a `catch` clause. It was
executed if the region of llvm-cov that it lies in was: a line that only tests a condition does not
count for the `throw` behind it.

    error_paths.py EXPORT SOURCES...             # a figure for each folder of sources
    error_paths.py EXPORT SOURCES... --list      # those that no test came by, a line each
    error_paths.py EXPORT SOURCES... --json
"""

import json
import os
import re
import sys
from bisect import bisect_right

# What is no code: comments, and texts without what they interpolate. Equally long, so that places
# stay.
no_code = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"', re.S)
path = re.compile(r"\bthrow\b|\bcatch\b[^{}]*\{")


def blanked(match):
    return re.sub(r"[^\n]", " ", match.group())


def error_paths(text):
    """The lines and columns, from 1, of a file's error paths."""
    code = no_code.sub(blanked, text)
    for found in path.finditer(code):
        # The body of a `catch` is a region of its own, which begins with its brace.
        place = found.start() if found.group() == "throw" else found.end() - 1
        line = code.count("\n", 0, place) + 1
        yield line, place - code.rfind("\n", 0, place)


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    export, folders = arguments[0], arguments[1:]
    segments = {}
    for data in json.load(open(export))["data"]:
        for file in data["files"]:
            segments[os.path.realpath(file["filename"])] = file["segments"]
    figures, missed = {}, []
    for folder in folders:
        executed = total = 0
        for root, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if not name.endswith(".swift"):
                    continue
                file = os.path.join(root, name)
                regions = segments.get(os.path.realpath(file), [])
                starts = [(region[0], region[1]) for region in regions]
                text = open(file, encoding="utf-8").read()
                for line, column in error_paths(text):
                    total += 1
                    index = bisect_right(starts, (line, column)) - 1
                    # A region of the profile: [line, column, count, whether it has a count, …].
                    if index >= 0 and regions[index][3] and regions[index][2] > 0:
                        executed += 1
                    else:
                        missed.append((file, line, text.splitlines()[line - 1].strip()))
        figures[folder] = {"executed": executed, "paths": total}
    if "--list" in sys.argv:
        for file, line, source in missed:
            print(f"{file}:{line}: {source}")
    elif "--json" in sys.argv:
        print(json.dumps(figures, indent=1))
    else:
        for folder, figure in figures.items():
            share = 100 * figure["executed"] / max(figure["paths"], 1)
            print(
                f"{folder:28} {figure['executed']:6} of {figure['paths']:6} error paths  "
                f"{share:5.1f} %"
            )


main()
