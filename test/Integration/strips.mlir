// What a convolution hands to the windows of the next one does not fit on chip, that of some of its rows does: both are computed strip by
// strip, rows at the borders twice. The widths of an inverted residual block, with windows in steps of two and padding above.
// RUN: npu-run --check --target=npu-v1:sramBytes=262144 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1:sramBytes=262144,dmaOutstanding=2,macPipelined=1 %s | FileCheck %s

// What is chosen can be written down, and followed.
// RUN: rm -f %t.json
// RUN: npu-run --timing-only --target=npu-v1:sramBytes=262144 --npu-schedule=%t.json %s > %t.chosen
// RUN: grep -c 'schedule<{strips 0 = 14 ' %t.json | FileCheck %s --check-prefix=COUNT
// RUN: npu-run --timing-only --target=npu-v1:sramBytes=262144 --npu-schedule=%t.json %s > %t.followed
// RUN: diff %t.chosen %t.followed
// RUN: FileCheck %s --check-prefix=TRAFFIC --input-file=%t.chosen

// Of strips of ten rows the last one is another one, and has no schedule. Strips of seven give the same results.
// RUN: sed 's/strips 0 = 14/strips 0 = 10/' %t.json > %t.other.json
// RUN: not npu-run --timing-only --target=npu-v1:sramBytes=262144 --npu-schedule=%t.other.json %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: sed 's/strips 0 = 14/strips 0 = 7/' %t.json > %t.smaller.json
// RUN: npu-run --check --target=npu-v1:sramBytes=262144 --npu-schedule=%t.smaller.json %s | FileCheck %s

// CHECK: matches host
// COUNT: 1

// ERROR: error: {{.*}}: expected a schedule for each kind of strip, of which there are 3, but found 2

// 301056 bytes are between the first two. What is given is read, 28 x 28 x 24 bytes are written.
// TRAFFIC: together: {{.*}}DRAM: {{[0-9][0-9][0-9][0-9][0-9]}} bytes read, 18816 written
func.func @main(%x: tensor<1x56x56x16xi8>, %w: tensor<96x1x1x16xi8>, %a: tensor<96xi32>, %d: tensor<3x3x96x1xi8>, %v: tensor<24x1x1x96xi8>, %b: tensor<24xi32>) -> tensor<1x28x28x24xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1416971728> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.conv2d %x, %w, %a, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x16xi8>, tensor<96x1x1x16xi8>, tensor<96xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x56x56x96xi32>
  %s0 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r0 = tosa.rescale %0, %m, %s0, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x96xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x96xi8>
  %2 = tosa.depthwise_conv2d %r0, %d, %a, %z, %z {acc_type = i32, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x96xi8>, tensor<3x3x96x1xi8>, tensor<96xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x28x28x96xi32>
  %s2 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r2 = tosa.rescale %2, %m, %s2, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x28x28x96xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x28x28x96xi8>
  %4 = tosa.conv2d %r2, %v, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x28x28x96xi8>, tensor<24x1x1x96xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x28x28x24xi32>
  %s4 = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r4 = tosa.rescale %4, %m, %s4, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x28x28x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x28x28x24xi8>
  return %r4 : tensor<1x28x28x24xi8>
}
