// Ops that nothing here compiles are read and printed, and refused where they would run.

// RUN: npu-opt %s --split-input-file > %t.mlir && npu-opt %t.mlir --split-input-file | diff %t.mlir - && FileCheck %s < %t.mlir
// RUN: npu-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(npu-linalg-ext-lower-to-loops))' -o /dev/null

#map = affine_map<(d0) -> (d0)>
#row = affine_map<(d0) -> ()>

func.func @custom_op(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // CHECK: iree_linalg_ext.custom_op{indexing_maps = [#map, #map], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]} attributes {k = 1 : i64} ins(%arg0 : tensor<8xf32>) outs(%0 : tensor<8xf32>) {
  // CHECK-NEXT: ^bb0(%arg1: tensor<?xf32>, %arg2: tensor<?xf32>):
  // expected-error @below {{'iree_linalg_ext.custom_op' op expected an op that is compiled, this one is only read and printed; write it in linalg}}
  %0 = iree_linalg_ext.custom_op{indexing_maps = [#map, #map], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]} attributes {k = 1 : i64} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%tile: tensor<?xf32>, %out: tensor<?xf32>):
    // CHECK-NEXT: iree_linalg_ext.index 0 : index
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %tile : tensor<?xf32>
  // CHECK: } -> tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>
#row = affine_map<(d0) -> ()>

func.func @exp_reduction(%a: tensor<8xf32>, %m: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // CHECK: iree_linalg_ext.exp_reduction{indexing_maps = [#map, #map1, #map1], iterator_types = [#iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [1]} ins(%arg0 : tensor<8xf32>) outs(%arg1, %arg1 : tensor<f32>, tensor<f32>) {
  // expected-error @below {{'iree_linalg_ext.exp_reduction' op expected an op that is compiled}}
  %0:2 = iree_linalg_ext.exp_reduction{indexing_maps = [#map, #row, #row], iterator_types = [#iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [1]} ins(%a : tensor<8xf32>) outs(%m, %m : tensor<f32>, tensor<f32>) {
  ^bb0(%x: f32, %max: f32, %sum: f32):
    %1 = arith.addf %x, %sum : f32
    iree_linalg_ext.yield %max, %1 : f32, f32
  } -> tensor<f32>, tensor<f32>
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// -----

func.func @map(%a: tensor<8xf32>, %zero: f32) -> tensor<8xf32> {
  // CHECK: iree_linalg_ext.map_load %arg0 into %arg0 {
  // CHECK: } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
  // expected-error @below {{'iree_linalg_ext.map_load' op expected an op that is compiled}}
  %0 = iree_linalg_ext.map_load %a into %a {
  ^bb0(%i: index):
    iree_linalg_ext.yield %i, %zero : index, f32
  } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
  // CHECK: iree_linalg_ext.map_gather
  %1 = iree_linalg_ext.map_gather %0 into %a {
  ^bb0(%i: index):
    iree_linalg_ext.yield %i, %zero : index, f32
  } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
  %true = arith.constant true
  // CHECK: iree_linalg_ext.map_store
  %2 = iree_linalg_ext.map_store %1 into %a {
  ^bb0(%i: index):
    iree_linalg_ext.yield %i, %true : index, i1
  } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
  // CHECK: iree_linalg_ext.map_scatter
  %3 = iree_linalg_ext.map_scatter %2 into %a {
  ^bb0(%i: index):
    iree_linalg_ext.yield %i, %true : index, i1
  } : tensor<8xf32> into tensor<8xf32> -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

func.func @transforms(%s: index, %c: tensor<4xf32>, %x: tensor<8xf32>, %i: tensor<1x10x10x4xf32>, %e: tensor<8x8x1x2x2x4xf32>, %k: tensor<3x3x4x4xf32>, %f: tensor<8x8x4x4xf32>, %o: tensor<1x12x12x4xf32>) {
  // CHECK: iree_linalg_ext.fft ins(%arg0, %arg1, %arg1 : index, tensor<4xf32>, tensor<4xf32>) outs(%arg2, %arg2 : tensor<8xf32>, tensor<8xf32>) : tensor<8xf32>, tensor<8xf32>
  // expected-error @below {{'iree_linalg_ext.fft' op expected an op that is compiled}}
  %0:2 = iree_linalg_ext.fft ins(%s, %c, %c : index, tensor<4xf32>, tensor<4xf32>) outs(%x, %x : tensor<8xf32>, tensor<8xf32>) : tensor<8xf32>, tensor<8xf32>
  // CHECK: iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(
  %1 = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%i : tensor<1x10x10x4xf32>) outs(%e : tensor<8x8x1x2x2x4xf32>) -> tensor<8x8x1x2x2x4xf32>
  // CHECK: iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions([0, 1]) input_tile_dimensions([0, 1]) ins(
  %2 = iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions([0, 1]) input_tile_dimensions([0, 1]) ins(%k : tensor<3x3x4x4xf32>) outs(%f : tensor<8x8x4x4xf32>) -> tensor<8x8x4x4xf32>
  // CHECK: iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(
  %3 = iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%1 : tensor<8x8x1x2x2x4xf32>) outs(%o : tensor<1x12x12x4xf32>) -> tensor<1x12x12x4xf32>
  return
}

// -----

func.func @packing(%a: tensor<7xf32>, %e: tensor<2x4xf32>, %zero: f32, %s: index) -> tensor<7xf32> {
  // CHECK: iree_linalg_ext.pack %arg0 padding_value(%arg2 : f32) inner_dims_pos = [0] inner_tiles = [4] into %arg1 : (tensor<7xf32> tensor<2x4xf32>) -> tensor<2x4xf32>
  // expected-error @below {{'iree_linalg_ext.pack' op expected an op that is compiled}}
  %0 = iree_linalg_ext.pack %a padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [4] into %e : (tensor<7xf32> tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: iree_linalg_ext.unpack %0 outer_dims_perm = [0] inner_dims_pos = [0] inner_tiles = [%arg3] into %arg0 : (tensor<2x4xf32> tensor<7xf32>) -> tensor<7xf32>
  %1 = iree_linalg_ext.unpack %0 outer_dims_perm = [0] inner_dims_pos = [0] inner_tiles = [%s] into %a : (tensor<2x4xf32> tensor<7xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// -----

// What runs the iterations of a loop, IREE says by attributes of several dialects.
func.func @mappings(%a: tensor<4x8xf32>) {
  // CHECK: } {mapping = [#iree_linalg_ext.split_reduction_mapping<1>, #iree_linalg_ext.split_reduction_mapping<0>]}
  scf.forall (%i, %j) in (4, 8) {
  } {mapping = [#iree_linalg_ext.split_reduction_mapping<1>, #iree_linalg_ext.split_reduction_mapping<0>]}
  // CHECK: } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
  scf.forall (%i, %j) in (4, 8) {
  } {mapping = [#iree_codegen.workgroup_mapping<y>, #iree_codegen.workgroup_mapping<x>]}
  // CHECK: } {mapping = [#iree_gpu.lane_id<0>]}
  scf.forall (%i) in (4) {
  } {mapping = [#iree_gpu.lane_id<0>]}
  return
}
