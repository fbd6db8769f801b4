"""Copse: dependency trees of text, with exact probabilities.

    import copse
    nlp = copse.load()
    for sentence in nlp("I saw the man with the telescope."):
        for word in sentence:
            print(word.form, word.head, word.deprel, word.p)

`copse.TreeCRF` answers exact questions about trees under scores of your own, `copse.torch` the same for batches
of PyTorch's tensors.
"""

import importlib.util
import sys
from typing import NoReturn

__all__ = [
    "Alternative",
    "DataError",
    "Document",
    "Evaluation",
    "InfeasibleError",
    "Marginals",
    "Pipeline",
    "Score",
    "Sentence",
    "Tree",
    "TreeCRF",
    "Word",
    "batch",
    "evaluate",
    "load",
    "train",
]

if importlib.util.find_spec("copse._copse") is not None:
    from copse._copse import DataError, InfeasibleError, Marginals, TreeCRF, __version__, batch  # noqa: F401
    from copse.documents import Document, Sentence
    from copse.pipeline import Pipeline, load
    from copse.training import Evaluation, Score, evaluate, train
    from copse.words import Alternative, Tree, Word

    DataError.__doc__ = "Input that cannot be used. The message is one line that names the place and says what is wrong."
    InfeasibleError.__doc__ = "There is no tree under the given conditions."
    for _class in (DataError, InfeasibleError, Marginals, TreeCRF):
        _class.__module__ = "copse"
else:
    # The extension belongs to one version of Python; copse.torch does without it.
    def __getattr__(name: str) -> NoReturn:
        if name not in (*__all__, "__version__"):
            raise AttributeError(f"module 'copse' has no attribute '{name}'")
        raise AttributeError(
            f"copse.{name} needs the extension copse._copse, which was not built for this Python"
            f" ({sys.version_info.major}.{sys.version_info.minor}); build Copse with"
            " -DPython_EXECUTABLE=PATH_OF_THIS_PYTHON, or use copse.torch, which works without"
        )
