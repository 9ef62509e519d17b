// A quantized sum, as TOSA scales it: both operands are read as i8 and i16, with their zero points.
// RUN: npu-run %s --target=npu-tiny --npu-fallback=error --input='random(1)' --input='random(2)' --check | FileCheck %s
// RUN: npu-run %s --target=npu-v1 --npu-fallback=error --input='random(3)' --input='random(4)' --check | FileCheck %s
// CHECK: matches host
func.func @main(%x: tensor<1x6x7x8xi8>, %y: tensor<1x6x7x8xi16>) -> tensor<1x6x7x8xi8> {
  %xm = "tosa.const"() <{values = dense<1342177280> : tensor<1xi32>}> : () -> tensor<1xi32>
  %xs = "tosa.const"() <{values = dense<26> : tensor<1xi8>}> : () -> tensor<1xi8>
  %ym = "tosa.const"() <{values = dense<1431655765> : tensor<1xi32>}> : () -> tensor<1xi32>
  %ys = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zm = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %zs = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %xz = "tosa.const"() <{values = dense<-11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %yz = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %zz = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %xm, %xs, %xz, %wz {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false}
      : (tensor<1x6x7x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x7x8xi32>
  %1 = tosa.rescale %y, %ym, %ys, %yz, %wz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false}
      : (tensor<1x6x7x8xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x6x7x8xi32>
  %2 = tosa.add %0, %1 : (tensor<1x6x7x8xi32>, tensor<1x6x7x8xi32>) -> tensor<1x6x7x8xi32>
  %3 = tosa.rescale %2, %zm, %zs, %wz, %zz {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false}
      : (tensor<1x6x7x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x7x8xi8>
  return %3 : tensor<1x6x7x8xi8>
}
