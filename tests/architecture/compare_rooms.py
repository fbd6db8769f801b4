#!/usr/bin/env python3
"""Compares the table of rooms in docs/architecture.md with what the sources include.

usage: compare_rooms.py [--table] [ROOT]     exit status 1 if they differ

A room is a folder of src/, or app or python. The table has a row for each, in an order in which every room
comes after those that it knows:

    | room | what it does | knows | shares |

`knows` are exactly the rooms whose headers it includes; `shares` are exactly those of its headers in
src/<room> that other rooms include, without .h: all others are private. Headers in include/copse/<room> are the
installed part of that room, and any room that knows it may include them; those that lie in include/copse itself
belong to the room whose `shares` say so (`copse/NAME`). copse/error.h belongs to all.

What is wrong is printed with the rows to write instead. --table prints the whole table as the sources have it.
"""

import collections
import pathlib
import re
import sys

DOCUMENT = 'docs/architecture.md'
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
FOR_ALL = 'copse/error.h'
NONE = '–'
SOURCES = ('.h', '.cc', '.inc', '.cu', '.cuh')
# What programs that use the library would have to have, or what is of one machine.
FOREIGN = re.compile(r'__int128|\b_mm\d*_|__m(128|256|512)')


class Include:
    def __init__(self, file, line, header):
        self.place = f'{file}:{line}'
        self.header = header


class Row:
    def __init__(self, line, cells):
        self.line = line  # 0: not in the table
        self.what = cells[1]
        self.knows = set(re.findall(r'`([^`]+)`', cells[2]))
        self.shares = set(re.findall(r'`([^`]+)`', cells[3]))


def includes(path, root):
    text = path.read_text(encoding='utf-8')
    for match in INCLUDE.finditer(text):
        yield match.group(1) == '"', Include(path.relative_to(root), text.count('\n', 0, match.start()) + 1,
                                             match.group(2))


def read_table(root):
    """Rows by name of the room, in order."""
    rows = {}
    columns = None
    for number, line in enumerate((root / DOCUMENT).read_text(encoding='utf-8').splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
        if cells == ['room', 'what it does', 'knows', 'shares']:
            columns = cells
        elif columns and not line.startswith('|'):
            break
        elif columns and not set(line) <= set('|- '):
            rows[cells[0].strip('`')] = Row(number, cells)
    if not rows:
        sys.exit(f'{DOCUMENT}: has no table that begins with | room | what it does | knows | shares |')
    return rows


class Sources:
    """Who includes whose headers."""

    def __init__(self, root, rows):
        self.root = root
        self.errors = []
        self.edges = collections.defaultdict(lambda: collections.defaultdict(list))  # by room and known room
        self.shared = collections.defaultdict(set)
        self.owners = {name: room for room, row in rows.items() for name in row.shares if name.startswith('copse/')}
        self.rooms = sorted(path.name for path in (root / 'src').iterdir() if path.is_dir())
        self.rooms += [room for room in ('app', 'python') if (root / room).is_dir()]
        for room in self.rooms:
            folder = root / room if room in ('app', 'python') else root / 'src' / room
            self.read_room(room, folder)
        self.read_installed()
        # Looking something up must not add it.
        for room in self.rooms:
            self.edges[room].default_factory = None
        self.edges.default_factory = None

    @staticmethod
    def files(folder):
        return sorted(path for path in folder.rglob('*') if path.suffix in SOURCES)

    def owner(self, header):
        """The room of an installed header."""
        name = header.removesuffix('.h')
        return self.owners[name] if name in self.owners else header.split('/')[1] if header.count('/') > 1 else None

    def read_room(self, room, folder):
        for path in self.files(folder):
            for is_quoted, include in includes(path, self.root):
                header = include.header
                if header == FOR_ALL:
                    continue
                if header.startswith('copse/'):
                    owner = self.owner(header)
                    if owner is None:
                        continue  # said in read_installed()
                elif not is_quoted or (folder / header).is_file():
                    continue
                elif (self.root / 'src' / header).is_file():
                    owner = header.split('/')[0]
                else:
                    self.errors.append(f'{include.place}: there is no {header} in src, include or {folder.name}')
                    continue
                if owner != room:
                    self.edges[room][owner].append(include)
                    if not header.startswith('copse/'):
                        self.shared[owner].add(header.split('/', 1)[1].removesuffix('.h'))

    def read_installed(self):
        """Programs that use the library must be able to compile its headers."""
        folder = self.root / 'include' / 'copse'
        for path in self.files(folder):
            name = 'copse/' + str(path.relative_to(folder)).removesuffix('.h')
            place = path.relative_to(self.root)
            if name + '.h' != FOR_ALL and self.owner(name + '.h') is None:
                self.errors.append(f'{place}: belongs to no room; write `{name}` into the column `shares` of its room')
            elif name in self.owners:
                self.shared[self.owners[name]].add(name)
            for is_quoted, include in includes(path, self.root):
                is_standard = not is_quoted and re.fullmatch(r'[a-z_0-9]+', include.header)
                if not is_standard and not include.header.startswith('copse/'):
                    self.errors.append(f'{include.place}: includes {include.header}; installed headers include only '
                                       'each other and the standard library')
                elif include.header.startswith('copse/') and include.header != FOR_ALL:
                    room, owner = self.owner(name + '.h'), self.owner(include.header)
                    if room in self.rooms and owner and room != owner:
                        self.edges[room][owner].append(include)
            for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
                if FOREIGN.search(line):
                    self.errors.append(f'{place}:{number}: {FOREIGN.search(line).group()} is not for installed headers')

    def cycle(self):
        """Rooms that know each other, in a circle; or nothing."""
        state = {}

        def visit(room, path):
            state[room] = 'open'
            for other in sorted(self.edges[room]):
                if state.get(other) == 'open':
                    return path[path.index(other):] + [other]
                found = visit(other, path + [other]) if other not in state else None
                if found:
                    return found
            state[room] = 'done'
            return None

        for room in self.rooms:
            found = visit(room, [room]) if room not in state else None
            if found:
                return found
        return None


def row_text(room, what, knows, shares):
    def names(values):
        return ', '.join(f'`{value}`' for value in values) or NONE
    return f'| `{room}` | {what} | {names(knows)} | {names(sorted(shares))} |'


def in_order(sources, rows):
    """The rooms as the table has them, but none before one that it knows."""
    order = [room for room in rows if room in sources.rooms]
    order += [room for room in sources.rooms if room not in rows]
    done = []

    def place(room, around=()):
        if room in done or room in around:
            return
        for other in order:
            if other in sources.edges[room]:
                place(other, around + (room,))
        done.append(room)

    for room in order:
        place(room)
    return done


def compare(root):
    """The lines to print, and the rows that the table should have."""
    rows = read_table(root)
    sources = Sources(root, rows)
    messages = list(sources.errors)
    circle = sources.cycle()
    if circle:
        messages.append('rooms know each other in a circle: ' + ' → '.join(circle))
        for room, other in zip(circle, circle[1:]):
            messages += [f'  {include.place}: includes {include.header}' for include in sources.edges[room][other]]
    order = in_order(sources, rows)
    table = {}
    for room in order:
        row = rows.get(room)
        knows = [other for other in order if other in sources.edges[room]]
        text = row_text(room, row.what if row else 'WHAT IT DOES', knows, sources.shared[room])
        table[room] = text
        if row is None:
            messages.append(f'{DOCUMENT}: the room {room} is missing; add\n{text}')
            continue
        problems = []
        for other in sorted(set(knows) - row.knows):
            where = ', '.join(f'{include.place} ({include.header})' for include in sources.edges[room][other][:3])
            problems.append(f'{room} knows {other}, which is not declared: {where}')
        problems += [f'{room} does not know {other}, but is declared to' for other in sorted(row.knows - set(knows))]
        for header in sorted(sources.shared[room] - row.shares):
            places = [f'{include.place} ({other})' for other in order
                      for include in sources.edges[other].get(room, ()) if include.header == f'{room}/{header}.h']
            problems.append(f'{room}/{header}.h is private, but included by {", ".join(places[:3])}')
        problems += [f'no other room includes {room}/{header}.h, but it is declared to be shared'
                     for header in sorted(row.shares - sources.shared[room])]
        if problems:
            messages.append(f'{DOCUMENT}:{row.line}: ' + '; '.join(problems) + f'; if this is right, write\n{text}')
    for room, row in rows.items():
        if room not in sources.rooms:
            messages.append(f'{DOCUMENT}:{row.line}: there is no room {room}; remove the row')
    present = [room for room in rows if room in sources.rooms]
    expected = [room for room in order if room in rows]
    if not circle and expected != present:
        late = next(room for room, other in zip(expected, present) if room != other)
        messages.append(f'{DOCUMENT}:{rows[late].line}: {late} is known by a room above it; move its row up, or see '
                        'the order that --table prints')
    return messages, table


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != '--table']
    root = pathlib.Path(arguments[0] if arguments else '.').resolve()
    messages, table = compare(root)
    if '--table' in sys.argv:
        print('| room | what it does | knows | shares |\n| --- | --- | --- | --- |')
        print('\n'.join(table.values()))
        return 0
    print('\n'.join(messages) or f'{DOCUMENT} has all {len(table)} rooms as they are')
    return 1 if messages else 0


if __name__ == '__main__':
    sys.exit(main())
