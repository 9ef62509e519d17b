// Encodings are text, but for the attributes in it: aliases are printed with what they stand for.

// RUN: npu-opt %s > %t.mlir && npu-opt %t.mlir | diff %t.mlir - && FileCheck %s < %t.mlir

// CHECK-DAG: [[MAP:#map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: [[MAP1:#map[0-9]*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: [[MAP2:#map[0-9]*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: [[MAP3:#map[0-9]*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #{{.*}} = #iree_encoding.encoding<operand_index = 0 : i64, op_type =  matmul, element_types = [f32, f32, f32]>
// CHECK-DAG: [[E1:#.*]] = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = {{\[}}{{\[}}[[MAP]], [[MAP3]]], [[MAP1]], [[MAP2]]], iteration_sizes = [?, 16, -1]>
// CHECK-DAG: [[E2:#.*]] = #iree_encoding.encoding<operand_index = 1 : index, op_type = conv, element_types = [i8, i8, i32], original_type = tensor<2x?xf32>, user_indexing_maps = {{\[}}[[MAP]], [[MAP1]], [[MAP2]]], bcast_map = [[MAP3]], round_dims_to = array<i64: 32, 32, 32>>
// CHECK-DAG: [[E3:#.*]] = #iree_encoding.testing<>
// CHECK-DAG: #{{.*}} = #iree_encoding.testing<layouts = [#iree_encoding.specialized<123>]>
// CHECK-DAG: #{{.*}} = #iree_encoding.layout<[#iree_cpu.cpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [-9223372036854775808, 1], outerDimsPerm = [0, 1]}}>]>
// CHECK-DAG: #{{.*}} = #iree_encoding.layout<[#iree_encoding.padding<[0, ?]>]>
// CHECK-DAG: #{{.*}} = #iree_encoding.matmul_k<k_dims = [1]>
// CHECK-DAG: #{{.*}} = #iree_encoding.unknown
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#config = #iree_codegen.lowering_config<tile_sizes = [[64, 64], [8, 32], [0, -1]]>
#e0 = #iree_encoding.encoding<operand_index = 0 : i64, op_type =  matmul, element_types = [f32, f32, f32]>
#e1 = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [[#map, #map3], #map1, #map2], iteration_sizes = [?, 16, -1]>
#e2 = #iree_encoding.encoding<operand_index = 1 : index, op_type = conv, element_types = [i8, i8, i32], original_type = tensor<2x?xf32>, user_indexing_maps = [#map, #map1, #map2], bcast_map = #map3, round_dims_to = array<i64: 32, 32, 32>>
#e3 = #iree_encoding.testing<>
#e4 = #iree_encoding.testing<layouts = [#iree_encoding.specialized<123>]>
#e5 = #iree_encoding.layout<[#iree_cpu.cpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [-9223372036854775808, 1], outerDimsPerm = [0, 1]}}>]>
#e6 = #iree_encoding.layout<[#iree_encoding.padding<[0, ?]>]>
#e7 = #iree_encoding.matmul_k<k_dims = [1]>
#e8 = #iree_encoding.identity
#e9 = #iree_encoding.specialized<123, tensor<?x?xf32>>
#e10 = #iree_encoding.unknown
#e11 = #iree_encoding.pad_encoding_layout<[0, 64]>
#e12 = #iree_encoding.layout<[#iree_gpu.gpu_encoding_resolver<configuration = {swizzle = {expandShape = [[["CrossIntrinsic", 4], ["CrossThread", 16 : i16]]], scale = 1.5 : f32}}>]>

// CHECK: func.func private @forms({{.*}}tensor<4x8xf32, #iree_encoding.identity>, tensor<4x8xf32, #iree_encoding.specialized<123, tensor<?x?xf32>>>{{.*}}tensor<4x8xf32, #iree_encoding.pad_encoding_layout<[0, 64]>>{{.*}}tensor<4x8xi1, #iree_encoding.packed_storage>
// CHECK-SAME: attributes {c = #iree_codegen.compilation_info<lowering_config = #iree_codegen.lowering_config<tile_sizes = {{\[}}[64, 64], [8, 32], [0, -1]]>, translation_info = <CPUDoubleTilingExpert>>}
func.func private @forms(tensor<4x8xf32, #e0>, tensor<4x8xf32, #e4>, tensor<4x8xf32, #e5>, tensor<4x8xf32, #e6>, tensor<4x8xf32, #e7>, tensor<4x8xf32, #e8>, tensor<4x8xf32, #e9>, tensor<4x8xf32, #e10>, tensor<4x8xf32, #e11>, tensor<4x8xi1, #iree_encoding.packed_storage>, tensor<4x8xf32, #e12>) attributes {c = #iree_codegen.compilation_info<lowering_config = #config, translation_info = <CPUDoubleTilingExpert>>}

// CHECK-LABEL: util.func public @ops
// CHECK-SAME: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32, [[E1]]>>
util.func public @ops(%a: tensor<?x64xf32>, %b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32, #e1>>, %m: index) -> tensor<?x64xf32> {
  // CHECK: %0 = iree_encoding.set_encoding %arg0 encoding_dims{%arg2} : tensor<?x64xf32> -> tensor<?x64xf32, [[E1]]>
  %0 = iree_encoding.set_encoding %a encoding_dims{%m} : tensor<?x64xf32> -> tensor<?x64xf32, #e1>
  // CHECK: %1 = iree_encoding.dim %0[0] : tensor<?x64xf32, [[E1]]>
  %1 = iree_encoding.dim %0[0] : tensor<?x64xf32, #e1>
  // CHECK: flow.dispatch.region -> (tensor<?x64xf32, [[E2]]>{%1})
  %2 = flow.dispatch.region -> (tensor<?x64xf32, #e2>{%1}) {
    %3 = tensor.empty(%1) : tensor<?x64xf32, #e2>
    flow.return %3 : tensor<?x64xf32, #e2>
  }
  // CHECK: iree_encoding.unset_encoding %2 encoding_dims{%arg2} : tensor<?x64xf32, [[E2]]> -> tensor<?x64xf32>{%arg2}
  %4 = iree_encoding.unset_encoding %2 encoding_dims{%m} : tensor<?x64xf32, #e2> -> tensor<?x64xf32>{%m}
  // CHECK: flow.tensor.encode %3 encoding_dims{%arg2, %arg2} : tensor<?x64xf32>{%arg2} -> tensor<?x64xf32, [[E3]]>{%arg2}
  %5 = flow.tensor.encode %4 encoding_dims{%m, %m} : tensor<?x64xf32>{%m} -> tensor<?x64xf32, #e3>{%m}
  // CHECK: iree_encoding.unset_encoding %4 : tensor<?x64xf32, [[E3]]> -> tensor<?x64xf32>{{$}}
  %6 = iree_encoding.unset_encoding %5 : tensor<?x64xf32, #e3> -> tensor<?x64xf32>
  util.return %6 : tensor<?x64xf32>
}
