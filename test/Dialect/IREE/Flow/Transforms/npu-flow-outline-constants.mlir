// RUN: npu-opt --npu-flow-outline-constants %s --split-input-file | FileCheck %s

// A table and a parameter become globals, a splat stays.
// CHECK:       util.global private @__constant_tensor_4xi8 {inlining_policy = #util.inline.never} = dense<[12, -7, 0, 55]> : tensor<4xi8>
// CHECK-NEXT:  util.global private @__parameter_net_fc_weight_tensor_2x3xf16 {inlining_policy = #util.inline.never} = #flow.parameter.named<"net"::"fc.weight"> : tensor<2x3xf16>
// CHECK-LABEL: util.func public @lut() -> (tensor<4xi8>, tensor<9xf32>, tensor<2x3xf16>) {
// CHECK-NEXT:    %[[V0:.*]] = util.global.load immutable @__constant_tensor_4xi8 : tensor<4xi8>
// CHECK-NEXT:    %[[V1:.*]] = arith.constant dense<7.500000e-01> : tensor<9xf32>
// CHECK-NEXT:    %[[V2:.*]] = util.global.load immutable @__parameter_net_fc_weight_tensor_2x3xf16 : tensor<2x3xf16>
// CHECK-NEXT:    util.return %[[V0]], %[[V1]], %[[V2]] : tensor<4xi8>, tensor<9xf32>, tensor<2x3xf16>
// CHECK-NEXT:  }
util.func public @lut() -> (tensor<4xi8>, tensor<9xf32>, tensor<2x3xf16>) {
  %cst = arith.constant dense<[12, -7, 0, 55]> : tensor<4xi8>
  %cst_0 = arith.constant dense<7.500000e-01> : tensor<9xf32>
  %0 = flow.tensor.constant #flow.parameter.named<"net"::"fc.weight"> : tensor<2x3xf16>
  util.return %cst, %cst_0, %0 : tensor<4xi8>, tensor<9xf32>, tensor<2x3xf16>
}

// -----

// Names are unique; an attribute of another dialect goes to the global, and so does data that stands
// elsewhere. Constants of initializers are outlined as well.
// CHECK:       util.global private @__constant_tensor_2xi8 {inlining_policy = #util.inline.never} = dense<[1, 2]> : tensor<2xi8>
// CHECK-NEXT:  util.func public @two
// CHECK:       util.global private @__constant_tensor_2xi8_0 {inlining_policy = #util.inline.never, stream.affinity = #hal.device.affinity<@dev>} = dense<[3, 4]> : tensor<2xi8>
// CHECK-NEXT:  util.global private @__constant_tensor_2xi8_1 {inlining_policy = #util.inline.never} = dense_resource<blob> : tensor<2xi8>
// CHECK-NEXT:  util.initializer
// CHECK-NEXT:    util.global.load immutable @__constant_tensor_2xi8_0
// CHECK-NEXT:    util.global.load immutable @__constant_tensor_2xi8_1
util.global private @dev = #hal.device.target<"npu"> : !hal.device
util.global private @sink : tensor<2xi8>
util.func public @two() -> tensor<2xi8> {
  %0 = arith.constant dense<[1, 2]> : tensor<2xi8>
  util.return %0 : tensor<2xi8>
}
util.initializer {
  %0 = arith.constant {stream.affinity = #hal.device.affinity<@dev>} dense<[3, 4]> : tensor<2xi8>
  %1 = arith.constant dense_resource<blob> : tensor<2xi8>
  %2 = arith.addi %0, %1 : tensor<2xi8>
  util.global.store %2, @sink : tensor<2xi8>
  util.return
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x010000000506"
    }
  }
#-}

// -----

// Constants of dispatches stay, in executables and in place.
// CHECK-NOT:   util.global private
// CHECK-LABEL: util.func public @place
flow.executable private @ex {
  flow.executable.export public @go
  builtin.module {
    func.func @go() -> tensor<2xi8> {
      %0 = arith.constant dense<[1, 2]> : tensor<2xi8>
      return %0 : tensor<2xi8>
    }
  }
}
util.func public @place() -> tensor<2xi8> {
  %0 = flow.dispatch.region -> (tensor<2xi8>) {
    %1 = arith.constant dense<[1, 2]> : tensor<2xi8>
    flow.return %1 : tensor<2xi8>
  }
  util.return %0 : tensor<2xi8>
}
