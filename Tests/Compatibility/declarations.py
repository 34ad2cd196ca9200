"""Swift declarations in a normal form, so that one of Realm's and one of ours can be compared.

The normal form leaves out what a caller does not see: names of parameters behind their labels,
attributes other than @Sendable and @MainActor, constraints of generic parameters, and how generic
parameters are named.
"""

import json
import re

CALLER_ATTRIBUTES = ("@Sendable", "@MainActor")
MODIFIERS = (
    "public",
    "open",
    "final",
    "required",
    "convenience",
    "override",
    "nonisolated",
    "mutating",
    "nonmutating",
    "lazy",
    "weak",
    "indirect",
    "prefix",
    "postfix",
    "infix",
)
TYPE_KEYWORDS = ("struct", "class", "enum", "protocol", "actor")
GENERIC_NAMES = ("A", "B", "C", "D")
OPENING, CLOSING = "([{<", ")]}>"


def split_top_level(text, separator):
    """Splits at a separator that is inside of no brackets. The ">" of "->" closes nothing."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in OPENING:
            depth += 1
        elif character in CLOSING and not (character == ">" and text[index - 1 : index] == "-"):
            depth -= 1
        elif depth == 0 and text.startswith(separator, index):
            parts.append(text[start:index])
            start = index + len(separator)
    parts.append(text[start:])
    return parts


def closing(text, start):
    """The index of the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] in OPENING:
            depth += 1
        elif text[index] in CLOSING and not (text[index] == ">" and text[index - 1] == "-"):
            depth -= 1
            if depth == 0:
                return index
    raise ValueError(f"no closing bracket in: {text}")


def normal_type(text):
    text = re.sub(r"\s+", " ", text.strip())
    text = re.sub(r"@(?!Sendable|MainActor)\w+(\([^)]*\))? ", "", text)
    text = re.sub(r"\b(any|some|inout|sending|consuming|borrowing) ", "", text)
    text = text.replace("Self.", "").replace("Swift.Error", "Error")
    # Types inside of Realm are named with and without it.
    text = re.sub(r"\bRealm\.(?=[A-Z])", "", text)
    text = text.replace(" : ", ": ")
    while True:
        shorter = re.sub(r"\((\w+(?:\.\w+)*)\)\?", r"\1?", text)
        shorter = re.sub(
            r"\(\(([^()]*(?:\([^()]*\))?[^()]*)\) -> (\w+\??)\)(?!\?)(?=[,)]|$)",
            r"(\1) -> \2",
            shorter,
        )
        if shorter == text:
            return text
        text = shorter


def normal_parameter(text, names_alone):
    parts = split_top_level(text.strip(), ": ")
    if len(parts) == 1:
        return normal_type(parts[0])
    names = parts[0].split()
    label = "_" if names_alone and len(names) == 1 and names[0] != "dynamicMember" else names[0]
    value = split_top_level(": ".join(parts[1:]), " = ")
    default = "" if len(value) == 1 else " = " + re.sub(r"\s+", " ", value[1].strip())
    return f"{label}: {normal_type(value[0])}{default}"


def normal(declaration, context="", is_source=False):
    """A declaration in its normal form, which is its own normal form.

    `context` is the path of the type that it is a member of. In source, a subscript's parameter has
    no label unless it says one in front of its name.
    """
    text = re.sub(r"\s+", " ", declaration.strip()).replace("`", "")
    isolation = "@MainActor " if "@MainActor " in text.split("(")[0] else ""
    text = re.sub(r"^(@\w+(\([^)]*\))? )+", "", text)
    words = text.split(" ")
    is_static = False
    while words and (
        words[0] in MODIFIERS
        or words[0] == "static"
        or (words[0] == "class" and len(words) > 1 and words[1] in ("func", "var", "subscript"))
    ):
        is_static = is_static or words[0] in ("static", "class")
        words.pop(0)
    text = " ".join(words)
    # A subscript that only gets has its accessor behind its constraints.
    gets = text.endswith(" { get }")
    text = split_top_level(text, " where ")[0]
    if not re.match(
        r"(func|init\??|subscript|case|var|let|typealias|associatedtype|struct|class|enum"
        r"|protocol|actor)[ (<]",
        text,
    ):
        text = "func " + text
    keyword = re.match(r"[a-z]+", text).group(0)
    static = "static " if is_static else ""

    if keyword in TYPE_KEYWORDS:
        head = re.match(r"\w+ (\w+)(<[^>]*>)?", text)
        count = 0 if head.group(2) is None else len(head.group(2).split(","))
        return f"{keyword} {head.group(1)}" + (f"<{count}>" if count else "")
    if keyword in ("associatedtype", "case") and "(" not in text:
        return re.match(r"\w+ \w+", text).group(0)
    if keyword == "typealias":
        name, target = text.split(" = ", 1)
        name = re.sub(r"<.*", "", name)
        return f"{name} = {normal_type(target)}"
    if keyword in ("var", "let"):
        name = re.match(r"\w+ (\w+): ", text)
        rest = text[name.end() :]
        body = re.search(r" \{(.*)\}$", rest)
        kind = normal_type(rest[: body.start()] if body else rest)
        effects = ""
        if body is None:
            # In source, what only gets says so.
            access = " { get set }" if keyword == "var" and is_source else ""
        else:
            access = " { get set }" if " set" in body.group(1) else ""
            effects = "".join(
                f" {word}" for word in ("async", "throws") if f" {word}" in body.group(1)
            )
        return own_type(f"{static}var {name.group(1)}: {kind}{effects}{access}", context)

    # Functions, initialisers, subscripts, operators and cases with values.
    start = text.index("(") if not text.startswith("func (") else text.index("(", 6)
    head = text[:start]
    generics = []
    opening = (
        re.search(r"(?<=[\w`])<", head)
        if keyword != "func" or re.match(r"func \w", head)
        else re.search(r"(?<=[ =<>!&|*/+~-])<(?=[A-Z])", head)
    )
    if opening and keyword in ("func", "init", "subscript"):
        end = closing(text, opening.start())
        generics = [
            re.split(r"[: ]", name.strip())[0]
            for name in text[opening.start() + 1 : end].split(",")
        ]
        generics = [name for name in generics if re.fullmatch(r"\w+", name)]
        head = text[: opening.start()]
        start = text.index("(", end)
    end = closing(text, start)
    inner = text[start + 1 : end]
    parameters = (
        [
            normal_parameter(part, is_source and keyword == "subscript")
            for part in split_top_level(inner, ", ")
        ]
        if inner
        else []
    )
    if keyword == "func" and not re.match(r"func \w", head):
        # Operators have no labels.
        parameters = [re.sub(r"^\w+: ", "", part) for part in parameters]
    if keyword == "case":
        parameters = [re.sub(r"^_: ", "", part) for part in parameters]
    tail = split_top_level(text[end + 1 :], " {")
    effect_text, _, result = tail[0].partition("->")
    effects = " ".join(
        word for word in effect_text.split() if word.startswith(("async", "throws", "rethrows"))
    )
    sets = len(tail) > 1 and " set" in tail[1] or is_source and len(tail) == 1
    accessors = " { get set }" if keyword == "subscript" and not gets and sets else ""
    name = head.strip()
    if keyword == "init":
        name = name.replace("init ", "init")
    elif keyword == "func":
        name = name[5:].strip()
    elif keyword == "case":
        name = name[5:].strip()
    arguments = f"<{', '.join(generics)}>" if generics else ""
    call = f"{name}{arguments}({', '.join(parameters)})"
    if keyword == "case":
        call = "case " + call
    if effects:
        call += " " + effects
    if result and normal_type(result) not in ("Void", "()"):
        call += " -> " + normal_type(result)
    call += accessors
    for old, new in zip(generics, GENERIC_NAMES):
        call = re.sub(rf"\b{old}\b(?!:)", f"\x00{new}", call)
    return own_type(isolation + static + call.replace("\x00", ""), context)


# The generic parameters of each type of the library, by its path: "Key, Value".
PARAMETERS = {}


def own_type(text, context):
    """Writes `Self` for the type that the member belongs to, with its own generic parameters."""
    if not context:
        return text
    parameters = PARAMETERS.get(context, "")
    context = context.removeprefix("Realm.")
    arguments = f"<{re.escape(parameters)}>" if parameters else "(?!<)"
    return re.sub(rf"(?<![\w.]){re.escape(context)}{arguments}(?![\w.])", "Self", text)


def title(declaration):
    """A short name for people: the base name with its labels."""
    text = re.sub(r"^(@MainActor )?(static )?", "", declaration)
    if text.startswith(("var ", "case ", "typealias ", "associatedtype ")):
        return re.split(r"[:( =]", text.split(" ", 1)[1])[0]
    if re.match(r"(struct|class|enum|protocol) ", text):
        return re.sub(r"<.*", "", text.split(" ")[1].rstrip(":"))
    head, _, rest = text.partition("(")
    if not re.match(r"\w", head):
        return head.strip()
    inner = text[len(head) + 1 : closing(text, len(head))]
    head = re.sub(r"<.*", "", head)
    labels = (
        "".join(split_top_level(part, ": ")[0] + ":" for part in split_top_level(inner, ", "))
        if inner
        else ""
    )
    return f"{head}({labels})"


class Symbol:
    """A public symbol of a module."""

    def __init__(self, path, declaration, precise, is_synthesized):
        self.path, self.precise, self.is_synthesized = path, precise, is_synthesized
        parts = path.split("\x1f")
        self.context, self.name = ".".join(parts[:-1]), parts[-1]
        self.text = re.sub(r"\s+", " ", declaration)
        self.is_type = (
            re.match(
                r"(@\w+ )*(final |open |public |indirect )*(struct|class|enum|protocol|actor) "
                r"(?!func|var|subscript)",
                self.text,
            )
            is not None
        )
        if self.is_type:
            self.context = ".".join(parts)
            parameters = re.search(r"(?:struct|class|enum) \w+<([^>]*)>", self.text)
            if parameters:
                PARAMETERS[self.context] = ", ".join(
                    part.split(":")[0].strip() for part in parameters.group(1).split(",")
                )

    @property
    def normal(self):
        return normal(self.text, self.context, is_source=True)


def symbols(paths):
    """The public symbols in files of the compiler's symbol graph, and what each type conforms
    to."""
    found, conformances, names = [], {}, {}
    for path in paths:
        graph = json.load(open(path))
        for symbol in graph["symbols"]:
            if symbol["accessLevel"] not in ("public", "open"):
                continue
            parts = symbol["pathComponents"]
            names[symbol["identifier"]["precise"]] = ".".join(parts)
            declaration = "".join(
                fragment["spelling"] for fragment in symbol["declarationFragments"]
            )
            found.append(
                Symbol(
                    "\x1f".join(parts),
                    declaration,
                    symbol["identifier"]["precise"],
                    "::SYNTHESIZED::" in symbol["identifier"]["precise"],
                )
            )
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom"):
                target = relation.get("targetFallback", "").split(".")[-1] or names.get(
                    relation["target"], relation["target"]
                )
                # Protocols that are not public have no name in the graph.
                if ":" not in target:
                    conformances.setdefault(relation["source"], set()).add(target)
    return found, {
        names[source]: targets for source, targets in conformances.items() if source in names
    }
