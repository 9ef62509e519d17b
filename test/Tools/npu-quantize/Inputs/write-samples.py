"""write-samples.py <folder>: samples for the models of write-models.py in the same folder."""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
for number in range(3):
    array = np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)
    # Outliers, of which one range has all and the other none.
    array[0, 0], array[1, 3] = -10 * number, 30 * number
    np.save(folder / f"arrays/{number}.npy", array)
image, yes = np.linspace(-1, 1, 144, dtype=np.float32).reshape(1, 4, 6, 6), np.array([True])
np.save(folder / "image.npy", image)
np.save(folder / "yes.npy", yes)
np.savez(folder / "positional.npz", image, yes)
for number in range(2):
    np.savez(folder / f"archives/{number}.npz", x1=np.array([number == 1]), x0=image * (number + 1))
np.savez(folder / "small.npz", x0=array, x1=array * 1e-6)
np.savez(folder / "large.npz", x0=array, x1=array * 100)
for size in (8, 12):
    np.save(folder / f"size{size}.npy", np.linspace(-1, 1, 3 * size * size, dtype=np.float32).reshape(1, 3, size, size))
np.savez(folder / "axis.npz", x0=np.linspace(-1, 1, 108, dtype=np.float32).reshape(1, 3, 6, 6), x1=np.array([2]))
(folder / "with=and,").mkdir(exist_ok=True)
np.save(folder / "with=and,/a=b,c.npy", array)
np.savez(folder / "with=and,/d=e,f.npz", x0=array)
