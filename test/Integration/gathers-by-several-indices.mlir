// Elements by several computed indices, and by narrow ones, as front ends write them, on the NPU.

// RUN: npu-run %s --check --npu-fallback=error --function=torch_index "--input=9x4x16xf32=random(1)" "--input=6xi32=0 8 -1 3 20 3" "--input=6xi32=0 3 1 -7 2 9" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=bytes "--input=9x16xf32=random(1)" "--input=6xi8=0 8 -1 3 100 5" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=edge_pad | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=resize --target=npu-v1:sramBytes=65536 | FileCheck %s

// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
// torch's x[i, j].
func.func @torch_index(%t: tensor<9x4x16xf32>, %i: tensor<6xi32>, %j: tensor<6xi32>) -> tensor<6x16xf32> {
  %e = tensor.empty() : tensor<6x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%i, %j : tensor<6xi32>, tensor<6xi32>) outs(%e : tensor<6x16xf32>) {
  ^bb0(%p: i32, %q: i32, %o: f32):
    %x = arith.index_cast %p : i32 to index
    %y = arith.index_cast %q : i32 to index
    %z = linalg.index 1 : index
    %r = tensor.extract %t[%x, %y, %z] : tensor<9x4x16xf32>
    linalg.yield %r : f32
  } -> tensor<6x16xf32>
  return %0 : tensor<6x16xf32>
}

// A table that bytes choose from.
func.func @bytes(%t: tensor<9x16xf32>, %i: tensor<6xi8>) -> tensor<6x16xf32> {
  %e = tensor.empty() : tensor<6x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<6xi8>) outs(%e : tensor<6x16xf32>) {
  ^bb0(%p: i8, %o: f32):
    %x = arith.index_cast %p : i8 to index
    %z = linalg.index 1 : index
    %r = tensor.extract %t[%x, %z] : tensor<9x16xf32>
    linalg.yield %r : f32
  } -> tensor<6x16xf32>
  return %0 : tensor<6x16xf32>
}

func.func @edge_pad(%x: tensor<2x3x7x9xf32>) -> !onnx.unknown {
  %p = onnx.constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %0 = onnx.node "Pad"(%x, %p) {mode = "edge"} : (tensor<2x3x7x9xf32>, tensor<8xi64>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

func.func @resize(%x: tensor<1x3x7x9xf32>) -> !onnx.unknown {
  %none = onnx.none : none
  %n = onnx.constant dense<[1, 3, 15, 20]> : tensor<4xi64>
  %0 = onnx.node "Resize"(%x, %none, %none, %n) {mode = "nearest"} : (tensor<1x3x7x9xf32>, none, none, tensor<4xi64>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
}
