"""libNPU.so by ctypes: functions of npu-c/npu.h, handles that free themselves, and messages as exceptions."""

import ctypes
import os
import threading
import weakref
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from npu._location import LIBRARY

ABI_VERSION = 1
TRAP = 4


class Error(Exception):
    """What the toolchain says of an input or a call, with the place in the model where it knows one."""


class Trap(Error):
    """The simulator has stopped a program."""


class InputError(Error, ValueError):
    """An array that does not fit the model."""


class CTensor(ctypes.Structure):
    """NpuTensor."""

    _fields_ = [("name", c_char_p), ("shape", POINTER(c_int64)), ("data", c_void_p), ("numBytes", c_uint64),
                ("elementType", c_int32), ("rank", c_int32)]


HANDLE, PLACE, TEXT, TENSORS = c_void_p, POINTER(c_void_p), c_char_p, POINTER(CTensor)

# Arguments of the functions that can fail, without the last one, the place of the message.
FUNCTIONS = {
    "npuTargetRead": (TEXT, PLACE),
    "npuTargetPrint": (TEXT, PLACE),
    "npuTargetList": (PLACE,),
    "npuOptionsSet": (HANDLE, TEXT, TEXT),
    "npuModelRead": (TEXT, HANDLE, PLACE),
    "npuModelDescribe": (HANDLE, HANDLE, PLACE),
    "npuModelCompile": (HANDLE, HANDLE, PLACE),
    "npuProgramRead": (TEXT, PLACE),
    "npuProgramWrite": (HANDLE, TEXT),
    "npuProgramGetInput": (HANDLE, c_size_t, TENSORS),
    "npuProgramGetOutput": (HANDLE, c_size_t, TENSORS),
    "npuProgramRun": (HANDLE, HANDLE, TENSORS, c_size_t, TENSORS, c_size_t, PLACE),
    "npuReportPlan": (HANDLE, HANDLE, PLACE),
    "npuReportTime": (HANDLE, HANDLE, PLACE),
    "npuReportRun": (HANDLE, HANDLE, TENSORS, c_size_t, PLACE),
    "npuReportGetText": (HANDLE, c_int32, PLACE),
    "npuReportGetOutput": (HANDLE, c_size_t, TENSORS),
    "npuReportWrite": (HANDLE, TEXT),
}


def _open():
    path = os.environ.get("NPU_LIBRARY") or os.path.join(os.path.dirname(os.path.realpath(__file__)), LIBRARY)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load the library of the NPU toolchain: {error}; install npu-toolchain and the "
                          "libraries that it needs, or name libNPU.so by the environment variable NPU_LIBRARY") from None
    library.npuGetAbiVersion.restype = c_uint32
    if (found := library.npuGetAbiVersion()) != ABI_VERSION:
        raise ImportError(f"expected ABI {ABI_VERSION} of {path}, found {found}; the package npu and the library must be of "
                          "one toolchain")
    library.npuGetVersion.restype = c_char_p
    library.npuFreeString.argtypes, library.npuFreeString.restype = [c_void_p], None
    library.npuOptionsCreate.argtypes, library.npuOptionsCreate.restype = [], c_void_p
    for name in ("Options", "Model", "Program", "Report"):
        free = getattr(library, f"npu{name}Free")
        free.argtypes, free.restype = [c_void_p], None
    for name in ("npuProgramGetNumInputs", "npuProgramGetNumOutputs", "npuReportGetNumOutputs"):
        count = getattr(library, name)
        count.argtypes, count.restype = [c_void_p], c_size_t
    try:
        for name, arguments in FUNCTIONS.items():
            function = getattr(library, name)
            function.argtypes, function.restype = [*arguments, PLACE], ctypes.c_int
    except AttributeError:
        raise ImportError(f"{path} lacks {name}; it is older than the package npu: install both from one toolchain") from None
    return library


library = _open()
version = library.npuGetVersion().decode()


def _take(pointer):
    """A string of the library, which is freed."""
    text = ctypes.string_at(pointer).decode("utf-8", "replace")
    library.npuFreeString(pointer)
    return text


def encode(text):
    """A text or a path for the library, where strings end with a zero."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise Error("expected a text without the character 0, found one with it")
    return data


def call(name, *arguments):
    """Calls a function; its message becomes an exception."""
    message = c_void_p()
    status = getattr(library, name)(*arguments, ctypes.byref(message))
    if status:
        raise (Trap if status == TRAP else Error)(_take(message))


def get_text(name, *arguments):
    """Calls a function that gives a string."""
    text = c_void_p()
    call(name, *arguments, ctypes.byref(text))
    return _take(text)


def _free(kind, pointer, process):
    if os.getpid() == process:
        getattr(library, f"npu{kind}Free")(pointer)


class Handle:
    """A handle of the library. One thread at a time uses it, inside of `with`; freed when nothing refers to it."""

    def __init__(self, kind, pointer):
        self._pointer = pointer
        self._lock = threading.RLock()
        self._process = os.getpid()
        # At exit, other threads may still be in calls.
        weakref.finalize(self, _free, kind, pointer, self._process).atexit = False

    @classmethod
    def make(cls, kind, name, *arguments):
        """Calls a function that gives a handle."""
        pointer = c_void_p()
        call(name, *arguments, ctypes.byref(pointer))
        return cls(kind, pointer)

    def __enter__(self):
        # The library's threads are not in a forked process, where it would wait for them.
        if os.getpid() != self._process:
            raise Error("expected a model, a program or a report of this process, found one of the process that it was forked "
                        "from; load it again here, or start processes by multiprocessing's 'spawn'")
        self._lock.acquire()
        return self._pointer

    def __exit__(self, *_):
        self._lock.release()


def make_options(values):
    """NpuOptions with pairs of names and values."""
    options = Handle("Options", c_void_p(library.npuOptionsCreate()))
    with options as pointer:
        for name, value in values:
            call("npuOptionsSet", pointer, encode(name), encode(value))
    return options
