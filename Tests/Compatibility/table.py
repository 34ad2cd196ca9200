"""Reads and writes the tables of Realm's symbols, `Tests/Compatibility/*.txt`.

    == Realms ==                            a topic: a section of Docs/CompatibilitySymbols.md
    @module FreeholdOpenCombine             where this file's symbols are, if not in Freehold
    [Realm]                                 the type that the members below belong to; [] has global ones
    [RealmCollection: List, Results]        members of a protocol, or of each of the types behind the colon
    state | Realm's symbol | ours | tests | note

[behaviour] has sentences in the place of symbols, each with its tests.

States: `same`; `different` (the note says how); `missing` (the note says what to use, or why); `added` (not
Realm's; a pattern in [*] stands for whole types); `implied` (members that a conformance brings, in [*]).
Ours is left out where it is the same; `+line` are two more parameters that the compiler fills in, `fileID` and `line`; `&` joins two
declarations that do one of Realm's. Tests are `Suite.function`, or a suite whose models and helpers use the symbol,
with commas between them.
"""

import glob
import os
import re

# The context of lines that are sentences about behaviour, and name no symbol.
BEHAVIOUR = "behaviour"
STATES = ("same", "different", "missing", "added", "implied")


class Row:
    def __init__(self, path, number, text, topic, module, context, types):
        self.path, self.number, self.topic, self.module = path, number, topic, module
        self.context, self.types = context, types
        columns = [column.strip() for column in text.split(" | ")]
        columns += [""] * (5 - len(columns))
        if len(columns) > 5 or columns[0] not in STATES or not columns[1]:
            raise SystemExit(f"{self.place}: not a line of the table: {text}")
        self.state, self.symbol, self.ours, self.tests, self.note = columns

    @property
    def place(self):
        return f"Tests/Compatibility/{os.path.basename(self.path)}:{self.number}"

    @property
    def test_names(self):
        return [name.strip() for name in self.tests.split(",") if name.strip()]

    @property
    def is_shape(self):
        """Whether the symbol has no behaviour that a test could show."""
        return re.match(r"(struct|class|enum|protocol|typealias|associatedtype|case) |init\(\)$", self.symbol) is not None

    def text(self):
        columns = [f"{self.state:<9}", self.symbol, self.ours, self.tests, self.note]
        while not columns[-1]:
            columns.pop()
        return " | ".join(columns)


class Tables:
    def __init__(self, directory):
        self.lines, self.rows = {}, []
        for path in sorted(glob.glob(os.path.join(directory, "*.txt"))):
            self.lines[path] = open(path).read().split("\n")
            topic, module, context, types = None, "Freehold", None, []
            for number, line in enumerate(self.lines[path], 1):
                if not line or line.startswith("#"):
                    continue
                if heading := re.fullmatch(r"== (.*) ==", line):
                    topic = heading.group(1)
                elif line.startswith("@module "):
                    module = line[8:]
                elif head := re.fullmatch(r"\[([^:\]]*)(?:: (.*))?\]", line):
                    context, types = head.group(1), (head.group(2) or "").split(", ") if head.group(2) else []
                else:
                    self.rows.append(Row(path, number, line, topic, module, context, types))

    @property
    def topics(self):
        return list(dict.fromkeys(row.topic for row in self.rows))

    def write(self):
        for row in self.rows:
            self.lines[row.path][row.number - 1] = row.text()
        for path, lines in self.lines.items():
            with open(path, "w") as file:
                file.write("\n".join(lines))
