// scale * x + bias, with both as parameters.
#id = affine_map<(i) -> (i)>
util.global private @scale = #flow.parameter.named<"model"::"scale"> : tensor<4xf32>
util.global private @bias = #flow.parameter.named<"model"::"bias"> : tensor<4xf32>
flow.executable private @ex {
  flow.executable.export public @madd
  builtin.module {
    func.func @madd(%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>,
                    %s: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>,
                    %b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>,
                    %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      %0 = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      %1 = iree_tensor_ext.dispatch.tensor.load %s, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      %2 = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
          ins(%0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%in: f32, %scale: f32, %bias: f32, %out: f32):
        %4 = arith.mulf %in, %scale : f32
        %5 = arith.addf %4, %bias : f32
        linalg.yield %5 : f32
      } -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %3, %y, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
      return
    }
  }
}
util.func public @main(%arg0: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4xf32>
  %scale = util.global.load immutable @scale : tensor<4xf32>
  %bias = util.global.load immutable @bias : tensor<4xf32>
  %1 = flow.dispatch @ex::@madd(%0, %scale, %bias) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = flow.tensor.clone %1 : tensor<4xf32>
  %3 = hal.tensor.export %2 "output0" : tensor<4xf32> -> !hal.buffer_view
  util.return %3 : !hal.buffer_view
}
