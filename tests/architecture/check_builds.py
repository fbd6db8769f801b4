#!/usr/bin/env python3
"""Checks tests/builds.txt, the list of which test runs in which build.

usage: check_builds.py [ROOT]     exit status 1 if something is wrong

- Every tests/**/*_test.cc has a rule, and every rule decides about at least one of them and says why.
- A test runs in the optimised build or under the address sanitizer; *_threads_test.cc under the thread sanitizer, too.
- What ships is tested as it ships: the program, and rooms with code that is compiled for each instruction set.
- What replaces operator new is a program of its own.
"""

import pathlib
import re
import sys

LIST = 'tests/builds.txt'
BUILDS = {'release', 'asan', 'tsan', 'alone'}
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


def check(root):
    rules, messages = read_rules((root / LIST).read_text(encoding='utf-8'))
    shipped = rooms_by_instruction_set(root) | {'app'}
    used = set()
    for path in sorted((root / 'tests').rglob('*_test.cc')):
        file = path.relative_to(root / 'tests').as_posix()
        rule = next((rule for rule in rules if rule[1].fullmatch(file)), None)
        if rule is None:
            messages.append(f'{LIST}: has no rule for {file}')
            continue
        number, _, builds = rule
        used.add(number)
        place = f'{LIST}:{number}: {file}'
        if not builds & {'release', 'asan'}:
            messages.append(f'{place} runs neither in the build release nor in asan')
        if file.split('/')[0] in shipped and 'release' not in builds:
            messages.append(f'{place} is about what ships, and does not run in the build release')
        if file.endswith('_threads_test.cc') and 'tsan' not in builds:
            messages.append(f'{place} is about threads, and does not run in the build tsan')
        if 'counted_allocations.h' in path.read_text(encoding='utf-8') and 'alone' not in builds:
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
