// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Images that are put together again.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @kernel(%x: tensor<1x1x2x2xf32>, %p: tensor<1x1x2x2xi64>) -> !onnx.unknown {
    // expected-error @below {{node (MaxUnpool of opset 24): expected a kernel_shape of 2 dimensions, of images with at least one, found 'tensor<1x1x2x2xf32>'}}
    %0 = onnx.node "MaxUnpool"(%x, %p) : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @strides(%x: tensor<1x1x2x2xf32>, %p: tensor<1x1x2x2xi64>) -> !onnx.unknown {
    // expected-error @below {{node (MaxUnpool of opset 24): expected a positive stride and two pads for each of 2 dimensions, and as many positions as values}}
    %0 = onnx.node "MaxUnpool"(%x, %p) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @positions(%x: tensor<1x1x2x2xf32>, %p: tensor<1x1x2x3xi64>) -> !onnx.unknown {
    // expected-error @below {{node (MaxUnpool of opset 24): expected a positive stride and two pads for each of 2 dimensions, and as many positions as values}}
    %0 = onnx.node "MaxUnpool"(%x, %p) {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x3xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @outputShape(%x: tensor<1x1x2x2xf32>, %p: tensor<1x1x2x2xi64>) -> !onnx.unknown {
    %s = onnx.constant dense<3> : tensor<2xi64>
    // expected-error @below {{node (MaxUnpool of opset 24): expected an output shape of 4 numbers}}
    %0 = onnx.node "MaxUnpool"(%x, %p, %s) {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @smallOutput(%x: tensor<1x1x2x2xf32>, %p: tensor<1x1x2x2xi64>) -> !onnx.unknown {
    %s = onnx.constant dense<[1, 1, 3, 2]> : tensor<4xi64>
    // expected-error @below {{node (MaxUnpool of opset 24): expected an output of at least [1, 1, 3, 3], found [1, 1, 3, 2]}}
    %0 = onnx.node "MaxUnpool"(%x, %p, %s) {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @columns(%x: tensor<1x5x4xf32>) -> !onnx.unknown {
    %i = onnx.constant dense<[3, 3]> : tensor<2xi64>
    %b = onnx.constant dense<[2, 2]> : tensor<2xi64>
    // expected-error @below {{node (Col2Im of opset 24): expected batches x (channels * elements of a block) x blocks, and sizes of 2 dimensions, found 'tensor<1x5x4xf32>'}}
    %0 = onnx.node "Col2Im"(%x, %i, %b) : (tensor<1x5x4xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @blocks(%x: tensor<1x4x4xf32>) -> !onnx.unknown {
    %i = onnx.constant dense<[1, 3]> : tensor<2xi64>
    %b = onnx.constant dense<[2, 2]> : tensor<2xi64>
    // expected-error @below {{node (Col2Im of opset 24): expected blocks that fit into the image, found [2, 2] and [1, 3]}}
    %0 = onnx.node "Col2Im"(%x, %i, %b) : (tensor<1x4x4xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @count(%x: tensor<1x4x5xf32>) -> !onnx.unknown {
    %i = onnx.constant dense<[3, 3]> : tensor<2xi64>
    %b = onnx.constant dense<[2, 2]> : tensor<2xi64>
    // expected-error @below {{node (Col2Im of opset 24): expected 4 blocks, found 5}}
    %0 = onnx.node "Col2Im"(%x, %i, %b) : (tensor<1x4x5xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @hugeBlock(%x: tensor<1x4x5xf32>) -> !onnx.unknown {
    %i = onnx.constant dense<[3, 3]> : tensor<2xi64>
    %b = onnx.constant dense<[4294967296, 4294967296]> : tensor<2xi64>
    // expected-error @below {{node (Col2Im of opset 24): expected constants of at most 137438953472 elements, found the shape [4294967296, 4294967296]}}
    %0 = onnx.node "Col2Im"(%x, %i, %b) : (tensor<1x4x5xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Parts of images, grids and determinants.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @sizes(%x: tensor<4x4xf32>) -> !onnx.unknown {
    %s = onnx.constant dense<3> : tensor<1xi64>
    // expected-error @below {{node (CenterCropPad of opset 24): expected a size for each of 2 axes, found 1}}
    %0 = onnx.node "CenterCropPad"(%x, %s) : (tensor<4x4xf32>, tensor<1xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @negative(%x: tensor<4x4xf32>) -> !onnx.unknown {
    %s = onnx.constant dense<[3, -1]> : tensor<2xi64>
    // expected-error @below {{node (CenterCropPad of opset 24): expected sizes of a tensor, found -1}}
    %0 = onnx.node "CenterCropPad"(%x, %s) : (tensor<4x4xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @matrix(%t: tensor<1x3x3xf32>) -> !onnx.unknown {
    %s = onnx.constant dense<[1, 1, 4, 4]> : tensor<4xi64>
    // expected-error @below {{node (AffineGrid of opset 24): expected a matrix for each batch, found 'tensor<1x3x3xf32>'}}
    %0 = onnx.node "AffineGrid"(%t, %s) : (tensor<1x3x3xf32>, tensor<4xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @square(%x: tensor<2x3x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Det of opset 24): expected square matrices of at most 4 rows, found 'tensor<2x3x4xf32>'}}
    %0 = onnx.node "Det"(%x) : (tensor<2x3x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @many(%x: tensor<5x5xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Det of opset 24): expected square matrices of at most 4 rows, found 'tensor<5x5xf32>'}}
    %0 = onnx.node "Det"(%x) : (tensor<5x5xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Images that are sampled.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @grid(%x: tensor<1x1x4x4xf32>, %g: tensor<1x2x2x3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (GridSample of opset 24): expected an image of 1 to 3 dimensions behind batch and channels, and as many coordinates for each point of the result, found 'tensor<1x1x4x4xf32>' and 'tensor<1x2x2x3xf32>'}}
    %0 = onnx.node "GridSample"(%x, %g) : (tensor<1x1x4x4xf32>, tensor<1x2x2x3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @gridFloats(%x: tensor<1x1x4x4xi32>, %g: tensor<1x2x2x2xf32>) -> !onnx.unknown {
    // expected-error @below {{node (GridSample of opset 24): expected floats, found 'i32'}}
    %0 = onnx.node "GridSample"(%x, %g) : (tensor<1x1x4x4xi32>, tensor<1x2x2x2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @mode(%x: tensor<1x1x4x4xf32>, %g: tensor<1x2x2x2xf32>) -> !onnx.unknown {
    // expected-error @below {{node (GridSample of opset 24): expected the mode linear, nearest or cubic, found area}}
    %0 = onnx.node "GridSample"(%x, %g) {mode = "area"} : (tensor<1x1x4x4xf32>, tensor<1x2x2x2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @cubic(%x: tensor<1x1x4xf32>, %g: tensor<1x2x1xf32>) -> !onnx.unknown {
    // expected-error @below {{node (GridSample of opset 24): expected 2 dimensions for cubic interpolation, found 1}}
    %0 = onnx.node "GridSample"(%x, %g) {mode = "cubic"} : (tensor<1x1x4xf32>, tensor<1x2x1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @paddingMode(%x: tensor<1x1x4x4xf32>, %g: tensor<1x2x2x2xf32>) -> !onnx.unknown {
    // expected-error @below {{node (GridSample of opset 24): expected padding by zeros, border or reflection, found wrap}}
    %0 = onnx.node "GridSample"(%x, %g) {padding_mode = "wrap"} : (tensor<1x1x4x4xf32>, tensor<1x2x2x2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @regions(%x: tensor<1x1x4x4xf32>, %r: tensor<2x3xf32>, %b: tensor<2xi64>) -> !onnx.unknown {
    // expected-error @below {{node (RoiAlign of opset 24): expected an image of 4 dimensions, 4 coordinates and a batch for each region, found 'tensor<1x1x4x4xf32>', 'tensor<2x3xf32>' and 'tensor<2xi64>'}}
    %0 = onnx.node "RoiAlign"(%x, %r, %b) {sampling_ratio = 1 : i64} : (tensor<1x1x4x4xf32>, tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @regionMode(%x: tensor<1x1x4x4xf32>, %r: tensor<2x4xf32>, %b: tensor<2xi64>) -> !onnx.unknown {
    // expected-error @below {{node (RoiAlign of opset 24): expected the mode avg or max, found min}}
    %0 = onnx.node "RoiAlign"(%x, %r, %b) {mode = "min", sampling_ratio = 1 : i64} : (tensor<1x1x4x4xf32>, tensor<2x4xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @samples(%x: tensor<1x1x4x4xf32>, %r: tensor<2x4xf32>, %b: tensor<2xi64>) -> !onnx.unknown {
    // expected-error @below {{node (RoiAlign of opset 24): expected a sampling_ratio from 1 to 8, as a number of samples that depends on data is not supported, found 0}}
    %0 = onnx.node "RoiAlign"(%x, %r, %b) : (tensor<1x1x4x4xf32>, tensor<2x4xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @manySamples(%x: tensor<1x1x4x4xf32>, %r: tensor<2x4xf32>, %b: tensor<2xi64>) -> !onnx.unknown {
    // expected-error @below {{node (RoiAlign of opset 24): expected a sampling_ratio from 1 to 8, as a number of samples that depends on data is not supported, found 9}}
    %0 = onnx.node "RoiAlign"(%x, %r, %b) {sampling_ratio = 9 : i64} : (tensor<1x1x4x4xf32>, tensor<2x4xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @regionSize(%x: tensor<1x1x4x4xf32>, %r: tensor<2x4xf32>, %b: tensor<2xi64>) -> !onnx.unknown {
    // expected-error @below {{node (RoiAlign of opset 24): expected a positive size, found 0 and 1}}
    %0 = onnx.node "RoiAlign"(%x, %r, %b) {output_height = 0 : i64, sampling_ratio = 1 : i64} : (tensor<1x1x4x4xf32>, tensor<2x4xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Sizes that are no integers, images without dimensions.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @float_sizes(%x: tensor<4x4xf32>) -> !onnx.unknown {
    %s = onnx.constant dense<3.0> : tensor<2xf32>
    // expected-error @below {{node (CenterCropPad of opset 24): expected integers as input 1, found 'tensor<2xf32>'}}
    %0 = onnx.node "CenterCropPad"(%x, %s) : (tensor<4x4xf32>, tensor<2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @no_image(%x: tensor<4xf32>, %p: tensor<4xi64>) -> !onnx.unknown {
    // expected-error @below {{node (MaxUnpool of opset 24): expected a kernel_shape of 0 dimensions, of images with at least one, found 'tensor<4xf32>'}}
    %0 = onnx.node "MaxUnpool"(%x, %p) {kernel_shape = array<i64: 2>} : (tensor<4xf32>, tensor<4xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
