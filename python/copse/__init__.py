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

_NAMES = {
    "copse._copse": ("DataError", "InfeasibleError", "Marginals", "TreeCRF", "__version__", "batch"),
    "copse.documents": ("Document", "Sentence"),
    "copse.pipeline": ("Pipeline", "load"),
    "copse.training": ("Evaluation", "Score", "evaluate", "train"),
    "copse.words": ("Alternative", "Tree", "Word"),
}
__all__ = sorted(name for names in _NAMES.values() for name in names if name != "__version__")

if importlib.util.find_spec("copse._copse") is not None:
    from copse._copse import DataError, InfeasibleError, Marginals, TreeCRF, __version__, batch
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
    def __getattr__(name):
        if not any(name in names for names in _NAMES.values()):
            raise AttributeError(f"module 'copse' has no attribute '{name}'")
        raise AttributeError(
            f"copse.{name} needs the extension copse._copse, which was not built for this Python"
            f" ({sys.version_info.major}.{sys.version_info.minor}); build Copse with"
            " -DPython_EXECUTABLE=PATH_OF_THIS_PYTHON, or use copse.torch, which works without"
        )
