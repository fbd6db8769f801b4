"""The type stubs against the module that they describe, and docstrings for all that is public."""

import ast
import inspect
import pathlib

import copse
import train_options_stub
from copse import _copse

STUBS = ast.parse((pathlib.Path(copse.__file__).parent / "_copse.pyi").read_text())


def names_of(body):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target)


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_stubs_have_what_the_module_has():
    own = {"Place", "Row", "TreeMembers"}
    assert public(names_of(STUBS.body)) - own == public(vars(_copse))
    for node in STUBS.body:
        if isinstance(node, ast.ClassDef) and not {"ValueError", "DataError"} & set(map(ast.unparse, node.bases)):
            assert public(names_of(node.body)) == public(vars(getattr(_copse, node.name))), node.name


def test_the_package_is_typed():
    assert (pathlib.Path(copse.__file__).parent / "py.typed").is_file()


def test_everything_public_has_a_docstring():
    missing = []
    for name in copse.__all__:
        thing = getattr(copse, name)
        if not inspect.getdoc(thing):
            missing.append(name)
        if inspect.isclass(thing) and not issubclass(thing, tuple):
            for member, value in vars(thing).items():
                if not member.startswith("_") and callable(getattr(thing, member)) and not inspect.getdoc(value):
                    missing.append(f"{name}.{member}")
                if isinstance(value, property) and not member.startswith("_") and not value.__doc__:
                    missing.append(f"{name}.{member}")
    assert missing == []


def test_options_of_train_are_those_of_the_table():
    stub = pathlib.Path(copse.__file__).parent / "_train_options.pyi"
    assert stub.read_text() == train_options_stub.text()
    keywords = set(inspect.signature(copse.train).parameters) - {"progress", "messages"}
    assert keywords == {option["name"] for option in _copse.train_options()}
    for name in keywords - train_options_stub.NAMED:
        assert f"    {name}: " in copse.train.__doc__
