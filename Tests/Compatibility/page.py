"""What is made from the tables: parts of Docs/Compatibility.md (what differs), and
Docs/CompatibilitySymbols.md (what is the same)."""

import re
import textwrap

import declarations
import table

BEGIN = "<!-- made from Tests/Compatibility by Tests/compatibility --fix -->"
BEGIN_SUMMARY = "<!-- counts, made from Tests/Compatibility by Tests/compatibility --fix -->"
END = "<!-- end of what is made -->"
DIFFERENCES = "../Sources/Freehold/Freehold.docc/DifferencesFromRealm.md"
SYMBOLS_HEAD = """# Realm's symbols

Symbols and behaviour that are the same as Realm's, and Freehold's additions.
[Compatibility](Compatibility.md) has those that differ or are missing.

This page is made from the tables in [`Tests/Compatibility`](../Tests/Compatibility) by
`Tests/compatibility --fix`. The tables also have each symbol's signature and test.
"""

# Where Docs/Compatibility.md has the details of an area.
DETAILS = {
    "Realms": "#realms-and-files",
    "Objects": "#objects",
    "Collections": "#collections",
    "Queries": "#queries",
    "Values": DIFFERENCES,
    "Crossing": DIFFERENCES,
    "Notifications": "#notifications",
    "Publishers": "#publishers",
}


# The order of the sections. Others follow.
ORDER = [
    "Behaviour",
    "Realms",
    "Objects",
    "Collections",
    "Queries",
    "Values",
    "Crossing",
    "Notifications",
    "Publishers",
]


def code(row):
    title = declarations.title(row.symbol)
    if not row.context or title == row.context.split(".")[-1]:
        return f"`{title}`"
    if re.match(r"(struct|class|enum|protocol) ", row.symbol):
        return f"`{title}`"
    return f"`{row.context}.{title}`"


def wrapped(text):
    """An entry of a list, in lines of at most 100 columns."""
    return textwrap.wrap(
        text, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def by_type(rows):
    types = {}
    for row in rows:
        title = declarations.title(row.symbol)
        if len(title) > 90:
            title = title[:60].rsplit(":", 1)[0] + ":…)"
        if title != row.context.split(".")[-1]:
            types.setdefault(row.context, []).append(f"`{title}`")
        else:
            types.setdefault(row.context, [])
    lines = []
    for name, members in types.items():
        members = ", ".join(dict.fromkeys(members))
        lines += wrapped(
            f"- `{name}`" + (f": {members}" if members else "") if name else f"- {members}"
        )
    return lines


def with_notes(rows):
    """The symbols with one state and one note, in one entry."""
    notes = {}
    for row in rows:
        notes.setdefault((row.state, row.note), []).append(code(row))
    lines = []
    for (state, note), names in notes.items():
        names = ", ".join(dict.fromkeys(names))
        lines += wrapped(f"- {names}: " + (f"{state}; {note}" if state == "missing" else note))
    return lines


def topics(tables):
    return sorted(tables.topics, key=lambda topic: (ORDER + [topic]).index(topic))


def symbols_of(tables, topic):
    return [
        row
        for row in tables.rows
        if row.topic == topic and row.state != "implied" and row.context != table.BEHAVIOUR
    ]


def counts_of(rows):
    return [sum(row.state == state for row in rows) for state in ("same", "different", "missing")]


def summary(tables):
    """The counts of each topic."""
    lines = [BEGIN_SUMMARY, "", "| area | same | different | missing |", "|---|---|---|---|"]
    total = [0, 0, 0]
    for topic in topics(tables):
        counts = counts_of(symbols_of(tables, topic))
        if any(counts):
            name = f"[{topic}]({DETAILS[topic]})" if topic in DETAILS else topic
            lines.append(f"| {name} | {counts[0]} | {counts[1]} | {counts[2]} |")
            total = [sum(pair) for pair in zip(total, counts)]
    lines += [
        f"| **all {sum(total)} symbols** | **{total[0]}** | **{total[1]}** | **{total[2]}** |",
        "",
        END,
    ]
    return "\n".join(lines)


def sentences(tables, state):
    """Sentences about behaviour with their tests."""
    lines = []
    for row in tables.rows:
        if row.context == table.BEHAVIOUR and row.state == state:
            names = ", ".join(f"`{name}`" for name in row.test_names)
            text = f"Realm: {row.symbol}. Freehold: {row.note}" if row.note else row.symbol
            lines += wrapped(f"- {text}. {names}")
    return lines


def differences(tables):
    """The behaviour and the symbols that differ, or are missing."""
    lines = [BEGIN, "", "### Behaviour", "", *sentences(tables, "different"), ""]
    lines += ["### Symbols that differ or are missing", ""]
    for topic in topics(tables):
        lines += with_notes(
            row for row in symbols_of(tables, topic) if row.state in ("different", "missing")
        )
    return "\n".join(lines + ["", END])


def symbols(tables):
    """The document with every symbol."""
    lines = [SYMBOLS_HEAD, "## The same behaviour", "", *sentences(tables, "same"), ""]
    for topic in topics(tables):
        rows = symbols_of(tables, topic)
        if not rows:
            continue
        lines += [f"## {topic}", ""]
        same = [row for row in rows if row.state == "same"]
        parts = [
            ("Same:", by_type(row for row in same if not row.note)),
            ("Same, but:", with_notes(row for row in same if row.note)),
        ]
        whole = []
        for row in rows:
            if row.state == "added" and row.context == "*":
                name = re.sub(r"\.?\*$", "", row.symbol)
                if not row.symbol.endswith(".*") and re.fullmatch(r"[\w.]+", name):
                    whole += wrapped(f"- `{name}`" + (f": {row.note}" if row.note else ""))
        parts.append(
            (
                "Not in Realm Swift:",
                whole + by_type(row for row in rows if row.state == "added" and row.context != "*"),
            )
        )
        for title, part in parts:
            if part:
                lines += [title, "", *part, ""]
    return "\n".join(lines)


def replaced(page, tables):
    """The document with the parts that are made from the tables."""
    for begin, text in ((BEGIN_SUMMARY, summary(tables)), (BEGIN, differences(tables))):
        start = page.find(begin)
        end = page.find(END, start)
        if start < 0 or end < 0:
            raise SystemExit(f"Docs/Compatibility.md has lost its marks: {begin} and {END}")
        page = page[:start] + text + page[end + len(END) :]
    return page
