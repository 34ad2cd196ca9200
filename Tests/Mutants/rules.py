"""Which places of a Swift file can be changed, and how: text rules over one line each.

A mutant is a line with `mutant(N)` in it, which is true in the one run that is to have the change.
Rules are allowed to be wrong: what does not compile is dropped.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    file: str
    line: int  # from 1
    rule: str
    before: str
    after: str  # `mutant(#)` stands for the switch
    name: str = ""  # six hexadecimal digits, from file, rule and change
    isAgain: bool = False  # taken because an earlier run did not kill it


COMPARISONS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "===": "!==",
    "!==": "===",
}
ASSIGNMENTS = {
    "=",
    "+=",
    "-=",
    "*=",
    "/=",
    "|=",
    "&=",
    "^=",
    "&+=",
    "&-=",
    "<<=",
    ">>=",
    "&<<=",
    "&>>=",
}
# What ends an operand of a comparison on either side.
STOPS = ASSIGNMENTS | {"&&", "||", "?", ":", ",", ";", "->"}
KEYWORDS = {
    "if",
    "guard",
    "while",
    "where",
    "in",
    "return",
    "throw",
    "try",
    "await",
    "else",
    "case",
    "let",
    "var",
    "for",
    "repeat",
    "do",
    "try?",
    "try!",
    "switch",
    "defer",
    "default",
}
OPENERS = {"(": ")", "[": "]", "{": "}"}
TOKEN = re.compile(
    r"\x01+|[A-Za-z_$#@`][\w$`]*[?!]?(?=\s|$)|[A-Za-z_$#@`][\w$`]*|\d[\w.]*|[(){}\[\],;]"
    r"|[-+*/%<>=!&|^~?.:]+|\S"
)


def masked(text):
    """The text with comments as spaces and string literals as \\x01, of the same length."""
    out = list(text)
    at = 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            out[at:end] = " " * (end - at)
            at = end
        elif text.startswith("/*", at):
            end = text.find("*/", at) + 2
            out[at:end] = [c if c == "\n" else " " for c in text[at:end]]
            at = end
        elif text.startswith('"""', at):
            end = text.find('"""', at + 3) + 3
            out[at:end] = [c if c == "\n" else "\x01" for c in text[at:end]]
            at = end
        elif text[at] == '"':
            end = end_of_string(text, at)
            out[at:end] = "\x01" * (end - at)
            at = end
        else:
            at += 1
    return "".join(out)


def end_of_string(text, at):
    at += 1
    while text[at] != '"':
        if text.startswith("\\(", at):
            depth, at = 1, at + 2
            while depth:
                if text[at] == '"':
                    at = end_of_string(text, at)
                    continue
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
        else:
            at += 2 if text[at] == "\\" else 1
    return at + 1


def tokens(line):
    return [(m.group(), m.start(), m.end()) for m in TOKEN.finditer(line)]


def is_spaced(line, start, end):
    return start > 0 and line[start - 1] == " " and end < len(line) and line[end] == " "


def is_stop(line, token, extra):
    text, start, end = token
    if text in KEYWORDS or text in (",", ";") or text in extra:
        return True
    return text == ":" or text.endswith(":") or (text in STOPS and is_spaced(line, start, end))


def left_of(line, list_, index, extra=()):
    """Where the operand before a token begins, or None."""
    closers = {")": "(", "]": "[", "}": "{"}
    at, start = index - 1, None
    while at >= 0:
        text = list_[at][0]
        if text in closers:
            depth = 1
            while depth:
                at -= 1
                if at < 0:
                    return None
                depth += (list_[at][0] in closers) - (list_[at][0] in OPENERS)
        elif text in OPENERS or is_stop(line, list_[at], extra):
            break
        start = list_[at][1]
        at -= 1
    return start


def right_of(line, list_, index, extra=()):
    """Where the operand behind a token ends, or None."""
    closers = {")", "]", "}"}
    heads = line.lstrip().startswith(
        ("if ", "while ", "} else if ", "for ", "case ", "guard ", "else if ")
    )
    at, end = index + 1, None
    while at < len(list_):
        text = list_[at][0]
        if text == "{":
            if not heads:
                return None
            break
        if text in OPENERS:
            depth = 1
            while depth:
                at += 1
                if at >= len(list_):
                    return None
                depth += (list_[at][0] in OPENERS) - (list_[at][0] in closers)
        elif text in closers or is_stop(line, list_[at], extra):
            break
        end = list_[at][2]
        at += 1
    return end


DECLARATION = re.compile(
    r"\b(func|init|subscript|extension|struct|class|enum|protocol|typealias|import|actor"
    r"|associatedtype)\b|^\s*[@#]|\bis [A-Z]"
)
STATEMENT_CALL = re.compile(r"^(\s*)((?:try )?(?:await )?(?:_ = )?[a-z_][\w.\[\]!?]*\(.*\))\s*$")
STATEMENT_ASSIGNMENT = re.compile(r"^(\s*)([a-z_]\w*(?:[.\[][^=]*?)? (?:=|\+=|-=) [^{]*[^{,(])$")
NOT_DROPPED = re.compile(
    r"^(?:try )?(precondition|assert|preconditionFailure|fatalError|super\.|self\.init|init"
    r"|violation|EventLog|log|free|close|Glibc\.close|munmap)\b"
    r"|deallocate|deinitialize|prefetch|didSet|Log\b|log\(|reserveCapacity|counters|Counters"
)
LIBRARY_SYNC = re.compile(
    r"(?:^\s*|\{ )((?:try\?? )(?:\w+\.)?synchronize(?:Directory|Data)?\([^()]*\))"
)
SYSTEM_SYNC = re.compile(r"\b(fsync|fdatasync|msync|mdb_env_sync)\([^()]*(?:\([^()]*\)[^()]*)*\)")


def in_line(rule, line, mask, start, end, text):
    return rule, line[start:end], line[:start] + text + line[end:]


def changes_of_operators(line, mask):
    list_ = tokens(mask)
    for index, (text, start, end) in enumerate(list_):
        if not is_spaced(mask, start, end):
            continue
        if text in COMPARISONS:
            left, right = left_of(mask, list_, index), right_of(mask, list_, index)
            if left is None or right is None or DECLARATION.search(mask):
                continue
            whole, changed = (
                line[left:right],
                line[left:start] + COMPARISONS[text] + line[end:right],
            )
            yield in_line(
                "comparison", line, mask, left, right, f"(mutant(#) ? {changed} : {whole})"
            )
        elif text in ("&&", "||"):
            left, right = left_of(mask, list_, index, ("||",) if text == "&&" else ()), right_of(
                mask, list_, index
            )
            if left is None or right is None or DECLARATION.search(mask):
                continue
            # `left_of` stops in front of a logical operator: only the operand next to it is taken.
            other = "||" if text == "&&" else "&&"
            whole, changed = line[left:right], line[left:start] + other + line[end:right]
            yield in_line("logic", line, mask, left, right, f"(mutant(#) ? {changed} : {whole})")
        elif text in ("+", "-", "&+", "&-", "+=", "-="):
            following = list_[index + 1] if index + 1 < len(list_) else None
            if following and following[0] == "1":
                yield in_line(
                    "off by one", line, mask, following[1], following[2], "(mutant(#) ? 0 : 1)"
                )


def changes_of_conditions(line, mask, next_line):
    condition = re.match(r"^(\s*(?:\} else )?(if|while|guard) )(.*?)( else)? \{", mask)
    if condition:
        begin, end = condition.start(3), condition.end(3)
        text, kind = line[begin:end], condition.group(2)
        plain = not re.search(r"\b(let|var|case|try|await)\b|#|\{|,|\bis\b", mask[begin:end])
        rest = mask[condition.end() :].strip() or next_line
        throws = rest.startswith("throw ")
        if plain and kind == "guard" and throws:
            yield in_line("dropped guard", line, mask, begin, end, f"mutant(#) || ({text})")
        elif kind == "if" and throws:
            yield in_line("dropped guard", line, mask, begin, end, f"!mutant(#), {text}")
        elif (
            plain
            and kind != "while"
            and not re.search(r" (<|<=|>|>=|==|!=|&&|\|\|) ", mask[begin:end])
        ):
            yield in_line("negated condition", line, mask, begin, end, f"mutant(#) != ({text})")
    loop = re.match(r"^\s*for \w+ in (?:\S+?|\(.*?\))\.\.<([\w.]+) (?:\{|where )", mask)
    if loop:
        begin, end = loop.span(1)
        yield in_line(
            "loop one short", line, mask, begin, end, f"({line[begin:end]} - (mutant(#) ? 1 : 0))"
        )


def changes_of_statements(line, mask, previous_line, next_line, in_init):
    complete = not re.search(
        r"([,(=\[+?:]|&&|\|\||->|\breturn|\?\?|case .*)\s*$", previous_line
    ) or previous_line.endswith("{")
    if not complete or re.match(r"[.?:+&|=)\]]", next_line):
        return
    for rule, pattern in (
        ("dropped call", STATEMENT_CALL),
        ("dropped assignment", STATEMENT_ASSIGNMENT),
    ):
        match = pattern.match(mask)
        if not match or NOT_DROPPED.search(mask.strip()):
            continue
        if any(mask.count(a) != mask.count(b) for a, b in OPENERS.items()):
            continue
        if rule == "dropped assignment" and (
            in_init or re.match(r"\s*(let|var|return|case|default|if|guard|while|for)\b", mask)
        ):
            continue
        if rule == "dropped call" and re.match(
            r"\s*(return|throw|if|guard|while|switch|case)\b", mask
        ):
            continue
        yield rule, line.strip(), f"{match.group(1)}if !mutant(#) {{ {line.strip()} }}"


def changes_of_locks_and_syncs(line, mask):
    for match in SYSTEM_SYNC.finditer(mask):
        if not re.search(r"\bfunc\b", mask):
            yield in_line(
                "dropped sync",
                line,
                mask,
                match.start(),
                match.end(),
                f"(mutant(#) ? 0 : {match.group()})",
            )
    match = LIBRARY_SYNC.search(mask)
    if match:
        yield in_line(
            "dropped sync",
            line,
            mask,
            match.start(1),
            match.end(1),
            f"if !mutant(#) {{ {match.group(1)} }}",
        )
    match = re.search(r"[\w)]\.withLock( \{|\(\{)", mask)
    if match:
        brace = match.group(1) == " {"
        yield in_line(
            "dropped lock",
            line,
            mask,
            match.start(1),
            match.end(1),
            "(mutant(#)) {" if brace else "(mutant(#), {",
        )


def changes_of_functions(line, mask):
    match = re.match(
        r"^\s*(?:(?:package|private|fileprivate|internal|final|static|mutating|override"
        r"|@inline\(__always\)) )*func \w+.*\) (?:throws(?:\(\w+\))? )?\{\s*$",
        mask,
    )
    if (
        match
        and "->" not in mask.replace("() -> ", "").replace(") -> Void", "")
        and not re.search(r"->", mask)
    ):
        yield "returned early", line.strip(), line.rstrip() + " if mutant(#) { return }"


def mutations(file, text):
    """All mutations of a file."""
    lines, masks = text.split("\n"), masked(text).split("\n")
    inlinable_depth, init_depth = None, None
    depth = 0
    for index, (line, mask) in enumerate(zip(lines, masks)):
        opens = mask.count("{") - mask.count("}")
        if "@inlinable" in mask or "@_alwaysEmitIntoClient" in mask:
            inlinable_depth = depth
        if re.search(r"\b(init[?]?|deinit)\b.*\{\s*$", mask):
            init_depth = depth
        before, depth = depth, depth + opens
        if inlinable_depth is not None:
            if depth <= inlinable_depth and (
                opens < 0 or (before == inlinable_depth and "{" in mask)
            ):
                inlinable_depth = None
            continue
        if init_depth is not None and depth <= init_depth:
            init_depth = None
        if not mask.strip() or re.match(r"\s*#", mask):
            continue
        previous = next((m.strip() for m in reversed(masks[:index]) if m.strip()), "")
        following = next((m.strip() for m in masks[index + 1 :] if m.strip()), "")
        found = [
            *changes_of_operators(line, mask),
            *changes_of_conditions(line, mask, following),
            *changes_of_locks_and_syncs(line, mask),
            *changes_of_statements(line, mask, previous, following, init_depth is not None),
            *changes_of_functions(line, mask),
        ]
        for rule, old, new in found:
            yield Mutation(file, index + 1, rule, f"{line.strip()}", new)
