"""Chips: what the option --target of the tools names."""

import json
import os

import numpy

from npu._capi import Error, encode, get_text


def write_object(chip):
    """The object of a file as text."""
    return json.dumps(chip, default=lambda value: value.item() if isinstance(value, numpy.generic) else str(value))


def chips():
    """The names of the known chips."""
    return json.loads(get_text("npuTargetList"))


class Chip:
    """A chip, of which nothing changes: its parameters, by name, and the specification that the tools take as --target.

    Chip("npu-v1"), Chip("npu-v1:clusters=2"), Chip.from_file("chip.json"); without an argument the first known chip.
    """

    def __init__(self, specification=None):
        if specification is None:
            specification = chips()[0]
        self._specification = get_text("npuTargetRead", encode(specification))
        self._parameters = json.loads(get_text("npuTargetPrint", encode(self._specification)))
        self._name = self._parameters.pop("name")

    @classmethod
    def from_file(cls, path):
        """The chip that a JSON file describes, see the tools' --target=@chip.json."""
        return cls("@" + os.fspath(path))

    @classmethod
    def from_dict(cls, chip):
        """The chip that the object of such a file describes."""
        return cls(write_object(chip))

    def replace(self, **parameters):
        """This chip with other parameters; `name` gives another name."""
        return Chip.from_dict({"name": self._name, "base": self._specification, **parameters})

    def save(self, path):
        """Writes a file for from_file and for --target=@chip.json, with every parameter."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_dict(), file, indent=2)
            file.write("\n")

    def to_dict(self):
        """The object of such a file."""
        return {"name": self._name, **self._parameters}

    @property
    def name(self):
        return self._name

    @property
    def specification(self):
        return self._specification

    @property
    def parameters(self):
        """A dictionary of all parameters, in the units of the tools."""
        return dict(self._parameters)

    def __setattr__(self, name, value):
        if not name.startswith("_"):
            raise AttributeError(f"expected a chip to stay as it is, found a new {name!r}; chip.replace({name}=...) gives another chip")
        super().__setattr__(name, value)

    def __getattr__(self, name):
        parameters = self.__dict__.get("_parameters", {})
        if name in parameters:
            return parameters[name]
        raise AttributeError(f"expected a parameter of the chip, of {', '.join(parameters)}, found {name!r}")

    def __dir__(self):
        return [*super().__dir__(), *self._parameters]

    def __eq__(self, other):
        return isinstance(other, Chip) and self._specification == other._specification

    def __hash__(self):
        return hash(self._specification)

    def __repr__(self):
        return f"Chip({self._specification!r})"


def make_chip(chip):
    """What users give where a chip is meant: one, its specification, or the object of a file."""
    if isinstance(chip, Chip):
        return chip
    if isinstance(chip, dict):
        return Chip.from_dict(chip)
    if chip is None or isinstance(chip, str):
        return Chip(chip)
    raise Error(f"expected a Chip, its specification or a dictionary of parameters, found {type(chip).__name__}")
