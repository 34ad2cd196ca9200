"""Lets a copy of the tests compile with Swift Testing 6.2, whose exit tests capture no values.

usage: rewrite.py TREE. Rewrites files in place: `{ [name = value as Type] in` of an exit test
becomes an argument of its condition and a constant in its body, which goes through the environment
(ExitTestValues.swift). So tests of such a copy must not run in parallel.

The library's tests are compiled in Swift 5 mode: 6.2 takes what a closure of an actor's method
captures, in `asyncWrite { … }`, for a data race (SendingRisksDataRace), which 6.3 knows to be
none.
"""

import pathlib
import re
import shutil
import sys

EXIT_TEST = re.compile(
    r'processExitsWith: (\.\w+(?:\(\w+\))?)((?:, observing: \[[^\]]*\])?)\) \{\s*\[(.*?)\]\s+in\b',
    re.S,
)


def split(text):
    """The captures of a list, by its commas outside of parentheses."""
    parts, depth = [''], 0
    for character in text:
        depth += (character in '([{<') - (character in ')]}>')
        if character == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def end(text, start):
    """Where the braces end that are open at a place."""
    depth = 1
    while depth > 0:
        depth += (text[start] == '{') - (text[start] == '}')
        start += 1
    return start - 1


def rewritten(text):
    while match := EXIT_TEST.search(text):
        close = end(text, match.end())
        # A scope of its own, as for captures: the body may declare constants of their names.
        text = (
            text[: match.start()]
            + head(match)
            + ' do {'
            + text[match.end() : close]
            + '}'
            + text[close:]
        )
    return text


def head(match):
    condition, observing, list_ = match.groups()
    arguments, constants = [], []
    for capture in split(list_):
        if '=' in capture:
            name, value = (part.strip() for part in capture.split('=', 1))
            type_ = re.split(r'\sas\s+', value)[-1]
        else:
            # A parameter of the function around.
            name = value = capture
            function = match.string[: match.start()].rsplit('func ', 1)[1]
            type_ = re.search(r'\b' + name + r': ([^,)]+)', function)[1].strip()
        arguments.append(f'("{name}", {value})')
        constants.append(f'let {name} = passed("{name}", as: {type_}.self)')
    return (
        f'processExitsWith: passing({condition}, {", ".join(arguments)}){observing}) '
        f'{{ {"; ".join(constants)};'
    )


def with_relaxed_library_tests(manifest):
    """The targets that are only built with all tests, without the checks of Swift 6 mode."""
    head, tests = manifest.split('if builtTests == .all {', 1)
    mode = '[.swiftLanguageMode(.v5)] + strict.dropFirst()'
    return (
        head
        + 'if builtTests == .all {'
        + tests.replace('swiftSettings: strict', f'swiftSettings: {mode}')
    )


def main():
    tree = pathlib.Path(sys.argv[1])
    manifest = tree / 'Package.swift'
    manifest.write_text(with_relaxed_library_tests(manifest.read_text()))
    tests = tree / 'Tests'
    for target in sorted(tests.glob('*Tests')):
        is_changed = False
        for file in target.rglob('*.swift'):
            old = file.read_text()
            new = rewritten(old)
            if new != old:
                file.write_text(new)
                is_changed = True
        if is_changed:
            shutil.copy(tests / 'Arm64' / 'ExitTestValues.swift', target)


main()
