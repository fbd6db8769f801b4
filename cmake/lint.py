#!/usr/bin/env python3
"""clang-tidy over sources, several at a time; files that it has passed are left out until they, a header of ours
that they include, or the checks change.

usage: lint.py BUILD_FOLDER FILE ...     BUILD_FOLDER has the compile_commands.json; exit status 1 if any file fails
"""

import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
ROOTS = ('src', 'include', 'tests')


def with_includes(path, found):
    """The file and all of ours that it includes."""
    if path in found:
        return
    found[path] = path.read_bytes()
    for name in INCLUDE.findall(found[path]):
        for folder in (path.parent, *map(pathlib.Path, ROOTS)):
            if (folder / name.decode()).is_file():
                with_includes(folder / name.decode(), found)
                break


def fingerprint(path):
    files = {}
    with_includes(path, files)
    digest = hashlib.sha256(pathlib.Path('.clang-tidy').read_bytes())
    for name in sorted(files):
        digest.update(f'{name} {len(files[name])}\n'.encode() + files[name])
    return digest.hexdigest()


def check(build, path):
    """What clang-tidy says; nothing if all is well."""
    stamp = pathlib.Path(build, 'lint', f'{path}.passed')
    mark = fingerprint(path)
    if stamp.is_file() and stamp.read_text() == mark:
        return None
    run = subprocess.run(['clang-tidy', '-p', build, '--quiet', '--extra-arg=-Wno-unknown-warning-option', str(path)],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return run.stdout + run.stderr
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(mark)
    return None


def main():
    build, *names = sys.argv[1:]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for message in pool.map(lambda name: check(build, pathlib.Path(name)), names):
            if message is not None:
                failed += 1
                print(message, flush=True)
    print(f'{len(names)} files, {failed} with complaints')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
