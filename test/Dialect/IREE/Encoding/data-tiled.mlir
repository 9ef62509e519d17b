// What IREE prints of a model with data tiling is read and printed as it is, and runs as the model:
// the layouts that it has planned are dropped.

// RUN: sed -n '/^#map = /,$p' %s > %t.mlir && npu-opt %t.mlir | diff -B %t.mlir -
// RUN: npu-opt %t.mlir --mlir-print-local-scope | npu-opt | diff -B %t.mlir -
// RUN: npu-opt %t.mlir --mlir-print-op-generic | npu-opt | diff -B %t.mlir -
// RUN: npu-opt %t.mlir --emit-bytecode | npu-opt | diff -B %t.mlir -
// RUN: npu-opt %s --npu-import-dispatches | FileCheck %s --implicit-check-not=iree_encoding
// RUN: npu-run %s --check --input='random(1)' | FileCheck %s --check-prefix=RAN
// RUN: npu-run %s --input=4x8xf32=1 --expected_output=4x4xf32=24
// RUN: npu-run %s --plan | FileCheck %s --check-prefix=PLAN
// RUN: npu-opt %s --npu-print-dispatches -o /dev/null | FileCheck %s --check-prefix=LIST
// RUN: npu-opt %s --npu-codegen-pipeline=fallback=host | FileCheck %s --check-prefix=CODE --implicit-check-not=iree_encoding

// CHECK:      util.global private @hoisted : tensor<8x16xf32>
// CHECK:        util.global.store %cst, @hoisted : tensor<8x16xf32>
// CHECK:      func.func @encode_lhs(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:   return %arg0
// CHECK:      linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x16xf32>)
// CHECK:      flow.dispatch @encode_lhs::@encode_lhs(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>

// RAN:      Dispatch #1: op: copy shape=4x8 dtype: f32
// RAN:      on the NPU: 5 of 5 dispatches
// RAN:      matches host
// PLAN:     planned on the NPU: 5 of 5 dispatches
// LIST:     Dispatch #2: op: linalg.matmul M=4 N=16 K=8 dtype: f32
// CODE:     npu_isa.program @layer0

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#encoding = #iree_encoding.encoding<operand_index = 1 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [#map, #map1, #map2], iteration_sizes = [4, 16, 8]>
#encoding1 = #iree_encoding.encoding<operand_index = 1 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [#map, #map1, #map2], iteration_sizes = [4, 4, 16]>
#encoding2 = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [#map, #map1, #map2], iteration_sizes = [4, 16, 8]>
#encoding3 = #iree_encoding.encoding<operand_index = 2 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [#map, #map1, #map2], iteration_sizes = [4, 16, 8]>
#encoding4 = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [#map, #map1, #map2], iteration_sizes = [4, 4, 16]>
#encoding5 = #iree_encoding.encoding<operand_index = 2 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [#map, #map1, #map2], iteration_sizes = [4, 4, 16]>
module @mlp {
  util.global private @hoisted : tensor<8x16xf32, #encoding>
  util.global private @hoisted_0 : tensor<16x4xf32, #encoding1>
  util.initializer {
    %cst = arith.constant dense<2.500000e-01> : tensor<8x16xf32>
    %0 = flow.tensor.encode %cst : tensor<8x16xf32> -> tensor<8x16xf32, #encoding>
    util.global.store %0, @hoisted : tensor<8x16xf32, #encoding>
    util.return
  }
  util.initializer {
    %cst = arith.constant dense<5.000000e-01> : tensor<16x4xf32>
    %0 = flow.dispatch @encode_rhs::@encode_rhs(%cst) : (tensor<16x4xf32>) -> tensor<16x4xf32, #encoding1>
    util.global.store %0, @hoisted_0 : tensor<16x4xf32, #encoding1>
    util.return
  }
  flow.executable private @encode_rhs {
    flow.executable.export public @encode_rhs workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @encode_rhs(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x4xf32, #encoding1>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [16, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32>> -> tensor<16x4xf32>
        %1 = iree_encoding.set_encoding %0 : tensor<16x4xf32> -> tensor<16x4xf32, #encoding1>
        iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0, 0], sizes = [16, 4], strides = [1, 1] : tensor<16x4xf32, #encoding1> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x4xf32, #encoding1>>
        return
      }
    }
  }
  flow.executable private @encode_lhs {
    flow.executable.export public @encode_lhs workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @encode_lhs(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32, #encoding2>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %1 = iree_encoding.set_encoding %0 : tensor<4x8xf32> -> tensor<4x8xf32, #encoding2>
        iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32, #encoding2> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32, #encoding2>>
        return
      }
    }
  }
  flow.executable private @layer0 {
    flow.executable.export public @layer0_matmul_4x16x8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @layer0_matmul_4x16x8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32, #encoding2>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x16xf32, #encoding>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x16xf32, #encoding3>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32, #encoding2>> -> tensor<4x8xf32, #encoding2>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [8, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x16xf32, #encoding>> -> tensor<8x16xf32, #encoding>
        %2 = tensor.empty() : tensor<4x16xf32, #encoding3>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x16xf32, #encoding3>) -> tensor<4x16xf32, #encoding3>
        %4 = linalg.matmul ins(%0, %1 : tensor<4x8xf32, #encoding2>, tensor<8x16xf32, #encoding>) outs(%3 : tensor<4x16xf32, #encoding3>) -> tensor<4x16xf32, #encoding3>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : tensor<4x16xf32, #encoding3> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x16xf32, #encoding3>>
        return
      }
    }
  }
  flow.executable private @relu {
    flow.executable.export public @relu_unset_encoding_4x16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @relu_unset_encoding_4x16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32, #encoding3>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x16xf32, #encoding4>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %cst_0 = arith.constant dense<1.000000e+00> : tensor<16xf32>
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32, #encoding3>> -> tensor<4x16xf32, #encoding3>
        %1 = iree_encoding.unset_encoding %0 : tensor<4x16xf32, #encoding3> -> tensor<4x16xf32>
        %2 = tensor.empty() : tensor<4x16xf32>
        %3 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%1, %cst_0 : tensor<4x16xf32>, tensor<16xf32>) outs(%2 : tensor<4x16xf32>) {
        ^bb0(%in: f32, %in_1: f32, %out: f32):
          %5 = arith.addf %in, %in_1 : f32
          %6 = arith.maximumf %5, %cst : f32
          linalg.yield %6 : f32
        } -> tensor<4x16xf32>
        %4 = iree_encoding.set_encoding %3 : tensor<4x16xf32> -> tensor<4x16xf32, #encoding4>
        iree_tensor_ext.dispatch.tensor.store %4, %arg1, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : tensor<4x16xf32, #encoding4> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x16xf32, #encoding4>>
        return
      }
    }
  }
  flow.executable private @layer1 {
    flow.executable.export public @layer1_matmul_4x4x16_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @layer1_matmul_4x4x16_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32, #encoding4>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32, #encoding1>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32, #encoding5>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x16xf32, #encoding4>> -> tensor<4x16xf32, #encoding4>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [16, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x4xf32, #encoding1>> -> tensor<16x4xf32, #encoding1>
        %2 = tensor.empty() : tensor<4x4xf32, #encoding5>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x4xf32, #encoding5>) -> tensor<4x4xf32, #encoding5>
        %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0, %1 : tensor<4x16xf32, #encoding4>, tensor<16x4xf32, #encoding1>) outs(%3 : tensor<4x4xf32, #encoding5>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %5 = arith.mulf %in, %in_0 : f32
          %6 = arith.addf %out, %5 : f32
          linalg.yield %6 : f32
        } -> tensor<4x4xf32, #encoding5>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32, #encoding5> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32, #encoding5>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<4x8xf32>) -> (%output0: tensor<4x4xf32>)"}} {
    %hoisted = util.global.load immutable @hoisted : tensor<8x16xf32, #encoding>
    %hoisted_0 = util.global.load immutable @hoisted_0 : tensor<16x4xf32, #encoding1>
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4x8xf32>
    %1 = flow.dispatch @encode_lhs::@encode_lhs(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32, #encoding2>
    %2 = flow.dispatch @layer0::@layer0_matmul_4x16x8_f32(%1, %hoisted) : (tensor<4x8xf32, #encoding2>, tensor<8x16xf32, #encoding>) -> tensor<4x16xf32, #encoding3>
    %3 = flow.dispatch @relu::@relu_unset_encoding_4x16_f32(%2) : (tensor<4x16xf32, #encoding3>) -> tensor<4x16xf32, #encoding4>
    %4 = flow.dispatch @layer1::@layer1_matmul_4x4x16_f32(%3, %hoisted_0) : (tensor<4x16xf32, #encoding4>, tensor<16x4xf32, #encoding1>) -> tensor<4x4xf32, #encoding5>
    %5 = flow.tensor.encode %4 : tensor<4x4xf32, #encoding5> -> tensor<4x4xf32>
    %6 = hal.tensor.export %5 "output0" : tensor<4x4xf32> -> !hal.buffer_view
    util.return %6 : !hal.buffer_view
  }
}
