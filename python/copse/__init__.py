"""Exact inference over dependency trees. `copse.torch` is the same for batches of PyTorch's tensors."""

import importlib.util
import sys

if importlib.util.find_spec("copse._copse") is not None:
    from copse import _copse
    from copse._copse import InfeasibleError, Marginals, TreeCRF, __version__, batch

    __doc__ = _copse.__doc__
    for _class in (InfeasibleError, Marginals, TreeCRF):
        _class.__module__ = "copse"
    __all__ = ["InfeasibleError", "Marginals", "TreeCRF", "batch"]
else:
    # The extension belongs to one version of Python; copse.torch does without it.
    __all__ = []

    def __getattr__(name):
        if name not in ("InfeasibleError", "Marginals", "TreeCRF", "batch", "__version__"):
            raise AttributeError(f"module 'copse' has no attribute '{name}'")
        raise AttributeError(
            f"copse.{name} needs the extension copse._copse, which was not built for this Python"
            f" ({sys.version_info.major}.{sys.version_info.minor}); build Copse with"
            " -DPython_EXECUTABLE=PATH_OF_THIS_PYTHON, or use copse.torch, which works without"
        )
