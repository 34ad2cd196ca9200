"""The test functions of the package, and which of them use a symbol, by the index that the compiler
writes."""

import collections
import ctypes
import glob
import os
import re
import subprocess

REFERENCE_ROLE = 1 << 2
RECORD_DEPENDENCY = 2


class Test:
    def __init__(self, name, path, first, last):
        self.name, self.suite, self.path, self.first, self.last = (
            name,
            name.split(".")[0],
            os.path.realpath(path),
            first,
            last,
        )

    @property
    def directory(self):
        return os.path.dirname(self.path)

    def mentions(self, title, context):
        """Whether its text has the name, or a model beside it overrides the function.

        The index knows nothing of what stands inside of `#expect(…)`, and little of overriding.
        """
        base = re.split(r"[(:]", title)[0]
        if base.startswith("init"):
            base = context.split(".")[-1] + "("
        elif re.match(r"\w", base) and base != "subscript":
            base = "." + base
        else:
            return False
        lines = open(self.path).read().split("\n")[self.first - 1 : self.last]
        if re.search(re.escape(base) + (r"\b" if base[-1] != "(" else ""), "\n".join(lines)):
            return True
        beside = (open(path).read() for path in glob.glob(os.path.join(self.directory, "*.swift")))
        return base[0] == "." and any(f"override class func {base[1:]}(" in text for text in beside)


def all_tests(root):
    """Tests by `Suite.function`. A suite's tests may be in its extensions."""
    found = {}
    for path in glob.glob(os.path.join(root, "Tests/**/*.swift"), recursive=True):
        lines = open(path).read().split("\n")
        suites, started, attribute = [], None, None
        for number, line in enumerate(lines, 1):
            indentation = len(line) - len(line.lstrip())
            if declared := re.match(
                r"\s*(?:@\w+(?:\([^)]*\))? )*(?:public |private |final |fileprivate )*(?:struct"
                r"|class|actor|enum|extension) (\w+)",
                line,
            ):
                while suites and suites[-1][0] >= indentation:
                    suites.pop()
                suites.append((indentation, declared.group(1)))
            if re.match(r"\s*@Test\b", line):
                attribute = number
            if attribute and (function := re.search(r"\bfunc `?(\w+|[^`]+)`?\(", line)):
                suite = next(
                    (name for depth, name in reversed(suites) if depth < indentation), None
                )
                started = Test(f"{suite}.{function.group(1)}", path, attribute, len(lines))
                found[started.name] = started
                depth, attribute = indentation, None
            elif started and line.strip() == "}" and indentation == depth:
                started.last, started = number, None
    return found


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


def references(build, root):
    """Where the tests refer to the library's symbols: sets of (file, line), by symbol."""
    resources = subprocess.run(
        ["swiftc", "-print-target-info"], capture_output=True, text=True, check=True
    ).stdout
    runtime = re.search(r'"runtimeResourcePath": "([^"]*)"', resources).group(1)
    library = ctypes.CDLL(os.path.join(os.path.dirname(runtime), "libIndexStore.so"))
    pointer = ctypes.c_void_p
    for name, result, arguments in [
        ("store_create", pointer, [ctypes.c_char_p, pointer]),
        ("unit_reader_create", pointer, [pointer, ctypes.c_char_p, pointer]),
        ("unit_reader_get_main_file", Text, [pointer]),
        ("unit_reader_dispose", None, [pointer]),
        ("unit_dependency_get_kind", ctypes.c_int, [pointer]),
        ("unit_dependency_get_name", Text, [pointer]),
        ("unit_dependency_get_filepath", Text, [pointer]),
        ("record_reader_create", pointer, [pointer, ctypes.c_char_p, pointer]),
        ("record_reader_dispose", None, [pointer]),
        ("occurrence_get_symbol", pointer, [pointer]),
        ("occurrence_get_roles", ctypes.c_uint64, [pointer]),
        (
            "occurrence_get_line_col",
            None,
            [pointer, ctypes.POINTER(ctypes.c_uint), ctypes.POINTER(ctypes.c_uint)],
        ),
        ("symbol_get_usr", Text, [pointer]),
    ]:
        function = getattr(library, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
    each_text = ctypes.CFUNCTYPE(ctypes.c_bool, pointer, Text)
    each = ctypes.CFUNCTYPE(ctypes.c_bool, pointer, pointer)
    library.indexstore_store_units_apply_f.argtypes = [pointer, ctypes.c_uint, pointer, each_text]
    library.indexstore_unit_reader_dependencies_apply_f.argtypes = [pointer, pointer, each]
    library.indexstore_record_reader_occurrences_apply_f.argtypes = [pointer, pointer, each]

    store = library.indexstore_store_create(os.path.join(build, "index/store").encode(), None)
    if not store:
        raise SystemExit(
            f"There is no index in {build}; build the tests first: swift build --build-tests"
        )
    units, found = [], collections.defaultdict(set)
    library.indexstore_store_units_apply_f(
        store, 0, None, each_text(lambda _, name: units.append(str(name)) or True)
    )
    tests = os.path.join(os.path.realpath(root), "Tests") + "/"
    for unit in units:
        reader = library.indexstore_unit_reader_create(store, unit.encode(), None)
        if not reader:
            continue
        file = os.path.realpath(str(library.indexstore_unit_reader_get_main_file(reader)))
        records = []
        if file.startswith(tests):

            def note_dependency(_, dependency):
                if (
                    library.indexstore_unit_dependency_get_kind(dependency) == RECORD_DEPENDENCY
                    and os.path.realpath(
                        str(library.indexstore_unit_dependency_get_filepath(dependency))
                    )
                    == file
                ):
                    records.append(str(library.indexstore_unit_dependency_get_name(dependency)))
                return True

            library.indexstore_unit_reader_dependencies_apply_f(reader, None, each(note_dependency))
        library.indexstore_unit_reader_dispose(reader)
        for record in records:
            reader = library.indexstore_record_reader_create(store, record.encode(), None)
            if not reader:
                continue

            def note_occurrence(_, occurrence):
                if library.indexstore_occurrence_get_roles(occurrence) & REFERENCE_ROLE:
                    usr = str(
                        library.indexstore_symbol_get_usr(
                            library.indexstore_occurrence_get_symbol(occurrence)
                        )
                    )
                    if usr.startswith("s:") and "Freehold" in usr:
                        line, column = ctypes.c_uint(), ctypes.c_uint()
                        library.indexstore_occurrence_get_line_col(occurrence, line, column)
                        found[usr].add((file, line.value))
                return True

            library.indexstore_record_reader_occurrences_apply_f(
                reader, None, each(note_occurrence)
            )
            library.indexstore_record_reader_dispose(reader)
    return found
