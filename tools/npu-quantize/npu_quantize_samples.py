"""The inputs that a model is calibrated with, as flags of npu-run."""

import os
import zipfile

from npu_quantize_model import BadInput, show


class BadUsage(Exception):
    """A mistake on the command line."""


def split_input(given, inputs):
    """The names, if there are any, and the paths in --input. Separators may also be a part of a path."""
    is_one = any(os.path.exists(given.removeprefix(prefix)) for prefix in ["", *(name + "=" for name in inputs)])
    files = [given] if is_one else given.split(",")
    return [(None, given)] if len(files) == 1 and given.endswith(".npz") else [split_name(file, inputs) for file in files]


def split_name(file, inputs):
    for name in inputs:
        if file.startswith(name + "="):
            return name, file.removeprefix(name + "=")
    name, separator, _ = file.partition("=")
    if separator and not os.path.exists(file):
        names = ", ".join(f"'{show(name)}'" for name in inputs)
        raise BadUsage(f"expected the name of an input ({names}) in --input, found '{show(name)}'")
    return None, file


def get_sample(files, inputs, where):
    """The flags of a sample: files with an array for each input, in order or named, or one archive. Files are names, or None,
    and paths."""
    if len(files) == 1 and files[0][1].endswith(".npz"):
        return get_archive(files[0][1], inputs)
    names = ", ".join(f"'{show(name)}'" for name in inputs)
    if len(files) != len(inputs):
        raise BadInput(f"{where}: expected a file for each of {len(inputs)} inputs ({names}), found {len(files)}; separate files by "
                       "commas, or give an .npz with an array for each")
    flags = []
    for name, path in files:
        if not path.endswith((".npy", ".pb")):
            raise BadUsage(f"expected files that end in .npy, .pb or .npz, found '{show(path)}'")
        check_file(path)
        flags.append(f"--input={name}=@{path}" if name else f"--input=@{path}")
    return flags


def check_file(path):
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        raise BadInput(f"{show(path)}: cannot read it: {error.strerror}")


def get_archive(path, inputs):
    check_file(path)
    try:
        with zipfile.ZipFile(path) as archive:
            keys = [name.removesuffix(".npy") for name in archive.namelist()]
    except (zipfile.BadZipFile, OSError):
        raise BadInput(f"{show(path)}: expected an archive of NumPy, found another file; write it with numpy.savez")
    if sorted(keys) == sorted(f"arr_{number}" for number in range(len(inputs))):
        return [f"--input=@{path}[arr_{number}]" for number in range(len(inputs))]
    if sorted(keys) != sorted(inputs):
        raise BadInput(f"{show(path)}: expected the arrays {', '.join(map(show, inputs))}, found {', '.join(map(show, keys)) or 'none'}; "
                       "name the arrays as the inputs of the model")
    return [f"--input={key}=@{path}[{key}]" for key in keys]


def get_samples(arguments, inputs):
    """The flags of each sample."""
    samples = [get_sample(split_input(given, inputs), inputs, f"--input={show(given)}") for given in arguments.input]
    if arguments.samples is not None:
        try:
            names = sorted(name for name in os.listdir(arguments.samples) if name.endswith((".npy", ".npz")))
        except OSError as error:
            raise BadInput(f"{show(arguments.samples)}: cannot read it: {error.strerror}")
        if not names:
            raise BadInput(f"{show(arguments.samples)}: expected files .npy or .npz, found none; write a file for each sample")
        for name in names:
            path = os.path.join(arguments.samples, name)
            samples.append(get_sample([(None, path)], inputs, show(path)))
    # Inputs of one sample have the next seeds, as npu-run gives them.
    return samples or [[f"--input=random({arguments.seed + number * len(inputs)})"] for number in range(arguments.random_samples)]
