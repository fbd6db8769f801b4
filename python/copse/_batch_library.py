"""libcopse_batch.so, called through ctypes: see python/batch_library.h for what its functions do."""

import atexit
import contextlib
import ctypes
import functools
import os
import pathlib
import threading
from typing import Dict, Hashable, Iterator, List, Optional, Tuple


def _load() -> ctypes.CDLL:
    path = pathlib.Path(__file__).with_name("libcopse_batch.so")
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"{path} cannot be loaded ({error}); build Copse with -DCOPSE_BUILD_PYTHON=ON") from None
    library.copse_batch_error.restype = ctypes.c_char_p
    library.copse_batch_version.restype = ctypes.c_char_p
    library.copse_batch_kinds.restype = ctypes.c_char_p
    library.copse_batch_factorizations.restype = ctypes.c_char_p
    return library


_library = _load()
_ERRORS = {1: RuntimeError, 2: ValueError, 3: MemoryError}

__version__ = _library.copse_batch_version().decode()


def _entries(text: bytes) -> Dict[str, str]:
    return dict(entry.split(":") for entry in text.decode().split())


# By kind of part, in the order of their numbers: its words, as a dense tensor is indexed by them.
WORDS_OF_KIND = _entries(_library.copse_batch_kinds())
KINDS = tuple(WORDS_OF_KIND)
# By factorization, smaller ones first.
KINDS_OF_FACTORIZATION = {
    factorization: tuple(kinds.split(","))
    for factorization, kinds in _entries(_library.copse_batch_factorizations()).items()
}


class Questions(ctypes.Structure):
    _fields_ = [
        ("is_double", ctypes.c_int32),
        ("potentials", ctypes.c_void_p * len(KINDS)),
        ("log_partition", ctypes.c_void_p),
        ("entropy", ctypes.c_void_p),
        ("marginals", ctypes.c_void_p * len(KINDS)),
        ("best_heads", ctypes.c_void_p),
        ("samples", ctypes.c_int32),
        ("seed", ctypes.c_uint64),
        ("sampled_heads", ctypes.c_void_p),
        ("stream", ctypes.c_void_p),
    ]


class DenseCopy(ctypes.Structure):
    _fields_ = [
        ("scatter", ctypes.c_int32),
        ("kind", ctypes.c_int32),
        ("dense_is_double", ctypes.c_int32),
        ("packed_is_double", ctypes.c_int32),
        ("sentences", ctypes.c_int64),
        ("arcs", ctypes.c_int64),
        ("words", ctypes.c_void_p),
        ("arc_begins", ctypes.c_void_p),
        ("part_begins", ctypes.c_void_p),
        ("strides", ctypes.c_int64 * 5),
        ("dense", ctypes.c_void_p),
        ("packed", ctypes.c_void_p),
        ("scale", ctypes.c_void_p),
        ("stream", ctypes.c_void_p),
    ]


def _declare_functions(library: ctypes.CDLL) -> None:
    library.copse_batch_obstacle.restype = ctypes.c_char_p
    library.copse_batch_obstacle.argtypes = [ctypes.c_char_p]
    library.copse_batch_open.restype = ctypes.c_void_p
    library.copse_batch_open.argtypes = [ctypes.c_char_p, ctypes.c_int32]
    library.copse_batch_close.restype = None
    library.copse_batch_close.argtypes = [ctypes.c_void_p]
    library.copse_batch_begins.argtypes = [ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
    library.copse_batch_assign.argtypes = (
        [ctypes.c_void_p, ctypes.c_char_p] + [ctypes.c_int32] * 2 + [ctypes.c_int64, ctypes.c_void_p]
    )
    library.copse_batch_compute.argtypes = [ctypes.c_void_p, ctypes.POINTER(Questions)]
    library.copse_batch_copy.argtypes = [ctypes.c_void_p, ctypes.POINTER(DenseCopy)]


_declare_functions(_library)


def _check(status: int) -> None:
    if status != 0:
        raise _ERRORS[status](_library.copse_batch_error().decode())


@functools.lru_cache(maxsize=None)
def obstacle(device: str) -> str:
    """Why a device ('cpu' or 'cuda') cannot be used; empty if it can."""
    reason: bytes = _library.copse_batch_obstacle(device.encode())
    return reason.decode()


def fill_begins(sentences: int, words: int, begins: int) -> None:
    """Where each sentence begins in the packed array of each kind of parts; both are addresses of 64-bit integers."""
    _check(_library.copse_batch_begins(sentences, words, begins))


class Workspace:
    """What one computation at a time may use."""

    def __init__(self, device: str, threads: int) -> None:
        self._address = _library.copse_batch_open(device.encode(), threads)
        if not self._address:
            raise RuntimeError(_library.copse_batch_error().decode())
        self._assigned: Optional[Tuple[str, bool, bool, Tuple[int, ...]]] = None

    def __del__(self) -> None:
        if getattr(self, "_address", None) and _library is not None:
            _library.copse_batch_close(self._address)

    def assign(
        self, factorization: str, single_root: bool, nonprojective: bool, lengths: Tuple[int, ...], words: int
    ) -> None:
        """The sentences of the next computations; `words` is the address of their lengths."""
        sentences = (factorization, single_root, nonprojective, lengths)
        if self._assigned == sentences:  # a backward pass has the sentences of the forward pass
            return
        self._assigned = None
        _check(
            _library.copse_batch_assign(
                self._address, factorization.encode(), single_root, nonprojective, len(lengths), words
            )
        )
        self._assigned = sentences

    def compute(self, questions: Questions) -> None:
        _check(_library.copse_batch_compute(self._address, ctypes.byref(questions)))

    def copy(self, copy: DenseCopy) -> None:
        _check(_library.copse_batch_copy(self._address, ctypes.byref(copy)))


_idle: Dict[Hashable, List[Workspace]] = {}  # workspaces that nobody uses, by what they are for
_idle_lock = threading.Lock()


def _forget_in_child() -> None:
    """After a fork: threads and GPU belong to the parent, and cannot be ended from here either."""
    global _idle_lock
    _idle_lock = threading.Lock()
    for workspaces in _idle.values():
        for idle in workspaces:
            idle._address = None
    _idle.clear()


os.register_at_fork(after_in_child=_forget_in_child)
atexit.register(_idle.clear)


@contextlib.contextmanager
def workspace(device: str, threads: int, *use: Hashable) -> Iterator[Workspace]:
    """A workspace of its own for the caller; `use` is what two computations must have in common to share one:
    the GPU and its stream, since work in a stream is done in order, and the factorization."""
    key = (device, threads, *use)
    with _idle_lock:
        idle = _idle.setdefault(key, [])
        taken = idle.pop() if idle else None
    if taken is None:
        taken = Workspace(device, threads)
    yield taken
    # One whose work failed is not used again.
    with _idle_lock:
        _idle.setdefault(key, []).append(taken)
