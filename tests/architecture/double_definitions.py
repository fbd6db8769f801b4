#!/usr/bin/env python3
"""Names that are defined in two files of one namespace: they break C++'s one-definition rule without a word
from compiler or linker, which then take one of the two for both.

usage: double_definitions.py FOLDER ...      exit status 1 if there are any

Looks at types, functions, inline variables, aliases and concepts at namespace scope, outside anonymous
namespaces, in all *.h, *.cc and *.inc files. It reads tokens, not C++, and needs no build: overloads are told
apart by the text of their parameters' types.
"""

import collections
import pathlib
import re
import sys

TOKEN = re.compile(r'[A-Za-z_]\w*|::|->|\d[\w.\']*|[^\s\w]')
NOT_CODE = re.compile(
    r'''//[^\n]*|/\*.*?\*/                              # comments
      | R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"    # raw strings
      | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+' (?!\w)  # strings and characters
    ''', re.S | re.X)
PREPROCESSOR = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
TYPE_WORDS = {'class', 'struct', 'union', 'enum'}
BUILT_IN = {'int', 'double', 'float', 'char', 'bool', 'long', 'short', 'unsigned', 'signed', 'auto', 'void', 'const'}
CLOSING = {'(': ')', '[': ']', '{': '}'}


def tokens_of(text):
    """Pairs of token and line."""
    def blank(match):
        return '\n' * match.group().count('\n') or ' '

    def blank_literal(match):
        return blank(match) if match.group()[0] == '/' else '0' + '\n' * match.group().count('\n')
    text = PREPROCESSOR.sub(blank, NOT_CODE.sub(blank_literal, text))
    line = 1
    last = 0
    for match in TOKEN.finditer(text):
        line += text.count('\n', last, match.start())
        last = match.start()
        yield match.group(), line


def skip_brackets(tokens, k):
    """The place behind the bracket that closes the one at k."""
    depth = 0
    while k < len(tokens):
        if tokens[k][0] in CLOSING:
            depth += 1
        elif tokens[k][0] in CLOSING.values():
            depth -= 1
            if depth == 0:
                return k + 1
        k += 1
    return k


def without_template(head):
    """Without `template <...>` and `requires` before a declaration."""
    while head[:2] == ['template', '<']:
        depth = 0
        for k, token in enumerate(head):
            depth += (token == '<') - (token == '>')
            if token == '>' and depth == 0:
                head = head[k + 1:]
                break
        else:
            return []
    return head


def type_name(head):
    """Of `struct alignas(8) Name final : Base`: Name, or A::Name."""
    k = next(k for k, token in enumerate(head) if token in TYPE_WORDS) + 1
    if k < len(head) and head[k] in TYPE_WORDS:
        k += 1
    name = ''
    depth = 0
    for token in head[k:]:
        if token in '([':
            depth += 1
        elif token in ')]':
            depth -= 1
        elif depth > 0 or token == 'alignas':
            continue
        elif token == '::' or token[0].isalpha() or token[0] == '_':
            if name and token != '::' and not name.endswith('::'):
                break  # final, or a macro
            name += token
        else:
            if token == '<':
                name += ' ' + ' '.join(head[head.index('<'):])  # a specialisation is a type of its own
            break
    return name


def is_type_definition(head):
    before = head[:next((k for k, token in enumerate(head) if token in TYPE_WORDS), 0)]
    return any(token in TYPE_WORDS for token in head) and '(' not in before and '=' not in head


def ends_in_body(head):
    """Whether braces behind it are the body of a function: operators may have a = in their name."""
    return 'operator' in head or ('(' in head and '=' not in head[:head.index('(')])


def parameter_types(tokens):
    """The types of parameters, as text: without names and default values."""
    types, current, depth = [], [], 0
    for token in tokens + [',']:
        depth += (token in '(<[{') - (token in ')>]}')
        if token == ',' and depth == 0:
            if '=' in current:
                current = current[:current.index('=')]
            is_named = len(current) > 1 and re.match(r'[A-Za-z_]', current[-1]) and current[-1] not in BUILT_IN \
                and current[-2] != '::' and current[:-1] != ['const']
            types.append(' '.join(current[:-1] if is_named else current))
            current = []
        else:
            current.append(token)
    return ', '.join(types)


def function_name(head):
    """name(types of parameters), or nothing if it is a member's or no function."""
    depth = 0
    for k, token in enumerate(head):
        depth += (token == '<') - (token == '>')
        if token == 'operator':
            return None  # of types, each of which is defined once
        if token == '(' and depth <= 0 and k > 0 and re.match(r'[A-Za-z_]', head[k - 1]):
            if head[k - 1] in ('alignas', 'decltype', 'noexcept', 'requires', 'explicit', '__attribute__'):
                continue
            if k > 1 and head[k - 2] == '::':
                return None
            end, level = k, 0
            for end in range(k, len(head)):
                level += (head[end] == '(') - (head[end] == ')')
                if level == 0:
                    break
            return f'{head[k - 1]}({parameter_types(head[k + 1:end])})'
    return None


def definitions(text):
    """Triples of kind, qualified name and line."""
    tokens = list(tokens_of(text))
    spaces = []  # the namespaces around; None for anonymous ones
    head = []
    first_line = 0
    k = 0

    def qualified(name):
        return '::'.join(space for space in spaces if space) + '::' + name

    is_hidden = lambda: None in spaces
    while k < len(tokens):
        token, line = tokens[k]
        if not head:
            first_line = line
        if token == '}':
            if spaces:
                spaces.pop()
            head = []
            k += 1
        elif token == ';':
            body = without_template(head)
            if not is_hidden() and 'using' in body[:1] and '=' in body:
                yield 'alias', qualified(body[1]), first_line, ' '.join(body[3:])
            elif not is_hidden() and 'concept' in body[:1]:
                yield 'concept', qualified(body[1]), first_line, ''
            elif not is_hidden() and 'inline' in body and '(' not in body[:body.index('=') if '=' in body else None]:
                end = body.index('=') if '=' in body else len(body)
                name = [t for t in body[:end] if re.match(r'[A-Za-z_]', t)]
                yield 'variable', qualified(name[-1]), first_line, ''
            head = []
            k += 1
        elif token == '{':
            declaration = without_template(head)
            if 'namespace' in declaration[:2] and 'using' not in declaration:
                names = [t for t in declaration if t not in ('namespace', 'inline', '::')]
                spaces.extend(['::'.join(names) or None])
                head = []
                k += 1
                continue
            if declaration[:1] == ['extern'] and len(declaration) == 2:
                spaces.append('')
                head = []
                k += 1
                continue
            end = skip_brackets(tokens, k)
            follower = tokens[end][0] if end < len(tokens) else ''
            is_type = is_type_definition(declaration)
            function = None if is_type else function_name(declaration)
            if is_type and not is_hidden() and type_name(declaration):
                yield 'type', qualified(type_name(declaration)), first_line, ''
            # Braces before these are no body, but initialise a member or a variable.
            is_body = not is_type and follower not in (',', '{') and ends_in_body(declaration)
            if is_body:
                if function is not None and not is_hidden() and 'static' not in declaration:
                    yield 'function', qualified(function), first_line, ''
                head = []
                k = end
                continue
            head = head + ['{}']
            k = end
        elif token in ('(', '['):
            end = skip_brackets(tokens, k)
            head += [t for t, _ in tokens[k:end]]
            k = end
        else:
            head.append(token)
            k += 1


def files_of(folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob('*')):
            if path.suffix in ('.h', '.cc', '.inc') and 'build' not in path.parts:
                yield path


def double_definitions(folders):
    """Lines that name what is defined twice, and where."""
    places = collections.defaultdict(dict)  # by kind and name: a place in each file
    meanings = collections.defaultdict(set)
    for path in files_of(folders):
        for kind, name, line, meaning in definitions(path.read_text(encoding='utf-8')):
            places[kind, name].setdefault(path, line)
            meanings[kind, name].add(meaning)
    for (kind, name), where in sorted(places.items()):
        is_of_program = kind == 'function' and name.startswith('::')  # main(), of which every program has one
        if len(where) < 2 or is_of_program or (kind == 'alias' and len(meanings[kind, name]) == 1):
            continue
        yield (f'{kind} {name} is defined in ' + ' and in '.join(f'{path}:{line}' for path, line in where.items())
               + '; rename one, share it, or put it into an anonymous namespace')


def main():
    found = list(double_definitions(sys.argv[1:] or ['src', 'app', 'python', 'include']))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
