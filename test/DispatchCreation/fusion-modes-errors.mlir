// What only one mode does is asked for in that mode.
// RUN: not npu-opt --npu-front-half="mode=iree horizontal-fusion" %s 2>&1 | FileCheck %s
// CHECK: error: horizontal-fusion needs mode=npu, as the rules of mode=iree do not have it

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
