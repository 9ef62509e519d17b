"""What npu-sweep is told: reads and checks specifications, which may come from anyone, and shows their names."""

import decimal
import hashlib
import itertools
import json
import math
import os
import re
import stat
import time
import unicodedata

DEFAULT_AREA = {"cell": 1, "lane": 4, "byte": 0.01, "bandwidth": 10}
OWN_FLAGS = ("--target", "--report", "--advise", "--timing-only", "--trace", "--flagfile", "--module")
# Flags of npu-run that name no file to read or to write, with the form of their values.
ALLOWED_FLAGS = {
    "--cycle-limit": r"\d+",
    "--fallback": r"\w+",
    "--function": r".+",
    "--input": r"(?:[^@+*]|(?<=\d[eE])\+)+",
    "--memory-limit": r"\d+[KMG]?",
    "--mlir-disable-threading": r"true|false",
    "--npu-fallback": r"\w+",
    "--npu-search": r"\w+",
    "--npu-segments": r"\w+",
    "--onnx-dim": r".+=\d+",
    "--onnx-output": r".+",
    "--onnx-seed-weights": r"\d+",
    "--search": r"\w+",
    "--segments": r"\w+",
}
MOST_BYTES, MOST_LEVELS, MOST_CHARACTERS = 64 << 20, 100, 4096
MOST_JOBS, MOST_SECONDS, MOST_WEIGHT = 100000, 7 * 24 * 3600, 1e12


class BadInput(Exception):
    """What is wrong with the specification or the machine, for the user."""


def show(text):
    """`text` on one line, without anything that a terminal, a browser or a reader's eye would take for more than
    text: control characters, line breaks, what changes the direction of writing, halves of surrogate pairs."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def show_cell(text):
    """`text` for a table, where it must not be a formula to a spreadsheet."""
    text = show(text)
    return "'" + text if unicodedata.normalize("NFKC", text[:1]) in ("=", "+", "-", "@") else text


def shorten(text):
    return text if len(text) <= 60 else text[:57] + "..."


def describe(value):
    return shorten(json.dumps(value))


def describe_keys(object):
    return shorten(", ".join(map(show, object)) or "none")


def expect(condition, key, expected, found):
    if not condition:
        raise BadInput(f"{key}: expected {expected}, found {describe(found)}")


def check_keys(object, key, required, optional=()):
    for name in required:
        if name not in object:
            raise BadInput(f"{key}: expected the key '{name}', found {describe_keys(object)}")
    for name in object:
        if name not in (*required, *optional):
            raise BadInput(f"{key}: unknown key '{shorten(show(name))}', expected {', '.join((*required, *optional))}")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def show_number(value):
    """As targets have it: without an exponent, as 0.1 stands in JSON."""
    return format(decimal.Decimal(repr(value)), "f")


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def read_text(value, key, expected):
    """A string that can be a part of a command."""
    expect(isinstance(value, str) and value, key, expected, value)
    expect("\0" not in value, key, "text without the character 0", value)
    expect(not re.search("[\ud800-\udfff]", value), key, "text of whole Unicode characters", value)
    if len(value) > MOST_CHARACTERS:
        raise BadInput(f"{key}: expected {expected} of at most {MOST_CHARACTERS} characters, found {len(value)}")
    return value


def read_flags(value, key, allow_any):
    expect(isinstance(value, list), key, "a list of flags", value)
    for number, flag in enumerate(value):
        place = f"{key}[{number}]"
        read_text(flag, place, "a flag of npu-run, as --name=value")
        expect(flag.startswith("--"), place, "a flag of npu-run, as --name=value", flag)
        name, separator, rest = flag.partition("=")
        expect(name not in OWN_FLAGS, place, "a flag that npu-sweep does not give itself", flag)
        if allow_any:
            continue
        expect(name in ALLOWED_FLAGS, place, f"one of {', '.join(ALLOWED_FLAGS)}, or --allow-any-option on the command "
               "line of npu-sweep", flag)
        expect(separator and re.fullmatch(ALLOWED_FLAGS[name], rest), place, f"{name}=value that names no file", flag)
    return value


def read_network(value, key, allow_any):
    """{"name", "file", "options"} of a file's name or of an object, and the place of the file's name."""
    place = key
    if isinstance(value, str):
        value = {"file": value}
    else:
        expect(isinstance(value, dict), key, "a file name, or an object with the key 'file'", value)
        place = f"{key}.file"
    check_keys(value, key, ("file",), ("name", "options"))
    file = read_text(value["file"], place, "a file name")
    name = read_text(value.get("name", file), f"{key}.name", "a name")
    return {"name": name, "file": file, "place": place,
            "options": read_flags(value.get("options", []), f"{key}.options", allow_any)}


def add_parameters(base, settings):
    """The target that `base` is with these parameters."""
    if not settings:
        return base
    # A file's name may have a colon in it.
    return base + ("," if ":" in base.rsplit("/", 1)[-1] else ":") + ",".join(settings)


def read_chips(value, key):
    """The targets that one entry names: itself, or every point of a grid."""
    if isinstance(value, str):
        return [read_text(value, key, "a target as npu-run --target has it")]
    expect(isinstance(value, dict), key, "a target, or an object with the key 'base' and lists of parameters", value)
    if "base" not in value:
        raise BadInput(f"{key}: expected the key 'base', found {describe_keys(value)}")
    base = read_text(value["base"], f"{key}.base", "a target")
    axes, points = [], 1
    for name, values in value.items():
        if name == "base":
            continue
        place = f"{key}.{shorten(show(name))}"
        read_text(name, place, "a parameter's name")
        values = values if isinstance(values, list) else [values]
        are_numbers = all(is_integer(number) or (is_number(number) and math.isfinite(number)) for number in values)
        expect(values and are_numbers, place, "a number or a list of numbers", value[name])
        axes.append([f"{name}={show_number(number)}" for number in values])
        points *= len(values)
        expect(points <= MOST_JOBS, key, f"a grid of at most {MOST_JOBS} chips", points)
    return [add_parameters(base, point) for point in itertools.product(*axes)]


def read_regular(path, deadline=None):
    """The parts of a file that has an end; raises OSError, or BadInput with what it is instead."""
    # Opening a pipe for reading waits for who writes, unless it is not to block.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            kind = "a directory" if stat.S_ISDIR(status.st_mode) else "a pipe, a socket or a device"
            raise BadInput(f"expected a regular file, found {kind}")
        # Files of /proc say that they are empty, or larger than any memory.
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if status.st_size > memory:
            raise BadInput(f"expected a file no larger than the memory of {memory} bytes, found {status.st_size}")
        left = status.st_size
        while left > 0 and (part := os.read(descriptor, min(left, 1 << 20))):
            if deadline is not None and time.monotonic() > deadline:
                raise BadInput("expected a file that is read within timeoutSeconds, found a slower one")
            left -= len(part)
            yield part
    finally:
        os.close(descriptor)


def hash_file(path, key="", seconds=None):
    """A file that is missing is no mistake of the specification: its rows say so."""
    digest = hashlib.sha256()
    try:
        for part in read_regular(path, None if seconds is None else time.monotonic() + seconds):
            digest.update(part)
    except OSError:
        return "none"
    except BadInput as error:
        raise BadInput(f"{key}: {error}")
    return digest.hexdigest()


def parse_number(text):
    # What has more digits than Python reads is no integer for any key, but a number of JSON.
    return int(text) if len(text) <= 1000 else float(text)


def parse_object(pairs):
    object = {}
    for name, value in pairs:
        if name in object:
            raise BadInput(f"expected each key of an object once, found {describe(name)} twice")
        object[name] = value
    return object


def parse(text):
    """What JSON in `text`, bytes, says."""
    try:
        value = json.loads(text.decode(), parse_int=parse_number, object_pairs_hook=parse_object)
    except RecursionError:
        raise BadInput(f"expected JSON of at most {MOST_LEVELS} levels of brackets, found more")
    except ValueError as error:
        raise BadInput(f"expected JSON: {show(str(error))}")
    level = [value]
    for _ in range(MOST_LEVELS):
        level = [inner for outer in level if isinstance(outer, (list, dict))
                 for inner in (outer.values() if isinstance(outer, dict) else outer)]
    if any(isinstance(value, (list, dict)) for value in level):
        raise BadInput(f"expected JSON of at most {MOST_LEVELS} levels of brackets, found more")
    return value


def check_once(key, names):
    seen = set()
    for name in names:
        if name in seen:
            raise BadInput(f"{key}: expected each once, found {describe(name)} twice")
        seen.add(name)


def read_spec(path, allow_any=False):
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"cannot read it: {error.strerror}")
    if len(text) > MOST_BYTES:
        raise BadInput(f"expected at most {MOST_BYTES} bytes, found more")
    spec = parse(text)
    expect(isinstance(spec, dict), "specification", "an object", spec)
    check_keys(spec, "specification", ("networks", "chips"), ("options", "area", "timeoutSeconds"))
    for key in ("networks", "chips"):
        expect(isinstance(spec[key], list) and spec[key], key, "a list with at least one entry", spec[key])
    networks = [read_network(value, f"networks[{i}]", allow_any) for i, value in enumerate(spec["networks"])]
    chips = []
    for i, value in enumerate(spec["chips"]):
        chips += [(chip, f"chips[{i}]") for chip in read_chips(value, f"chips[{i}]")]
        expect(len(chips) <= MOST_JOBS, "chips", f"at most {MOST_JOBS} chips", len(chips))
    options = spec.get("options", [[]])
    expect(isinstance(options, list) and options, "options", "a list of lists of flags", options)
    options = [read_flags(flags, f"options[{i}]", allow_any) for i, flags in enumerate(options)]
    check_once("networks", [network["name"] for network in networks])
    check_once("chips", [chip for chip, place in chips])
    check_once("options", [" ".join(flags) for flags in options])
    jobs = len(networks) * len(chips) * len(options)
    expect(jobs <= MOST_JOBS, "specification", f"at most {MOST_JOBS} jobs", jobs)
    area = spec.get("area", {})
    expect(isinstance(area, dict), "area", "an object", area)
    check_keys(area, "area", (), tuple(DEFAULT_AREA))
    for name, value in area.items():
        expect(is_number(value) and value >= 0, f"area.{name}", "a number that is not negative", value)
        expect(value <= MOST_WEIGHT, f"area.{name}", f"a number of at most {MOST_WEIGHT:g}", value)
    timeout = spec.get("timeoutSeconds")
    if timeout is not None:
        expect(is_number(timeout) and timeout > 0, "timeoutSeconds", "a positive number", timeout)
        expect(timeout <= MOST_SECONDS, "timeoutSeconds", f"a number of at most {MOST_SECONDS}", timeout)
    return {"networks": networks, "chips": chips, "options": options, "area": {**DEFAULT_AREA, **area},
            "timeoutSeconds": timeout}
