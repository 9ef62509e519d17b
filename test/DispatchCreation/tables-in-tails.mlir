// What a table has for the result of a product is a part of its tail, also where it is interpolated; any other gather is a dispatch of its own.

// RUN: npu-opt %s --npu-front-half --remarks-filter=npu-fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: npu-opt %s --npu-front-half --npu-import-dispatches --npu-partition-report=target=npu-tiny -o /dev/null | FileCheck %s

// REMARK: remark: [Passed] Fused | Category:npu-fusion | Function=bytes | Reason="the producer is computed in the loops of the consumer"
// REMARK: remark: [Passed] Fused | Category:npu-fusion | Function=bytes | Reason="the consumer's loops walk along those of the root"
// REMARK-COUNT-2: remark: [Passed] Fused | Category:npu-fusion | Function=interpolated | Reason="the producer is computed in the loops of the consumer"
// REMARK: Function=gather | Reason="the consumer computes with index, which a kernel has no elements of"

// CHECK: on the NPU: 4 of 4 dispatches

func.func @bytes(%x: tensor<40x64xi8>, %w: tensor<64x70xi8>, %t: tensor<256xi8>) -> tensor<40x70xi8> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x70xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x70xi32>) -> tensor<40x70xi32>
  %m = linalg.matmul ins(%x, %w : tensor<40x64xi8>, tensor<64x70xi8>) outs(%f : tensor<40x70xi32>) -> tensor<40x70xi32>
  %multiplier = "tosa.const"() <{values = dense<1246789888> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %in_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %out_zp = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %m, %multiplier, %shift, %in_zp, %out_zp {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<40x70xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<40x70xi8>
  %0 = tosa.table %r, %t : (tensor<40x70xi8>, tensor<256xi8>) -> tensor<40x70xi8>
  return %0 : tensor<40x70xi8>
}

func.func @interpolated(%x: tensor<40x64xi8>, %w: tensor<64x70xi8>, %t: tensor<513xi16>) -> tensor<40x70xi8> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x70xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x70xi32>) -> tensor<40x70xi32>
  %m = linalg.matmul ins(%x, %w : tensor<40x64xi8>, tensor<64x70xi8>) outs(%f : tensor<40x70xi32>) -> tensor<40x70xi32>
  %multiplier = "tosa.const"() <{values = dense<1246789888> : tensor<1xi32>}> : () -> tensor<1xi32>
  %first = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %second = "tosa.const"() <{values = dense<44> : tensor<1xi8>}> : () -> tensor<1xi8>
  %in_zp = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %no_zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %out_zp = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %m, %multiplier, %first, %in_zp, %no_zp {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<40x70xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<40x70xi16>
  %0 = tosa.table %r, %t : (tensor<40x70xi16>, tensor<513xi16>) -> tensor<40x70xi32>
  %1 = tosa.rescale %0, %multiplier, %second, %in_zp, %out_zp {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<40x70xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<40x70xi8>
  return %1 : tensor<40x70xi8>
}

func.func @gather(%x: tensor<40x64xi8>, %w: tensor<64x70xi8>, %t: tensor<1000xi8>) -> tensor<40x70xi8> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x70xi32>
  %g = tensor.empty() : tensor<40x70xi8>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x70xi32>) -> tensor<40x70xi32>
  %m = linalg.matmul ins(%x, %w : tensor<40x64xi8>, tensor<64x70xi8>) outs(%f : tensor<40x70xi32>) -> tensor<40x70xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<40x70xi32>) outs(%g : tensor<40x70xi8>) {
  ^bb0(%in: i32, %out: i8):
    %low = arith.maxsi %in, %z : i32
    %i = arith.index_cast %low : i32 to index
    %v = tensor.extract %t[%i] : tensor<1000xi8>
    linalg.yield %v : i8
  } -> tensor<40x70xi8>
  return %r : tensor<40x70xi8>
}
