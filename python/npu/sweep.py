"""Many models on many chips."""

import os

from npu._capi import Error
from npu.chip import Chip, make_chip
from npu.model import Model, load


def attempt(function, *arguments, **keywords):
    """A result and no error, or no result and the error."""
    try:
        return function(*arguments, **keywords), None
    except Error as error:
        return None, str(error)


def name_chip(chip):
    return getattr(chip, "specification", None) or str(chip)


def sweep(models, chips, **keywords):
    """Times every model on every chip, one after the other. Returns a dictionary per pair: `model`, `chip`, `error`, which
    is None or says why there are no figures, and the columns of summary.csv.

    `models` are models or files of some, a list or a dictionary by name; `chips` are what Model.time takes, whose keywords
    are taken as well.
    """
    if isinstance(models, (str, os.PathLike, Model)):
        models = [models]
    if isinstance(models, dict):
        models = models.items()
    else:
        models = [(model.path if isinstance(model, Model) else os.fspath(model), model) for model in models]
    pairs = [(chip, *attempt(make_chip, chip)) for chip in ([chips] if isinstance(chips, (str, dict, Chip)) else chips)]
    records = []
    for name, model in models:
        model_error = None
        if not isinstance(model, Model):
            model, model_error = attempt(load, model)
        for given, chip, chip_error in pairs:
            timing, error = None, model_error or chip_error
            if error is None:
                timing, error = attempt(model.time, chip, **keywords)
            records.append({"model": name, "chip": name_chip(chip or given), "error": error, **(timing.row if timing else {})})
    return records
