"""Makes a copy of the package whose storage layer has every chosen mutant, asleep, and builds it
once."""

import hashlib
import os
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import rules

HEADER = """#include <stdbool.h>
#include <stdint.h>

extern int32_t freehold_mutant;
extern bool freehold_notes_mutants;
void freehold_note_mutant(int32_t number);

/// Whether a mutant is the one of this process.
static inline bool mutant(int32_t number) {
    if (__builtin_expect(freehold_notes_mutants, 0)) freehold_note_mutant(number);
    return number == freehold_mutant;
}
"""

SWITCH = """#include "MutantSwitch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int32_t freehold_mutant = -1;
bool freehold_notes_mutants = false;
static const char *path;
static atomic_bool noted[100000];

__attribute__((constructor)) static void start(void) {
    const char *number = getenv("FREEHOLD_MUTANT");
    if (number) freehold_mutant = atoi(number);
    path = getenv("FREEHOLD_MUTANT_NOTES");
    freehold_notes_mutants = path != NULL;
}

/// Writes the number down at once: the process may be killed.
void freehold_note_mutant(int32_t number) {
    if (atomic_exchange(&noted[number], true)) return;
    int saved = errno;
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) {
        char text[16];
        int count = snprintf(text, sizeof text, "%d\\n", number);
        if (write(file, text, count) < 0) {}
        close(file);
    }
    errno = saved;
}
"""

# Bodies that run without their lock.
UNLOCKED = {
    "Base/Threads/Monitor.swift": (
        "    package func withLock<Result, Failure: Error>(",
        "    package func withLock<Result, Failure: Error>(_ isDropped: Bool, _ body: () "
        "throws(Failure) -> Result) throws(Failure) -> Result {"
        " if isDropped { return try body() }; return try withLock(body) }\n",
    ),
    "Base/Threads/Locked.swift": (
        "    package func withLock<Result: Sendable, Failure: Error>(",
        "    package func withLock<Result: Sendable, Failure: Error>(_ isDropped: Bool, _ body: "
        "(inout Value) throws(Failure) -> Result) throws(Failure) -> Result {"
        " if isDropped { return try body(&value) }; return try withLock(body) }\n",
    ),
}
STORAGE = "Sources/FreeholdStorage"


def digest(*parts):
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def chosen(root, seed, count, only, also=(), names=(), chosen_rules=()):
    """The mutations of this run: every sync, a share of the locks, and any others, at most one a
    line.

    The seed and its own name decide whether a mutation is taken: changing a line does not exchange
    the others. `also` has mutations to take besides, each as a file and a changed line. With
    `names`, those are taken and no others, whatever the seed. Of what is chosen otherwise, only
    `chosen_rules` stay, if there are any.
    """
    found, alike = [], Counter()
    for path in sorted((root / STORAGE).rglob("*.swift")):
        file = str(path.relative_to(root / STORAGE))
        if only and only not in file:
            continue
        for mutation in rules.mutations(file, path.read_text()):
            key = (file, mutation.rule, mutation.after.strip())
            alike[key] += 1
            found.append(replace(mutation, name=digest(*key, alike[key])[:6]))
    found.sort(key=lambda m: digest(seed, m.name))
    shares = {"dropped sync": count, "dropped lock": count // 8}
    taken, lines = [], set()
    if names:
        taken = [mutation for mutation in found if mutation.name in names]
        for name in set(names) - {mutation.name for mutation in taken}:
            raise SystemExit(f"mutants: there is no {name}")
        if len({(m.file, m.line) for m in taken}) < len(taken):
            raise SystemExit("mutants: two of one line cannot be built together")
        return sorted(taken, key=lambda m: (m.file, m.line))

    def take(mutation):
        taken.append(mutation)
        lines.add((mutation.file, mutation.line))

    for wanted in ("dropped sync", "dropped lock", None):
        rest = shares.get(wanted, count - len(taken))
        for mutation in found:
            if rest == 0:
                break
            if (
                (mutation.file, mutation.line) in lines
                or (wanted and mutation.rule != wanted)
                or (not wanted and mutation.rule in shares)
            ):
                continue
            take(mutation)
            rest -= 1
    again = set(also)
    for mutation in found:
        if (mutation.file, mutation.after.strip()) in again and (
            mutation.file,
            mutation.line,
        ) not in lines:
            take(replace(mutation, isAgain=True))
    if chosen_rules:
        taken = [mutation for mutation in taken if mutation.rule in chosen_rules]
    return sorted(taken, key=lambda m: (m.file, m.line))


def write(path, text):
    """Keeps the time of a file that stays the same, so that it is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def copy(root, tree, suites):
    """What the suites are built from."""
    for folder in (
        "Sources",
        *(f"Tests/{suite}" for suite in suites),
        "Tests/FreeholdTestSupport",
        "Tests/FreeholdTestStart",
        "Tests/FreeholdRealmTestSupport",
        "Tests/FreeholdPrograms",
        "Tests/Golden",
        "Tests/Encryption",
    ):
        for path in (root / folder).rglob("*"):
            target = tree / path.relative_to(root)
            if path.is_dir():
                target.mkdir(parents=True, exist_ok=True)
            elif STORAGE not in str(path) and (
                not target.exists() or target.read_bytes() != path.read_bytes()
            ):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    # A new checkout has none yet.
    if (root / "Package.resolved").exists():
        shutil.copyfile(root / "Package.resolved", tree / "Package.resolved")
    manifest = (root / "Package.swift").read_text()
    manifest = manifest.replace(".treatAllWarnings(as: .error),", "")
    storage = re.compile(r'(\.target\(\s*name: "FreeholdStorage",\s*dependencies: \[)')
    manifest, count = storage.subn(
        r'.target(name: "MutantSwitch"),\n    \1"MutantSwitch", ', manifest, count=1
    )
    assert count == 1, "Package.swift has no target FreeholdStorage as it is looked for here"
    named = ", ".join(f'"{suite}"' for suite in suites)
    manifest = manifest.replace(
        "let package = ",
        f"targets.removeAll {{ $0.type == .test && ![{named}].contains($0.name) }}\nlet package = ",
    )
    write(tree / "Package.swift", manifest)
    write(tree / "Sources/MutantSwitch/include/MutantSwitch.h", HEADER)
    write(tree / "Sources/MutantSwitch/MutantSwitch.c", SWITCH)


def plant(root, tree, mutants):
    """Writes the storage layer with all mutants but the dropped ones. Lines keep their numbers."""
    of_file = {}
    for number, mutation in enumerate(mutants):
        if mutation:
            of_file.setdefault(mutation.file, []).append((number, mutation))
    gone = [file for file in UNLOCKED if not (root / STORAGE / file).exists()]
    assert not gone, f"there is no {gone[0]} in {STORAGE}"
    for path in (root / STORAGE).rglob("*.swift"):
        file = str(path.relative_to(root / STORAGE))
        lines = path.read_text().split("\n")
        for number, mutation in of_file.get(file, ()):
            lines[mutation.line - 1] = mutation.after.replace("mutant(#)", f"mutant({number})")
        text = "\n".join(lines)
        if file in of_file:
            text = "internal import MutantSwitch; " + text
        if file in UNLOCKED:
            before, added = UNLOCKED[file]
            assert before in text, file
            text = text.replace(before, added + before, 1)
        write(tree / STORAGE / file, text)


def build(root, work, mutants, suites, sanitizer, is_built, say):
    """Builds, dropping what does not compile. Returns the test program."""
    tree, scratch = work / "tree", work / "build"
    # What did not compile before is not tried again.
    known = work / "not-compiled"
    refused = set(known.read_text().splitlines()) if known.exists() else set()
    for number, mutation in enumerate(mutants):
        if mutation and f"{mutation.file} {mutation.after}" in refused:
            mutants[number] = None
    program = scratch / "debug/FreeholdPackageTests.xctest"
    if is_built:
        return program
    copy(root, tree, suites)
    environment = dict(
        os.environ, FREEHOLD_TESTS="storage" if suites == ["FreeholdStorageTests"] else "all"
    )
    for step in (["--target", "FreeholdStorage"], ["--build-tests"]):
        while True:
            plant(root, tree, mutants)
            log = subprocess.run(
                [
                    "nice",
                    "swift",
                    "build",
                    "--package-path",
                    str(tree),
                    "--scratch-path",
                    str(scratch),
                    *step,
                    *([f"--sanitize={sanitizer}"] if sanitizer else []),
                ],
                env=environment,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            (work / "build.log").write_text(log.stdout)
            if log.returncode == 0:
                break
            wrong = {
                (m.group(1), int(m.group(2)))
                for m in re.finditer(r"FreeholdStorage/(\S+?\.swift):(\d+):\d+: error", log.stdout)
            }
            dropped = [
                n
                for n, m in enumerate(mutants)
                if m and any(m.file == f and abs(m.line - l) <= 1 for f, l in wrong)
            ]
            exact = [
                n for n in dropped if any((mutants[n].file, mutants[n].line) == w for w in wrong)
            ]
            # An error may be said of the end of a function that lost its way out: then the last
            # mutant in front of it goes.
            for file, line in wrong - {(mutants[n].file, mutants[n].line) for n in exact}:
                earlier = [
                    n for n, m in enumerate(mutants) if m and m.file == file and m.line <= line
                ]
                exact += earlier[-1:]
            if not exact:
                raise SystemExit(f"mutants: the build fails, see {work / 'build.log'}")
            for number in exact:
                if mutants[number]:
                    refused.add(f"{mutants[number].file} {mutants[number].after}")
                mutants[number] = None
            known.write_text("".join(f"{line}\n" for line in sorted(refused)))
            say(f"{len(set(exact))} do not compile, building again")
    return program
