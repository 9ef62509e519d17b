// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file --verify-diagnostics %s

module attributes {onnx.opset = {ai.onnx = 14 : i64}} {
  func.func @reshape(%x0: tensor<2x3xf32>, %x1: tensor<0x3xf32>, %x2: tensor<2xi64>, %x3: tensor<1x3xf32>, %x4: tensor<1xi64>, %x5: tensor<f32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[2, 2]> : tensor<2xi64>
    %c1 = onnx.constant dense<[-1, -1]> : tensor<2xi64>
    %c2 = onnx.constant dense<[2, 3, 0]> : tensor<3xi64>
    %c3 = onnx.constant dense<[4, -1]> : tensor<2xi64>
    %c4 = onnx.constant dense<[0, -1]> : tensor<2xi64>
    %c5 = onnx.constant dense<[-2, 3]> : tensor<2xi64>
    %c6 = onnx.constant dense<[1099511627776, 1099511627776, 1099511627776]> : tensor<3xi64>
    %c7 = onnx.constant dense<[1]> : tensor<1xi64>
    %c8 = onnx.constant dense<[0, -2]> : tensor<2xi64>
    %c9 = onnx.constant dense<[4]> : tensor<1xi64>
    %c10 = onnx.constant dense<0> : tensor<31xi64>
    // expected-error @+1 {{node (Reshape of opset 14): expected a shape, found none}}
    %0 = onnx.node "Reshape"(%x0) : (tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Reshape of opset 14): expected a shape for 6 elements, found [2, 2]}}
    %1 = onnx.node "Reshape"(%x0, %c0) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Reshape of opset 14): expected one dimension to be -1, found two}}
    %2 = onnx.node "Reshape"(%x0, %c1) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Reshape of opset 14): expected 0 to stand for a dimension of the input, found it as dimension 2 of 2}}
    %3 = onnx.node "Reshape"(%x0, %c2) : (tensor<2x3xf32>, tensor<3xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Reshape of opset 14): expected a shape for 6 elements, found [4, -1]}}
    %4 = onnx.node "Reshape"(%x0, %c3) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Reshape of opset 14): expected a shape for 0 elements, found [0, -1]}}
    %5 = onnx.node "Reshape"(%x1, %c4) {allowzero = 1 : i64} : (tensor<0x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Reshape of opset 14): expected a shape for 6 elements, found [-2, 3]}}
    %6 = onnx.node "Reshape"(%x0, %c5) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Reshape of opset 14): expected a shape for 6 elements, found [1099511627776, 1099511627776, 1099511627776]}}
    %7 = onnx.node "Reshape"(%x0, %c6) : (tensor<2x3xf32>, tensor<3xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Reshape of opset 14): expected input 1 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %8 = onnx.node "Reshape"(%x0, %x2) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Flatten of opset 14): expected an axis from -2 to 2, found 3}}
    %9 = onnx.node "Flatten"(%x0) {axis = 3 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Squeeze of opset 14): expected dimension 1 to have one element, found 3}}
    %10 = onnx.node "Squeeze"(%x3, %c7) : (tensor<1x3xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Squeeze of opset 14): expected every axis once, found -2 twice}}
    %11 = onnx.node "Squeeze"(%x3, %c8) : (tensor<1x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Squeeze of opset 14): expected input 1 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %12 = onnx.node "Squeeze"(%x3, %x4) : (tensor<1x3xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Unsqueeze of opset 14): expected an axis from -3 to 2, found 4}}
    %13 = onnx.node "Unsqueeze"(%x0, %c9) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Unsqueeze of opset 14): expected axes, found none}}
    %14 = onnx.node "Unsqueeze"(%x0) : (tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Unsqueeze of opset 14): expected fewer axes, found 31}}
    %15 = onnx.node "Unsqueeze"(%x0, %c10) : (tensor<2x3xf32>, tensor<31xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Transpose of opset 14): expected perm to have each of 2 dimensions once, found [0, 0]}}
    %16 = onnx.node "Transpose"(%x0) {perm = array<i64: 0, 0>} : (tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Transpose of opset 14): expected perm to have each of 2 dimensions once, found [0]}}
    %17 = onnx.node "Transpose"(%x0) {perm = array<i64: 0>} : (tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Transpose of opset 14): expected perm to have each of 0 dimensions once, found [-1]}}
    %18 = onnx.node "Transpose"(%x5) {perm = array<i64: -1>} : (tensor<f32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @concat_and_split(%x0: tensor<2x3xf32>, %x1: tensor<2x4xf32>, %x2: tensor<3xf32>, %x3: tensor<2x3xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    %c1 = onnx.constant dense<[1, 1]> : tensor<2xi64>
    %c2 = onnx.constant dense<[4, -1]> : tensor<2xi64>
    %c3 = onnx.constant dense<[1, 1, 1]> : tensor<3xi64>
    // expected-error @+1 {{node (Concat of opset 18): expected an axis, found none}}
    %0 = onnx.node "Concat"(%x0) : (tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Concat of opset 18): expected inputs that differ in dimension 0 only, found 'tensor<2x3xf32>' and 'tensor<2x4xf32>'}}
    %1 = onnx.node "Concat"(%x0, %x1) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Concat of opset 18): expected inputs that differ in dimension 0 only, found 'tensor<2x3xf32>' and 'tensor<3xf32>'}}
    %2 = onnx.node "Concat"(%x0, %x2) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Concat of opset 18): expected inputs that differ in dimension 0 only, found 'tensor<2x3xf32>' and 'tensor<2x3xf16>'}}
    %3 = onnx.node "Concat"(%x0, %x3) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf16>) -> !onnx.unknown
    // expected-error @+1 {{node (Concat of opset 18): expected an axis from -2 to 1, found 2}}
    %4 = onnx.node "Concat"(%x0) {axis = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Concat of opset 18): expected input 1, found none}}
    %5 = onnx.node "Concat"(%x0, %none, %x0) {axis = 0 : i64} : (tensor<2x3xf32>, none, tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Split of opset 18): expected 2 parts of together 3 elements, found [1, 1]}}
    %6:2 = onnx.node "Split"(%x0, %c1) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @+1 {{node (Split of opset 18): expected parts of 3 elements along axis 1, found [4, -1]}}
    %7:2 = onnx.node "Split"(%x0, %c2) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @+1 {{node (Split of opset 18): expected 2 parts of together 3 elements, found [1, 1, 1]}}
    %8:2 = onnx.node "Split"(%x0, %c3) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @+1 {{node (Split of opset 18): expected 3 elements along axis 1 to split into 2 equal parts}}
    %9:2 = onnx.node "Split"(%x0) {axis = 1 : i64} : (tensor<2x3xf32>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @+1 {{node (Split of opset 18): expected num_outputs to be 2, found 3}}
    %10:2 = onnx.node "Split"(%x0) {axis = 1 : i64, num_outputs = 3 : i64} : (tensor<2x3xf32>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @+1 {{node (Split of opset 18): expected an axis from -2 to 1, found 2}}
    %11 = onnx.node "Split"(%x0) {axis = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6#0, %7#0, %8#0, %9#0, %10#0, %11 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @slice_pad_and_copy(%x0: tensor<2x3xf32>, %x1: tensor<1xi64>, %x2: tensor<2xf32>, %x3: tensor<f16>, %x4: tensor<1x1xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[0]> : tensor<1xi64>
    %c1 = onnx.constant dense<[1, 2]> : tensor<2xi64>
    %c2 = onnx.constant dense<[1]> : tensor<1xi64>
    %c3 = onnx.constant dense<[2]> : tensor<1xi64>
    %c4 = onnx.constant dense<[0, 0, 0]> : tensor<3xi64>
    %c5 = onnx.constant dense<[1, 1, 1]> : tensor<3xi64>
    %c6 = onnx.constant dense<0> : tensor<8589934592xi64>
    %c7 = onnx.constant dense<[0, 0, 0, 0]> : tensor<4xi64>
    %c8 = onnx.constant dense<[0, 0]> : tensor<2xi64>
    %c9 = onnx.constant dense<[0, 0, 0, 1099511627776]> : tensor<4xi64>
    %c10 = onnx.constant dense<[-2, 0, -1, 0]> : tensor<4xi64>
    %c11 = onnx.constant dense<[-2, 0, 1, 0]> : tensor<4xi64>
    %none = onnx.none : none
    %c13 = onnx.constant dense<[2, 2]> : tensor<2xi64>
    %c14 = onnx.constant dense<[-1, 3]> : tensor<2xi64>
    %c15 = onnx.constant dense<[2097152, 2097152]> : tensor<2xi64>
    %c16 = onnx.constant dense<[1, -1]> : tensor<2xi64>
    %c17 = onnx.constant dense<[2147483647, 2147483647]> : tensor<2xi64>
    // expected-error @+1 {{node (Slice of opset 18): expected starts and ends, found none}}
    %0 = onnx.node "Slice"(%x0, %c0) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Slice of opset 18): expected as many ends, axes and steps as starts (1), found lists of other lengths}}
    %1 = onnx.node "Slice"(%x0, %c0, %c1) : (tensor<2x3xf32>, tensor<1xi64>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Slice of opset 18): expected steps other than 0}}
    %2 = onnx.node "Slice"(%x0, %c0, %c2, %c0, %c0) : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Slice of opset 18): expected an axis from -2 to 1, found 2}}
    %3 = onnx.node "Slice"(%x0, %c0, %c2, %c3) : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Slice of opset 18): expected an axis from -2 to 1, found 2}}
    %4 = onnx.node "Slice"(%x0, %c4, %c5) : (tensor<2x3xf32>, tensor<3xi64>, tensor<3xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Slice of opset 18): expected input 2 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %5 = onnx.node "Slice"(%x0, %c0, %x1) : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Slice of opset 18): expected 'starts' (input 1) to be a constant of at most 4194304 integers, found 'tensor<8589934592xi64>'}}
    %6 = onnx.node "Slice"(%x0, %c6, %c2) : (tensor<2x3xf32>, tensor<8589934592xi64>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected mode to be constant, reflect, edge or wrap, found 'mirror'}}
    %7 = onnx.node "Pad"(%x0, %c7) {mode = "mirror"} : (tensor<2x3xf32>, tensor<4xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected pads, found none}}
    %8 = onnx.node "Pad"(%x0) : (tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected 4 pads, found 2}}
    %9 = onnx.node "Pad"(%x0, %c8) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected pads from -2147483647 to 2147483647, found 0 and 1099511627776}}
    %10 = onnx.node "Pad"(%x0, %c9) : (tensor<2x3xf32>, tensor<4xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected at most 2 elements to be taken away in dimension 0, found pads -2 and -1}}
    %11 = onnx.node "Pad"(%x0, %c10) : (tensor<2x3xf32>, tensor<4xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected elements to pad dimension 0 with, found none; pad with a constant}}
    %12 = onnx.node "Pad"(%x0, %c11) {mode = "edge"} : (tensor<2x3xf32>, tensor<4xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected one 'f32' to pad with, found 'tensor<2xf32>'}}
    %13 = onnx.node "Pad"(%x0, %c7, %x2) : (tensor<2x3xf32>, tensor<4xi64>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected one 'f32' to pad with, found 'tensor<f16>'}}
    %14 = onnx.node "Pad"(%x0, %c7, %x3) : (tensor<2x3xf32>, tensor<4xi64>, tensor<f16>) -> !onnx.unknown
    // expected-error @+1 {{node (Pad of opset 18): expected an axis from -2 to 1, found 2}}
    %15 = onnx.node "Pad"(%x0, %c8, %none, %c3) : (tensor<2x3xf32>, tensor<2xi64>, none, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Expand of opset 18): expected a shape that 'tensor<2x3xf32>' broadcasts to, found [2, 2]}}
    %16 = onnx.node "Expand"(%x0, %c13) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Expand of opset 18): expected a shape that 'tensor<2x3xf32>' broadcasts to, found [-1, 3]}}
    %17 = onnx.node "Expand"(%x0, %c14) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Expand of opset 18): expected a shape that 'tensor<1x1xf32>' broadcasts to, found [2097152, 2097152]}}
    %18 = onnx.node "Expand"(%x4, %c15) : (tensor<1x1xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Tile of opset 18): expected 2 repeats, found 1}}
    %19 = onnx.node "Tile"(%x0, %c2) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Tile of opset 18): expected repeats from 0 to 2147483647, found -1}}
    %20 = onnx.node "Tile"(%x0, %c16) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Tile of opset 18): expected output 0 to have at most 137438953472 elements in 32 dimensions, found the shape [4294967294, 6442450941]}}
    %21 = onnx.node "Tile"(%x0, %c17) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @blocks(%x0: tensor<1x4x2x2xf32>, %x1: tensor<4x2x2xf32>, %x2: tensor<1x6x2x2xf32>, %x3: tensor<1x4x3x2xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (DepthToSpace of opset 13): expected a blocksize from 1 to 65536, found 0}}
    %0 = onnx.node "DepthToSpace"(%x0) {blocksize = 0 : i64} : (tensor<1x4x2x2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (DepthToSpace of opset 13): expected an input of 4 dimensions, found 'tensor<4x2x2xf32>'}}
    %1 = onnx.node "DepthToSpace"(%x1) {blocksize = 2 : i64} : (tensor<4x2x2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (DepthToSpace of opset 13): expected channels in blocks of 4, found 6}}
    %2 = onnx.node "DepthToSpace"(%x2) {blocksize = 2 : i64} : (tensor<1x6x2x2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (DepthToSpace of opset 13): expected mode to be DCR or CRD, found 'RCD'}}
    %3 = onnx.node "DepthToSpace"(%x0) {blocksize = 2 : i64, mode = "RCD"} : (tensor<1x4x2x2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (SpaceToDepth of opset 13): expected height and width in blocks of 2, found 3 and 2}}
    %4 = onnx.node "SpaceToDepth"(%x3) {blocksize = 2 : i64} : (tensor<1x4x3x2xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 1 : i64}} {
  func.func @tile_of_opset_1(%x0: tensor<2x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[1, 2]> : tensor<2xi64>
    %c1 = onnx.constant dense<[0]> : tensor<1xi64>
    %c2 = onnx.constant dense<[2]> : tensor<1xi64>
    %c3 = onnx.constant dense<[5]> : tensor<1xi64>
    // expected-error @+1 {{node (Tile of opset 1): expected 'tiles' (input 1) to be one number, found 2}}
    %0 = onnx.node "Tile"(%x0, %c0, %c1) : (tensor<2x3xf32>, tensor<2xi64>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Tile of opset 1): expected an axis from -2 to 1, found 5}}
    %1 = onnx.node "Tile"(%x0, %c2, %c3) : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

// What became inputs is said by them since, and by attributes before.
module attributes {onnx.opset = {ai.onnx = 12 : i64}} {
  func.func @before(%x: tensor<1x4xf32>, %axes: tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %zero = onnx.constant dense<0> : tensor<1xi64>
    // expected-error @+1 {{node (Squeeze of opset 12): expected 1 input and the attributes axes before opset 13, found 2 inputs}}
    %0 = onnx.node "Squeeze"(%x, %zero) : (tensor<1x4xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (ReduceMax of opset 12): expected 1 input and the attributes axes before opset 18, found 2 inputs}}
    %1 = onnx.node "ReduceMax"(%x, %zero) : (tensor<1x4xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Slice of opset 12): expected an input instead of the attribute ends from opset 10 on}}
    %2 = onnx.node "Slice"(%x) {ends = array<i64: 1>, starts = array<i64: 0>} : (tensor<1x4xf32>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// The first Split had the sizes as an attribute or as an input.
module attributes {onnx.opset = {ai.onnx = 1 : i64}} {
  func.func @first(%x: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %sizes = onnx.constant dense<[1, 3]> : tensor<2xi64>
    %0:2 = onnx.node "Split"(%x, %sizes) : (tensor<4xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }
}
