"""Operators of detectors and of audio."""

from model import Tensor, form, model, node, rand, single

IMAGE, GRID = rand("f32", [2, 3, 5, 6], 1), rand("f32", [2, 4, 7, 2], 2, -1.4, 1.4)
for mode in ("bilinear", "nearest", "bicubic"):
    for padding in ("zeros", "border", "reflection"):
        for aligned in (0, 1):
            single(f"grid_{mode}_{padding}{aligned}", "GridSample", "x g", {"x": IMAGE, "g": GRID}, "y", opset=16,
                   mode=mode, padding_mode=padding, align_corners=aligned)
for mode in ("linear", "nearest"):
    single("grid_volume_" + mode, "GridSample", "x g",
           {"x": rand("f32", [1, 2, 3, 4, 5], 1), "g": rand("f32", [1, 2, 3, 4, 3], 2, -1.3, 1.3)}, "y", opset=20, mode=mode)

REGIONS = {"x": rand("f32", [2, 3, 10, 12], 1), "r": Tensor("f32", [3, 4], [0, 0, 8, 8, 2, 1, 9, 12, -3, 4, 5, 20]),
           "b": Tensor("i64", [3], [0, 1, 0])}
for mode in ("avg", "max"):
    for transform in ("half_pixel", "output_half_pixel"):
        single(f"roi_{mode}_{transform}", "RoiAlign", "x r b", REGIONS, "y", opset=16, mode=mode, output_height=3,
               output_width=4, sampling_ratio=2, spatial_scale=0.8, coordinate_transformation_mode=transform)
single("roi_old", "RoiAlign", "x r b", REGIONS, "y", opset=10, output_height=3, output_width=4, sampling_ratio=2)

number = lambda value: Tensor("i64", [], value)
single("dft_axis", "DFT", "x _ a", {"x": rand("f32", [2, 8, 5, 2], 1)}, "y", {"a": number(1)}, opset=20)
single("dft_inverse", "DFT", "x l a", {"x": rand("f32", [2, 8, 5, 2], 1)}, "y", {"l": number(7), "a": number(2)},
       opset=20, inverse=1)
form("mel", lambda: model([node("MelWeightMatrix", "a b c d e", "w"), node("MatMul", "x w", "y")],
                          {"x": rand("f32", [2, 17], 1)}, "y",
                          {"a": number(8), "b": number(32), "c": number(16000), "d": Tensor("f32", [], 0.0),
                           "e": Tensor("f32", [], 8000.0)}))
for window in ("Hann", "Hamming", "Blackman"):
    form("window_" + window.lower(), lambda window=window: model(
        [node(window + "Window", "n", "w", periodic=1), node("Mul", "x w", "y")], {"x": rand("f32", [2, 16], 1)}, "y",
        {"n": number(16)}))
single("col2im", "Col2Im", "x i b", {"x": rand("f32", [2, 27, 9], 1)}, "y",
       {"i": Tensor("i64", [2], 6), "b": Tensor("i64", [2], 3)}, opset=18, strides=[2, 2], pads=[1, 1, 1, 1])
single("center_crop", "CenterCropPad", "x s", {"x": rand("f32", [2, 7, 4], 1)}, "y", {"s": Tensor("i64", [2], [4, 7])},
       opset=18, axes=[1, 2])
for aligned in (0, 1):
    single(f"affine_grid{aligned}", "AffineGrid", "t s", {"t": rand("f32", [2, 2, 3], 1)}, "y",
           {"s": Tensor("i64", [4], [2, 3, 4, 5])}, opset=20, align_corners=aligned)
form("unpool", lambda: model([node("MaxPool", "x", "v i", kernel_shape=[2, 2], strides=[2, 2]),
                              node("MaxUnpool", "v i", "y", kernel_shape=[2, 2], strides=[2, 2])],
                             {"x": rand("f32", [2, 3, 6, 6], 1)}, "y", opset=12))
single("determinant", "Det", "x", {"x": rand("f32", [2, 3, 3], 1)}, "y", opset=12)
single("image_scaler", "ImageScaler", "x", {"x": rand("f32", [2, 3, 4, 4], 1)}, "y", opset=7, scale=2.0,
       bias=[0.1, 0.2, 0.3])

# Smaller and larger, where elements are means of all that they stand for.
for mode in ("linear", "cubic"):
    for size in ([5, 4], [13, 20], [10, 3]):
        for outside in (0, 1):
            single(f"antialias_{mode}_{size[0]}x{size[1]}_{outside}", "Resize", "x _ _ s", {"x": rand("f32", [1, 2, 10, 12], 1)},
                   "y", {"s": Tensor("i64", [4], [1, 2, *size])}, opset=18, mode=mode, antialias=1, exclude_outside=outside)
single("antialias_scales", "Resize", "x _ s", {"x": rand("f32", [1, 1, 9, 11], 1)}, "y",
       {"s": Tensor("f32", [4], [1, 1, 0.45, 0.7])}, opset=18, mode="linear", antialias=1)

for groups, offsets, stride, name in ((1, 1, 1, "plain"), (2, 1, 2, "groups"), (1, 2, 1, "offsets"), (4, 4, 2, "depthwise")):
    rows = (7 + 2 - 3) // stride + 1
    columns = (6 + 2 - 2) // stride + 1
    arguments = {"x": rand("f32", [2, 4, 7, 6], 1), "w": rand("f32", [8, 4 // groups, 3, 2], 2),
                 "o": rand("f32", [2, offsets * 12, rows, columns], 3, -1.7, 1.7), "b": rand("f32", [8], 4),
                 "m": rand("f32", [2, offsets * 6, rows, columns], 5, 0, 1)}
    single("deform_" + name, "DeformConv", "x w o b m", arguments, "y", opset=19, pads=[1, 1, 1, 1], strides=[stride, stride],
           group=groups, offset_group=offsets)


def boxes(name, batch=1, classes=2, count=6, most=4, iou=0.3, score=None, **attributes):
    """The selection, and what detectors look up for it."""
    corners = rand("f32", [batch, count, 4], 3, 0, 4).values
    for box in range(batch * count):
        if not attributes:
            corners[4 * box + 2] += corners[4 * box]
            corners[4 * box + 3] += corners[4 * box + 1]
    constants = {"most": Tensor("i64", [1], most), "iou": Tensor("f32", [1], iou), "two": Tensor("i64", [], 2),
                 "one": Tensor("i64", [1], 1), "last": Tensor("i64", [1], 3), "from": Tensor("i64", [1], 1)}
    inputs = "b s most iou"
    if score is not None:
        constants["least"] = Tensor("f32", [1], score)
        inputs += " least"
    nodes = [node("NonMaxSuppression", inputs, "found", **attributes), node("Gather", "found two", "number", axis=1),
             node("Slice", "found from last one", "pair"), node("Squeeze", "b zero", "all"),
             node("Gather", "all number", "chosen", axis=0), node("Cast", "number", "as_float", to=1),
             node("Unsqueeze", "as_float one", "column"), node("Concat", "chosen column", "y", axis=1)]
    constants["zero"] = Tensor("i64", [1], 0)
    if batch > 1:
        nodes = nodes[:3]
    form(name, lambda: model(nodes, {"b": Tensor("f32", [batch, count, 4], corners), "s": rand("f32", [batch, classes, count], 4, 0, 1)},
                             "found:i64 pair:i64" + (" y" if batch == 1 else ""), constants, opset=13))


boxes("boxes_plain")
boxes("boxes_score", score=0.45)
boxes("boxes_none", score=2.0)
boxes("boxes_centers", center_point_box=1)
boxes("boxes_batches", batch=2, classes=3, most=2, score=0.2)
boxes("boxes_all", count=70, most=100, classes=1, iou=0.5)
