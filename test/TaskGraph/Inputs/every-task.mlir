// A host function that needs every kind of task and of buffer: values that are changed in place while their old
// contents are still needed, a splat that is used twice, boxes, views, and outputs that are inputs or the same value.
// An initializer's result, too, may be wanted in place and again. The NPU runs the first dispatch function, the host the
// second, which computes in f64.
flow.executable private @twice_0 {
  flow.executable.export public @first workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @first(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x32xf32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32>> -> tensor<4x16xf32>
      %1 = tensor.empty() : tensor<4x16xf32>
      %2 = linalg.add ins(%0, %0 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%1 : tensor<4x16xf32>) -> tensor<4x16xf32>
      iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : tensor<4x16xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x32xf32>>
      return
    }
  }
}
flow.executable private @copy_1 {
  flow.executable.export public @second workgroups() -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @second(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x32xf32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32>> -> tensor<4x16xf32>
      %1 = tensor.empty() : tensor<4x16xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%1 : tensor<4x16xf32>) {
      ^bb0(%out: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %x = tensor.extract %0[%i, %j] : tensor<4x16xf32>
        %d = arith.extf %x : f32 to f64
        %q = arith.mulf %d, %d : f64
        %r = arith.truncf %q : f64 to f32
        linalg.yield %r : f32
      } -> tensor<4x16xf32>
      iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0, 16], sizes = [4, 16], strides = [1, 1] : tensor<4x16xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x32xf32>>
      return
    }
  }
}
util.global private @weights = dense<2.5> : tensor<4x16xf32>
util.global private @computed : tensor<4x32xf32>
util.initializer {
  %three = arith.constant 3.0 : f32
  %weights = util.global.load immutable @weights : tensor<4x16xf32>
  %threes = flow.tensor.splat %three : tensor<4x32xf32>
  %0 = flow.dispatch @copy_1::@second(%weights, %threes) : (tensor<4x16xf32>, tensor<4x32xf32>) -> %threes
  util.global.store %0, @computed : tensor<4x32xf32>
  util.return
}
util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view)
    -> (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4x16xf32>
  %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<4x16xf32>
  %weights = util.global.load immutable @weights : tensor<4x16xf32>
  %splat = flow.tensor.splat %one : tensor<4x32xf32>
  %2 = flow.dispatch @twice_0::@first(%0, %splat) : (tensor<4x16xf32>, tensor<4x32xf32>) -> %splat
  %3 = flow.dispatch @copy_1::@second(%1, %2) : (tensor<4x16xf32>, tensor<4x32xf32>) -> %2
  %4 = flow.dispatch @copy_1::@second(%weights, %splat) : (tensor<4x16xf32>, tensor<4x32xf32>) -> %splat
  %5 = flow.dispatch @twice_0::@first(%1, %4) : (tensor<4x16xf32>, tensor<4x32xf32>) -> %4
  %9 = flow.dispatch @twice_0::@first(%weights, %3) : (tensor<4x16xf32>, tensor<4x32xf32>) -> %3
  %computed = util.global.load @computed : tensor<4x32xf32>
  %10 = flow.dispatch @twice_0::@first(%0, %computed) : (tensor<4x16xf32>, tensor<4x32xf32>) -> %computed
  %again = util.global.load @computed : tensor<4x32xf32>
  %6 = flow.tensor.slice %3[%c1, %c4 for %c2, %c8] : tensor<4x32xf32> -> tensor<2x8xf32>
  %7 = flow.tensor.update %6, %2[%c2, %c8] : tensor<2x8xf32> -> %2 as tensor<4x32xf32>
  %8 = flow.tensor.reshape %7 : tensor<4x32xf32> -> tensor<128xf32>
  %e0 = hal.tensor.export %3 "both" : tensor<4x32xf32> -> !hal.buffer_view
  %e1 = hal.tensor.export %8 "flat" : tensor<128xf32> -> !hal.buffer_view
  %e2 = hal.tensor.export %0 "input" : tensor<4x16xf32> -> !hal.buffer_view
  %e3 = hal.tensor.export %splat "ones" : tensor<4x32xf32> -> !hal.buffer_view
  %e4 = hal.tensor.export %3 "again" : tensor<4x32xf32> -> !hal.buffer_view
  %e5 = hal.tensor.export %5 "kept" : tensor<4x32xf32> -> !hal.buffer_view
  %e6 = hal.tensor.export %9 "other" : tensor<4x32xf32> -> !hal.buffer_view
  %e7 = hal.tensor.export %10 "changed" : tensor<4x32xf32> -> !hal.buffer_view
  %e8 = hal.tensor.export %again "computed" : tensor<4x32xf32> -> !hal.buffer_view
  util.return %e0, %e1, %e2, %e3, %e4, %e5, %e6, %e7, %e8 : !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view
}
