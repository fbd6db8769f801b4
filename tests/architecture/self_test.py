"""The checks of the architecture, on little trees of sources with one mistake each."""

import pathlib
import tempfile
import unittest

import check_builds
import compare_rooms
import double_definitions

TABLE = '''# Architecture

| room | what it does | knows | shares |
| --- | --- | --- | --- |
| `low` | is used | – | `open` |
| `high` | uses it | `low` | – |
| `app` | is the program | `high` | `copse/front` |

Text.
'''

SOURCES = {
    'docs/architecture.md': TABLE,
    'include/copse/error.h': '#include <stdexcept>\n',
    'include/copse/front.h': '#include <string>\n#include "copse/high/gate.h"\n',
    'include/copse/high/gate.h': '#include "copse/error.h"\n',
    'src/low/open.h': '#include <vector>\n#include "low/own.h"\n',
    'src/low/own.h': '',
    'src/low/open.cc': '#include "copse/error.h"\n#include "low/open.h"\n',
    'src/high/tower.cc': '#include "low/open.h"\n#include "copse/high/gate.h"\n',
    'app/main.cc': '#include "copse/high/gate.h"\n#include "main.h"\n',
    'app/main.h': '',
}


class Tree(unittest.TestCase):
    def write(self, changes=None):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in {**SOURCES, **(changes or {})}.items():
            path = pathlib.Path(folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding='utf-8')
        return pathlib.Path(folder.name)


class Rooms(Tree):
    def expect(self, changes, *expected):
        messages, _ = compare_rooms.compare(self.write(changes))
        text = '\n'.join(messages)
        for part in expected:
            self.assertIn(part, text)
        if not expected:
            self.assertEqual(text, '')

    def test_what_is_declared_is_right(self):
        self.expect({})

    def test_undeclared_edge(self):
        self.expect({'app/main.cc': '#include "copse/high/gate.h"\n\n#include "low/open.h"\n'},
                    'app knows low, which is not declared: app/main.cc:3 (low/open.h)',
                    '| `app` | is the program | `low`, `high` | `copse/front` |')

    def test_gpu_sources(self):
        for name in ('src/low/kernel.cu', 'src/low/kernel.cuh', 'src/low/cuda/kernel.cu'):
            self.expect({name: '#include <cuda_runtime.h>\n#include "copse/high/gate.h"\n'},
                        'in a circle', f'{name}:2: includes copse/high/gate.h')
        self.expect({'src/high/kernel.cu': '#include "low/open.h"\n', 'src/high/tower.cc': ''})

    def test_unused_edge(self):
        self.expect({'src/high/tower.cc': ''}, 'high does not know low, but is declared to',
                    '| `high` | uses it | – | – |', 'no other room includes low/open.h')

    def test_cycle(self):
        self.expect({'src/low/own.h': '#include "high/roof.h"\n', 'src/high/roof.h': ''},
                    'in a circle: high → low → high', 'src/low/own.h:1: includes high/roof.h')

    def test_private_header(self):
        self.expect({'src/high/tower.cc': '#include "low/open.h"\n#include "low/own.h"\n'},
                    'low/own.h is private, but included by src/high/tower.cc:2 (high)',
                    '| `low` | is used | – | `open`, `own` |')

    def test_new_and_missing_rooms(self):
        self.expect({'src/new/a.cc': '#include "low/open.h"\n'}, 'the room new is missing; add',
                    '| `new` | WHAT IT DOES | `low` | – |')
        self.expect({'docs/architecture.md': TABLE.replace('\nText', '| `gone` | is not | – | – |\n\nText')[:-6]
                     .replace('\n\n| `gone`', '\n| `gone`')}, 'there is no room gone; remove the row')

    def test_order(self):
        rows = TABLE.splitlines()
        rows[4], rows[5] = rows[5], rows[4]
        self.expect({'docs/architecture.md': '\n'.join(rows)}, 'low is known by a room above it')

    def test_installed_headers(self):
        gate = 'include/copse/high/gate.h'
        for line in ('#include <sys/mman.h>', '#include <hwy/highway.h>', '#include "low/open.h"',
                     '#include <immintrin.h>'):
            self.expect({gate: line + '\n'}, gate + ':1: includes ')
        self.expect({gate: '\nunsigned __int128 x;\n'}, gate + ':2: __int128')
        self.expect({'include/copse/lost.h': ''}, 'include/copse/lost.h: belongs to no room')


class Definitions(Tree):
    def found(self, **files):
        root = self.write({f'src/low/{name}.h': text for name, text in files.items()})
        return list(double_definitions.double_definitions([root / 'src']))

    def expect(self, expected, one, two):
        lines = self.found(one=one, two=two)
        if expected is None:
            self.assertEqual(lines, [])
        else:
            self.assertEqual(len(lines), 1, lines)
            self.assertTrue(lines[0].startswith(expected + ' is defined in '), lines[0])
            self.assertIn('one.h:', lines[0])
            self.assertIn('two.h:', lines[0])

    def test_types(self):
        self.expect('type copse::Row', 'namespace copse {\nstruct Row { int a; };\n}',
                    'namespace copse {\n// Row\nclass Row final : public Base {\n int b; };\n}')
        self.expect('type copse::Row', 'namespace copse { template <class T> struct Row { T a; }; }',
                    'namespace copse { enum class Row : char { a }; }')
        self.expect('type copse::A::Impl', 'namespace copse { class A::Impl {}; }', 'namespace copse { class A::Impl {}; }')

    def test_functions_and_variables(self):
        self.expect('function copse::width(const Row &, int)',
                    'namespace copse { inline int width(const Row& a, int b) { return 1; } }',
                    'namespace copse {\nint width(const Row& row, int of = 3) {\n  if (of) { return 2; }\n}\n}')
        self.expect('variable copse::kMost', 'namespace copse { inline constexpr int kMost = 1; }',
                    'namespace copse { inline constexpr int kMost{2}; }')
        self.expect('alias copse::V', 'namespace copse { using V = int; }', 'namespace copse { using V = long; }')
        self.expect('concept copse::Number', 'namespace copse { template <class T> concept Number = true; }',
                    'namespace copse { template <class T> concept Number = false; }')

    def test_what_is_no_second_definition(self):
        row = 'namespace copse {\nstruct Row { int a; };\n}\n'
        self.expect(None, row, 'namespace copse {\nstruct Row;\nRow make(struct Row* a);\n}')
        self.expect(None, row, 'namespace copse {\nnamespace {\nstruct Row { int a; };\n}\n}')
        self.expect(None, row, 'namespace copse::other {\nstruct Row { int a; };\n}')
        self.expect(None, row, 'namespace copse {\nstruct Other { struct Row { int a; }; };\n}')
        self.expect(None, row, 'namespace copse {\n/* struct Row {}; */\nconst char* k = "struct Row {};";\n}')
        self.expect(None, row, 'namespace copse {\nconst char* k = R"(} struct Row {};)";\n}')
        self.expect(None, 'namespace copse { int name(A a) { return 1; } }', 'namespace copse { int name(B a) { return 1; } }')
        self.expect(None, 'namespace copse { int A::name() { return 1; } }', 'namespace copse { int B::name() { return 1; } }')
        self.expect(None, 'namespace copse { static int f() { return 1; } }', 'namespace copse { static int f() { return 2; } }')
        self.expect(None, 'namespace copse { A::A() : b_{1}, c_(2) {} }', 'namespace copse { B::B() : b_{1}, c_(2) {} }')
        self.expect(None, 'namespace copse { using V = int; }', 'namespace copse { using V = int; }')
        self.expect(None, 'namespace copse { constexpr int k = 1; }', 'namespace copse { constexpr int k = 2; }')

    def test_after_what_is_hard_to_read(self):
        """A second definition is found behind each of these."""
        row = '\nstruct Row { int a; };\n}\n'
        for text in ('A::A(int a) : b_{1}, c_(a) { if (a) {} }',
                     'template <class T> requires (sizeof(T) > 1) T f(T a) { return a; }',
                     'inline const std::map<int, int> kMap = {{1, 2}, {3, 4}};', 'constexpr char k = \'{\'; int n = 1\'000;',
                     'auto f = [](int a) { return a; };', 'bool operator==(const A& a, const A& b) { return true; }',
                     'extern "C" { int c(void); }', 'enum { a, b };', '#define X {\n', 'struct B { int a; } b = {1};',
                     'namespace { struct Hidden { int a; }; }'):
            with self.subTest(text):
                self.assertEqual(len(self.found(one='namespace copse {\n' + text + row, two='namespace copse {' + row)), 1)


class Builds(Tree):
    LIST = 'tests/builds.txt'
    RULES = '''# Rules
.*_threads_test.cc asan tsan # threads
text/count_test.cc asan alone # replaces operator new
app/.* release # the program
text/.* asan # text
'''
    PRESETS = '{"configurePresets": [{"name": "base"}, {"name": "release", "inherits": "base"%s}]}'
    TESTS = {'CMakePresets.json': PRESETS % '', 'tests/scripts.cmake': 'copse_add_script(lines ${here}/text/count_lines.py)',
             'tests/text/split_test.cc': '', 'tests/text/split_threads_test.cc': '', 'tests/app/run_test.cc': '',
             'tests/text/count_test.cc': '#include "counted_allocations.h"\n'}

    def expect(self, rules, tests, *expected):
        messages = check_builds.check(self.write({self.LIST: rules, **self.TESTS, **tests}))
        for part in expected:
            self.assertIn(part, '\n'.join(messages))
        self.assertEqual(len(messages), len(expected), messages)

    def test_what_is_listed_is_right(self):
        self.expect(self.RULES, {})

    def test_no_rule(self):
        self.expect(self.RULES, {'tests/io/read_test.cc': ''}, 'has no rule for io/read_test.cc')

    def test_rules(self):
        self.expect(self.RULES + 'io/.* asan # files\n', {}, 'builds.txt:6: decides about no test: io/.*')
        self.expect(self.RULES + 'app/x asan\n', {}, 'builds.txt:6: is not FILES BUILDS # WHY')
        self.expect(self.RULES.replace('app/.* release', 'app/.* release msan'), {}, 'there is no build msan')

    def test_scripts(self):
        rules = 'web/.* run # page\n.*.py release # scripts\n' + self.RULES
        page = {'tests/web/page_test.mjs': '', 'tests/web/page.mjs': ''}
        script = "if __name__ == '__main__':\n    main()\n"
        self.expect(rules, {**page, 'tests/text/count_lines.py': script, 'tests/text/helper.py': ''})
        self.expect(rules, {**page, 'tests/text/count_lines.py': script, 'tests/text/words.py': script},
                    'text/words.py is not in tests/scripts.cmake')
        self.expect(rules, {**page, 'tests/text/test_lines.py': ''}, 'text/test_lines.py is not in tests/scripts.cmake')
        self.expect(self.RULES, {'tests/web/page_test.mjs': ''}, 'has no rule for web/page_test.mjs')

    def test_release(self):
        for setting in ('"CMAKE_CXX_COMPILER": "clang++"', '"COPSE_SANITIZE": "address"',
                        '"CMAKE_CXX_FLAGS": "-DHWY_COMPILE_ONLY_STATIC"'):
            presets = self.PRESETS % f', "cacheVariables": {{{setting}}}'
            self.expect(self.RULES, {'CMakePresets.json': presets}, 'which is not how the program ships')

    def test_builds(self):
        self.expect(self.RULES.replace('text/.* asan', 'text/.* tsan'), {}, 'neither in the build release nor in asan')
        self.expect(self.RULES.replace('app/.* release', 'app/.* asan'), {}, 'is about what ships')
        self.expect(self.RULES, {'src/text/kernel.cc': '#define HWY_TARGET_INCLUDE "text/kernel.cc"\n'},
                    'text/count_test.cc is about what ships', 'text/split_test.cc is', 'text/split_threads_test.cc is')
        self.expect(self.RULES.replace('asan tsan', 'asan'), {}, 'does not run in the build tsan')
        self.expect(self.RULES.replace('asan alone', 'asan'), {}, 'replaces operator new')


if __name__ == '__main__':
    unittest.main()
