"""usage: update.py NEW OLD. Makes a folder equal to another, and touches only the files that
differ."""

import filecmp
import pathlib
import shutil
import sys

new, old = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
wanted = {path.relative_to(new) for path in new.rglob('*')}
for path in sorted(old.rglob('*'), reverse=True):
    if path.relative_to(old) not in wanted:
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
for name in sorted(wanted):
    if (new / name).is_dir():
        (old / name).mkdir(exist_ok=True)
    elif not (old / name).exists() or not filecmp.cmp(new / name, old / name, shallow=False):
        # Not its times: the build goes by them.
        shutil.copy(new / name, old / name)
