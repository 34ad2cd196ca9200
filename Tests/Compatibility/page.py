"""The part of Docs/Compatibility.md that is made from the tables."""

import re

import declarations
import table

BEGIN = "<!-- made from Tests/Compatibility by Tests/compatibility --fix -->"
END = "<!-- end of what is made -->"


# The order of the sections. Others follow.
ORDER = ["Behaviour", "Realms", "Objects", "Collections", "Queries", "Values", "Crossing", "Notifications", "Publishers"]


def code(row):
    title = declarations.title(row.symbol)
    if not row.context or title == row.context.split(".")[-1]:
        return f"`{title}`"
    if re.match(r"(struct|class|enum|protocol) ", row.symbol):
        return f"`{title}`"
    return f"`{row.context}.{title}`"


def by_type(rows):
    types = {}
    for row in rows:
        title = declarations.title(row.symbol)
        if title != row.context.split(".")[-1]:
            types.setdefault(row.context, []).append(f"`{title}`")
        else:
            types.setdefault(row.context, [])
    lines = []
    for name, members in types.items():
        members = ", ".join(dict.fromkeys(members))
        lines.append(f"- `{name}`" + (f": {members}" if members else "") if name else f"- {members}")
    return lines


def escaped(text):
    return text.replace("|", "\\|")


def made(tables):
    lines = [BEGIN, ""]
    symbols = [row for row in tables.rows if row.context != table.BEHAVIOUR]
    counts = {state: sum(row.state == state for row in symbols) for state in ("same", "different", "missing")}
    lines += [
        f"Of {sum(counts.values())} symbols of Realm Swift's local API, {counts['same']} are the same, {counts['different']} differ, "
        f"and {counts['missing']} are missing. "
        "The tables are in [`Tests/Compatibility`](../Tests/Compatibility), with each symbol's signature and the test that shows it; `Tests/compatibility` compares them with what the compiler says that the library has.",
        "",
    ]
    for topic in sorted(tables.topics, key=lambda topic: (ORDER + [topic]).index(topic)):
        rows = [row for row in tables.rows if row.topic == topic and row.state != "implied"]
        lines += [f"### {topic}", ""]
        if rows and rows[0].context == table.BEHAVIOUR:
            lines += ["| Realm Swift | state | here | shown by |", "|---|---|---|---|"]
            lines += [f"| {row.symbol} | {row.state} | {row.note} | {', '.join(f'`{name}`' for name in row.test_names)} |" for row in rows]
            lines.append("")
            continue
        told = [row for row in rows if row.state == "different" or row.state == "missing" or (row.state == "same" and row.note)]
        if told:
            lines += ["| Realm Swift | state | here |", "|---|---|---|"]
            lines += dict.fromkeys(f"| {escaped(code(row))} | {row.state} | {escaped(row.note)} |" for row in told)
            lines.append("")
        same = [row for row in rows if row.state == "same" and not row.note]
        if same:
            lines += ["Same:", ""] + [escaped(line) for line in by_type(same)] + [""]
        members = [row for row in rows if row.state == "added" and row.context != "*"]
        whole = [row for row in rows if row.state == "added" and row.context == "*"]
        if members or whole:
            lines += ["Not in Realm Swift:", ""]
            for row in whole:
                name = re.sub(r"\.?\*$", "", row.symbol)
                if row.symbol.endswith(".*") or not re.fullmatch(r"[\w.]+", name):
                    continue
                lines.append(f"- `{name}`" + (f": {row.note}" if row.note else ""))
            lines += [escaped(line) for line in by_type(members)] + [""]
    lines.append(END)
    return "\n".join(lines)


def replaced(page, tables):
    start, end = page.find(BEGIN), page.find(END)
    if start < 0 or end < start:
        raise SystemExit(f"Docs/Compatibility.md has lost its marks: {BEGIN} and {END}")
    return page[:start] + made(tables) + page[end + len(END):]
