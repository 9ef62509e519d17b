// A 3x3 convolution of ResNet-50's first stage (56x56, 64 to 64 channels) with bias and ReLU, at IREE's flow
// level: the dispatch in its executable, the host function around it.
module @resnet_conv {
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_conv_56x56x64x3x3x64_f16 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_conv_56x56x64x3x3x64_f16(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<58x58x64xf16>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x3x64x64xf16>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf16>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<56x56x64xf16>>) {
        %cst = arith.constant 0.000000e+00 : f16
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [58, 58, 64], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<58x58x64xf16>> -> tensor<58x58x64xf16>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0, 0], sizes = [3, 3, 64, 64], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x3x64x64xf16>> -> tensor<3x3x64x64xf16>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf16>> -> tensor<64xf16>
        %3 = tensor.empty() : tensor<56x56x64xf16>
        %4 = linalg.fill ins(%cst : f16) outs(%3 : tensor<56x56x64xf16>) -> tensor<56x56x64xf16>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d3, d1 + d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5, d2)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%0, %1 : tensor<58x58x64xf16>, tensor<3x3x64x64xf16>) outs(%4 : tensor<56x56x64xf16>) {
        ^bb0(%in: f16, %in_0: f16, %out: f16):
          %7 = arith.mulf %in, %in_0 : f16
          %8 = arith.addf %out, %7 : f16
          linalg.yield %8 : f16
        } -> tensor<56x56x64xf16>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %2 : tensor<56x56x64xf16>, tensor<64xf16>) outs(%3 : tensor<56x56x64xf16>) {
        ^bb0(%in: f16, %in_0: f16, %out: f16):
          %7 = arith.addf %in, %in_0 : f16
          %8 = arith.maximumf %7, %cst : f16
          linalg.yield %8 : f16
        } -> tensor<56x56x64xf16>
        iree_tensor_ext.dispatch.tensor.store %6, %arg3, offsets = [0, 0, 0], sizes = [56, 56, 64], strides = [1, 1, 1] : tensor<56x56x64xf16> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<56x56x64xf16>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<1x58x58x64xf16>
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<3x3x64x64xf16>
    %2 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<64xf16>
    %3 = flow.tensor.reshape %0 : tensor<1x58x58x64xf16> -> tensor<58x58x64xf16>
    %4 = flow.dispatch @main_dispatch_0::@main_dispatch_0_conv_56x56x64x3x3x64_f16(%3, %1, %2) : (tensor<58x58x64xf16>, tensor<3x3x64x64xf16>, tensor<64xf16>) -> tensor<56x56x64xf16>
    %5 = flow.tensor.reshape %4 : tensor<56x56x64xf16> -> tensor<1x56x56x64xf16>
    %6 = hal.tensor.export %5 "output0" : tensor<1x56x56x64xf16> -> !hal.buffer_view
    util.return %6 : !hal.buffer_view
  }
}
