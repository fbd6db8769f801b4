#!/usr/bin/env python3
"""Runs the commands that the documentation shows, and follows its links.

usage: run_examples.py [--update] [PAGE.md ...]     exit status 1 if something does not hold

In blocks of ```console, a line that begins with `$ ` is a command, continued where it ends with a backslash, and the
lines up to the next command are what it prints to the standard output. A line `...` stands for any lines, `...` inside a
line for anything there. Shares, and numbers with a decimal point or a comma, may differ by 2%, or by 0.02, because
processors round differently; by 15% after a command that trains. Without a line of output, a command only has to succeed.
All commands of a page run one after the other in one new folder, with a copy of samples/ in it; those that end with ` &`
run until the end of the page. The server gets a free port. Where there is no curl, a page ends before the first command
that calls it.

--update writes what commands print into the pages. Where the old output ends with `...`, it keeps its number of lines;
an output of `@@` or `@@N` stands for all lines, or the first N.

In blocks of ```python, lines that begin with `>>>` are run as doctest runs them, where the module has been built.

Links of all pages must lead to files and headings that exist, and so must the pages that sources and `--help` name.

COPSE_BINARY is the program; COPSE_PYTHON the folder of the Python package.
"""

import concurrent.futures
import doctest
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'samples/README.md', 'models/README.md', 'docs/*.md',
         'docs/notes/*.md']
SOURCES = ['src', 'app', 'include', 'python', 'tests', 'bench', 'cmake', 'run', 'web', 'samples']
LONGEST_README = 150
SECONDS = 120
TOLERANCE = 0.02
# A tree of a toy treebank more or less is much.
TOLERANCE_AFTER_TRAINING = 0.15
TRAINING = re.compile(r'\bcopse (train|pretrain|vectors)\b|--train\b')
FENCE = re.compile(r'^```(\w*)\n(.*?)^```$', re.M | re.S)
NUMBER = re.compile(r'-?\d[\d,]*\.\d+(?:[eE][-+]?\d+)?|\d+%|\d{1,3}(?:,\d{3})+')
CODE = re.compile(r'(`+)(?!`).+?(?<!`)\1(?!`)', re.S)
LINK = re.compile(r'\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)')
PAGE_NAME = re.compile(r'\b((?:docs|samples|models)/[\w/-]+\.md)\b')


class Failure(Exception):
    pass


def number(text):
    return float(text.rstrip('%').replace(',', '')) / (100 if text.endswith('%') else 1)


def same_line(expected, printed, tolerance):
    """Whether a line is as it was expected to be, but for `...` and numbers within the tolerance."""
    if expected == printed:
        return True
    pattern = ''
    position = 0
    expected_numbers = []
    for match in re.finditer(r'\.\.\.|' + NUMBER.pattern, expected):
        pattern += re.escape(expected[position:match.start()])
        if match.group() == '...':
            pattern += '.*?'
        else:
            pattern += '(' + NUMBER.pattern + ')'
            expected_numbers.append(number(match.group()))
        position = match.end()
    pattern += re.escape(expected[position:])
    # Columns are padded: where a number has another width, so have the blanks beside it.
    pattern = re.sub(r'(?:\\ )+', r'\\ +', pattern)
    found = re.fullmatch(pattern, printed)
    return found is not None and all(abs(number(text) - value) <= max(0.02, tolerance * abs(value))
                                     for text, value in zip(found.groups(), expected_numbers))


def same_output(expected, printed, tolerance):
    """Compares lists of lines; the expected line `...` stands for any number of lines."""
    if not expected:
        return not printed
    if expected[0] == '...':
        return any(same_output(expected[1:], printed[skipped:], tolerance) for skipped in range(len(printed) + 1))
    return (bool(printed) and same_line(expected[0], printed[0], tolerance) and
            same_output(expected[1:], printed[1:], tolerance))


def examples(text):
    """Commands with the lines that they print, and the number of the line after the command."""
    for block in FENCE.finditer(text):
        if block.group(1) != 'console':
            continue
        first_line = text.count('\n', 0, block.start()) + 2
        found = []
        is_continued = False
        for number_of_line, line in enumerate(block.group(2).splitlines(), first_line):
            if is_continued or line.startswith('$ '):
                if is_continued:
                    found[-1][0] += '\n' + line
                else:
                    found.append([line[2:], [], 0])
                found[-1][2] = number_of_line + 1
                is_continued = line.endswith('\\')
            elif not found:
                raise Failure(f'line {number_of_line}: output without a command')
            else:
                found[-1][1].append(line)
        yield from found


def new_output(expected, printed):
    """The lines to show instead of the expected ones."""
    if expected[0].startswith('@@'):
        kept = int(expected[0][2:] or len(printed))
    elif expected[-1] == '...':
        kept = len(expected) - 1
    else:
        kept = len(printed)
    return printed[:kept] + (['...'] if kept < len(printed) else [])


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return str(listener.getsockname()[1])


class Page:
    """Runs the commands of one page."""

    def __init__(self, path, folder, updates):
        self.path = path
        self.updates = updates
        self.folder = folder
        self.port = free_port()
        self.servers = []
        shutil.copytree(ROOT / 'samples', folder / 'samples')
        programs = folder / '.bin'
        programs.mkdir()
        (programs / 'copse').symlink_to(pathlib.Path(os.environ['COPSE_BINARY']).resolve())
        self.environment = {**os.environ, 'PATH': f'{programs}:{os.environ["PATH"]}', 'COPSE_MODELS': str(ROOT / 'models'),
                            'PYTHONPATH': os.environ.get('COPSE_PYTHON', ''), 'LC_ALL': 'C.UTF-8', 'COLUMNS': '100'}

    def with_port(self, text):
        return re.sub(r'(127\.0\.0\.1|localhost):8001', rf'\1:{self.port}',
                      re.sub(r'\bcopse serve\b', f'copse serve --port {self.port}', text))

    def run(self):
        """Messages about what does not hold. With `updates`, the page is written anew."""
        text = self.path.read_text(encoding='utf-8')
        lines = text.split('\n')
        tolerance = TOLERANCE
        messages, changes = [], []
        try:
            for command, expected, place in examples(text):
                if 'curl ' in command and not shutil.which('curl'):
                    break
                printed, message = self.run_command(self.with_port(command))
                shown = [self.with_port(line) for line in expected]
                if TRAINING.search(command):
                    tolerance = TOLERANCE_AFTER_TRAINING
                if printed is not None and expected and not same_output(shown, printed, tolerance):
                    if self.updates:
                        changes.append((place, expected, new_output(expected, printed)))
                        continue
                    message = '  was to print:\n{}\n  printed:\n{}'.format('\n'.join(expected), '\n'.join(printed))
                if message is not None:
                    messages.append(f'{self.path.relative_to(ROOT)}:{place}: {command}\n{message}')
                    break
        except Failure as failure:
            messages.append(f'{self.path.relative_to(ROOT)}: {failure}')
        finally:
            for server in self.servers:
                os.killpg(server.pid, signal.SIGTERM)
                server.wait()
        for place, expected, shown in reversed(changes):
            lines[place - 1:place - 1 + len(expected)] = [line.replace(f':{self.port}', ':8001') for line in shown]
        if changes:
            self.path.write_text('\n'.join(lines), encoding='utf-8')
        return messages

    def run_command(self, command):
        """What it prints, if that matters, and what is wrong."""
        background = re.fullmatch(r'(.*\S) &(?: +#.*)?', command)
        if background:
            self.servers.append(subprocess.Popen(['bash', '-c', f'exec {background.group(1)}'], cwd=self.folder,
                                                 env=self.environment, stdout=subprocess.DEVNULL,
                                                 stderr=subprocess.DEVNULL, start_new_session=True))
            return None, self.wait_for_server()
        try:
            process = subprocess.run(['bash', '-c', command], cwd=self.folder, env=self.environment,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return None, f'  has not ended after {SECONDS} s'
        printed = process.stdout.decode('utf-8', 'replace')
        if process.returncode != 0:
            errors = process.stderr.decode('utf-8', 'replace')
            return None, f'  ended with status {process.returncode}:\n{printed}{errors}'
        return [line.rstrip() for line in printed.splitlines()], None

    def wait_for_server(self):
        for _ in range(300):
            try:
                urllib.request.urlopen(f'http://127.0.0.1:{self.port}/healthz', timeout=5).read()
                return None
            except OSError:
                time.sleep(0.1)
        return '  does not answer'


def run_page(path, updates):
    with tempfile.TemporaryDirectory(prefix='copse-docs-') as folder:
        return Page(path, pathlib.Path(folder), updates).run()


def run_python(path):
    """The examples of Python in a page."""
    package = os.environ.get('COPSE_PYTHON', '')
    blocks = [block for block in FENCE.finditer(path.read_text(encoding='utf-8'))
              if block.group(1) == 'python' and '>>>' in block.group(2)]
    if not blocks or not package or not importlib.util.find_spec('numpy'):
        return []
    if not list(pathlib.Path(package).glob(f'copse/_copse*{sysconfig.get_config_var("EXT_SUFFIX")}')):
        return []
    if package not in sys.path:
        sys.path.insert(0, package)
    os.environ['COPSE_MODELS'] = str(ROOT / 'models')
    text = '\n'.join(block.group(2) for block in blocks)
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    messages = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=messages.append)
    return [f'{path.relative_to(ROOT)}: an example of Python\n{"".join(messages)}'] if messages else []


def anchors(path):
    """What headings are called in addresses, as GitHub calls them."""
    found: set[str] = set()
    for heading in re.findall(r'^#+ +(.+?)\s*$', FENCE.sub('', path.read_text(encoding='utf-8')), re.M):
        text = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading).lower()
        name = re.sub(r'[^\w\- ]', '', text).replace(' ', '-')
        count = sum(1 for other in found if re.fullmatch(re.escape(name) + r'(-\d+)?', other))
        found.add(f'{name}-{count}' if name in found else name)
    return found


def check_links(path):
    messages = []
    text = CODE.sub('', FENCE.sub('', path.read_text(encoding='utf-8')))
    for target in LINK.findall(text):
        if re.match(r'[a-z]+:', target):
            continue
        file, _, anchor = target.partition('#')
        linked = (path.parent / file).resolve() if file else path
        if not linked.exists():
            messages.append(f'{path.relative_to(ROOT)}: there is no {target}')
        elif anchor and linked.suffix == '.md' and anchor not in anchors(linked):
            messages.append(f'{path.relative_to(ROOT)}: {target}: there is no such heading')
    return messages


def check_mentions():
    """Pages that sources and the help of the program name."""
    files = subprocess.run(['git', 'ls-files', '-z', '--', *SOURCES], cwd=ROOT, stdout=subprocess.PIPE, check=False).stdout
    messages = []
    for name in sorted(filter(None, files.decode().split('\0'))):
        try:
            text = (ROOT / name).read_text(encoding='utf-8')
        except (UnicodeDecodeError, OSError):
            continue
        messages += [f'{name}: there is no {page}' for page in sorted(set(PAGE_NAME.findall(text)))
                     if not (ROOT / page).exists()]
    return messages


def main():
    if 'COPSE_BINARY' not in os.environ:
        sys.exit('COPSE_BINARY does not say which program to run')
    every_page = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    updates = '--update' in sys.argv[1:]
    pages = [pathlib.Path(name).resolve() for name in sys.argv[1:] if name != '--update'] or every_page
    messages = [message for path in pages for message in check_links(path)]
    if pages == every_page:
        messages += check_mentions()
    lines = len((ROOT / 'README.md').read_text(encoding='utf-8').splitlines())
    if lines > LONGEST_README:
        messages.append(f'README.md has {lines} lines; it is to have {LONGEST_README} at most')
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        for found in pool.map(lambda path: run_page(path, updates), pages):
            messages += found
    for path in pages:
        if path.name != 'python.md':  # which is tested with the module
            messages += run_python(path)
    for message in messages:
        print(message, file=sys.stderr)
    if messages:
        return 1
    commands = sum(len(list(examples(path.read_text(encoding='utf-8')))) for path in pages)
    print(f'{len(pages)} pages, {commands} commands')
    return 0


if __name__ == '__main__':
    sys.exit(main())
