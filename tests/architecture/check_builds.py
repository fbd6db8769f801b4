#!/usr/bin/env python3
"""Checks tests/builds.txt, the list of which test runs in which build.

usage: check_builds.py [ROOT]     exit status 1 if something is wrong

- Every test has a rule, and every rule decides about at least one of them and says why. Tests are tests/**/*_test.cc,
  and scripts: what can be started by itself, and what pytest or npm collect.
- A test runs in the optimised build or under the address sanitizer, or a command of ./run starts it; *_threads_test.cc
  under the thread sanitizer, too. Scripts stand in scripts.cmake.
- What ships is tested as it ships: the program, and rooms with code that is compiled for each instruction set. The
  optimised build is that of the compiler that packages are made with, without sanitizers, for all instruction sets.
- What replaces operator new is a program of its own.
"""

import json
import pathlib
import re
import sys

LIST = 'tests/builds.txt'
SCRIPTS = 'tests/scripts.cmake'
PRESETS = 'CMakePresets.json'
BUILDS = {'release', 'asan', 'tsan', 'alone', 'run'}
# What changes the compiler, adds a sanitizer or leaves instruction sets out.
NOT_AS_IT_SHIPS = re.compile(r'CMAKE_CXX_COMPILER|COPSE_SANITIZE|HWY_|-march|-fsanitize')
RULE = re.compile(r'(\S+) ([a-z]+(?: [a-z]+)*) # (\S.*)')


def read_rules(text):
    """Triples of line number, compiled pattern and set of builds; and messages."""
    rules, messages = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith('#'):
            continue
        match = RULE.fullmatch(line)
        if not match:
            messages.append(f'{LIST}:{number}: is not FILES BUILDS # WHY')
            continue
        builds = set(match.group(2).split())
        for unknown in sorted(builds - BUILDS):
            messages.append(f'{LIST}:{number}: there is no build {unknown}')
        rules.append((number, re.compile(match.group(1)), builds))
    return rules, messages


def rooms_by_instruction_set(root):
    """Rooms with code that is compiled several times: for AVX-512, AVX2 and older processors."""
    return {path.parent.name for path in (root / 'src').rglob('*.cc') if 'HWY_TARGET_INCLUDE' in path.read_text(encoding='utf-8')}


def is_script(path):
    """Whether a file is a test that something starts; others are parts of tests."""
    if path.suffix == '.py':
        return path.name.startswith('test_') or "__name__ == '__main__'" in path.read_text(encoding='utf-8').replace('"', "'")
    return path.suffix == '.sh' or path.name.endswith('_test.mjs')


def tests(root):
    folder = root / 'tests'
    files = (path for path in folder.rglob('*') if path.is_file() and 'node_modules' not in path.parts)
    return sorted(path for path in files if path.name.endswith('_test.cc') or is_script(path))


def is_started(file, scripts):
    """Whether scripts.cmake has a script, by its name or, of tests that pytest collects, by its folder."""
    folder, name = file.rsplit('/', 1)
    wanted = f'/{folder})' if name.startswith('test_') else name.removesuffix('.py')
    return re.search(rf'{re.escape(wanted)}(?!\w)', scripts) is not None


def check_release(root):
    """Messages about settings of the optimised build that do not ship."""
    presets = {preset['name']: preset for preset in json.loads((root / PRESETS).read_text(encoding='utf-8'))['configurePresets']}
    name = 'release'
    while name is not None:
        for key, value in presets[name].get('cacheVariables', {}).items():
            if NOT_AS_IT_SHIPS.search(f'{key}={value}'):
                yield f'{PRESETS}: {name} has {key}, which is not how the program ships'
        name = presets[name].get('inherits')


def check(root):
    rules, messages = read_rules((root / LIST).read_text(encoding='utf-8'))
    shipped = rooms_by_instruction_set(root) | {'app'}
    scripts = (root / SCRIPTS).read_text(encoding='utf-8')
    messages += check_release(root)
    used = set()
    for path in tests(root):
        file = path.relative_to(root / 'tests').as_posix()
        rule = next((rule for rule in rules if rule[1].fullmatch(file)), None)
        if rule is None:
            messages.append(f'{LIST}: has no rule for {file}')
            continue
        number, _, builds = rule
        used.add(number)
        place = f'{LIST}:{number}: {file}'
        if not builds & {'release', 'asan', 'run'}:
            messages.append(f'{place} runs neither in the build release nor in asan')
        if path.suffix != '.cc' and 'run' not in builds and not is_started(file, scripts):
            messages.append(f'{place} is not in {SCRIPTS}')
        if path.suffix == '.cc' and file.split('/')[0] in shipped and 'release' not in builds:
            messages.append(f'{place} is about what ships, and does not run in the build release')
        if file.endswith('_threads_test.cc') and 'tsan' not in builds:
            messages.append(f'{place} is about threads, and does not run in the build tsan')
        if path.suffix == '.cc' and 'counted_allocations.h' in path.read_text(encoding='utf-8') and 'alone' not in builds:
            messages.append(f'{place} replaces operator new, and is not alone')
    for number, pattern, _ in rules:
        if number not in used:
            messages.append(f'{LIST}:{number}: decides about no test: {pattern.pattern}')
    return messages


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')
    messages = check(root)
    for message in messages:
        print(message)
    sys.exit(1 if messages else 0)


if __name__ == '__main__':
    main()
