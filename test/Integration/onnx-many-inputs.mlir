// Sum, Mean, Max and Min of any number of inputs combine them from left to right, as many in one dispatch as it can bind, and round halves once.

// RUN: npu-run %s --function=order "--expected_output=f32=0" --equality_mode=exact
// RUN: npu-run %s --function=halves "--expected_output=f16=0" --equality_mode=exact
// RUN: npu-opt %s --npu-onnx-infer-shapes --convert-onnx-to-linalg --canonicalize | FileCheck %s --check-prefix=LINALG

// Fifteen, and twice fourteen with the sum so far; the rest of the halves, too, are f32 until the end.
// LINALG-LABEL: @order
// LINALG: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8xf32>)
// LINALG-COUNT-14: arith.addf
// LINALG: linalg.generic
// LINALG-LABEL: @halves
// LINALG: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8xf32>)
// LINALG: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8xf32>)
// LINALG: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8xf16>)
// LINALG: arith.truncf

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
func.func @order(%x: tensor<40x8xf32>) -> !onnx.unknown {
  %s:40 = onnx.node "Split"(%x) {axis = 0 : i64} : (tensor<40x8xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown)
  %sum = onnx.node "Sum"(%s#0, %s#1, %s#2, %s#3, %s#4, %s#5, %s#6, %s#7, %s#8, %s#9, %s#10, %s#11, %s#12, %s#13, %s#14, %s#15, %s#16, %s#17, %s#18, %s#19, %s#20, %s#21, %s#22, %s#23, %s#24, %s#25, %s#26, %s#27, %s#28, %s#29, %s#30, %s#31, %s#32, %s#33, %s#34, %s#35, %s#36, %s#37, %s#38, %s#39) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %mean = onnx.node "Mean"(%s#0, %s#1, %s#2, %s#3, %s#4, %s#5, %s#6, %s#7, %s#8, %s#9, %s#10, %s#11, %s#12, %s#13, %s#14, %s#15, %s#16, %s#17, %s#18, %s#19, %s#20, %s#21, %s#22, %s#23, %s#24, %s#25, %s#26, %s#27, %s#28, %s#29, %s#30, %s#31, %s#32, %s#33, %s#34, %s#35, %s#36, %s#37, %s#38, %s#39) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %max = onnx.node "Max"(%s#0, %s#1, %s#2, %s#3, %s#4, %s#5, %s#6, %s#7, %s#8, %s#9, %s#10, %s#11, %s#12, %s#13, %s#14, %s#15, %s#16, %s#17, %s#18, %s#19, %s#20, %s#21, %s#22, %s#23, %s#24, %s#25, %s#26, %s#27, %s#28, %s#29, %s#30, %s#31, %s#32, %s#33, %s#34, %s#35, %s#36, %s#37, %s#38, %s#39) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %min = onnx.node "Min"(%s#0, %s#1, %s#2, %s#3, %s#4, %s#5, %s#6, %s#7, %s#8, %s#9, %s#10, %s#11, %s#12, %s#13, %s#14, %s#15, %s#16, %s#17, %s#18, %s#19, %s#20, %s#21, %s#22, %s#23, %s#24, %s#25, %s#26, %s#27, %s#28, %s#29, %s#30, %s#31, %s#32, %s#33, %s#34, %s#35, %s#36, %s#37, %s#38, %s#39) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a1 = onnx.node "Add"(%s#0, %s#1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a2 = onnx.node "Add"(%a1, %s#2) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a3 = onnx.node "Add"(%a2, %s#3) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a4 = onnx.node "Add"(%a3, %s#4) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a5 = onnx.node "Add"(%a4, %s#5) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a6 = onnx.node "Add"(%a5, %s#6) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a7 = onnx.node "Add"(%a6, %s#7) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a8 = onnx.node "Add"(%a7, %s#8) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a9 = onnx.node "Add"(%a8, %s#9) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a10 = onnx.node "Add"(%a9, %s#10) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a11 = onnx.node "Add"(%a10, %s#11) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a12 = onnx.node "Add"(%a11, %s#12) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a13 = onnx.node "Add"(%a12, %s#13) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a14 = onnx.node "Add"(%a13, %s#14) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a15 = onnx.node "Add"(%a14, %s#15) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a16 = onnx.node "Add"(%a15, %s#16) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a17 = onnx.node "Add"(%a16, %s#17) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a18 = onnx.node "Add"(%a17, %s#18) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a19 = onnx.node "Add"(%a18, %s#19) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a20 = onnx.node "Add"(%a19, %s#20) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a21 = onnx.node "Add"(%a20, %s#21) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a22 = onnx.node "Add"(%a21, %s#22) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a23 = onnx.node "Add"(%a22, %s#23) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a24 = onnx.node "Add"(%a23, %s#24) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a25 = onnx.node "Add"(%a24, %s#25) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a26 = onnx.node "Add"(%a25, %s#26) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a27 = onnx.node "Add"(%a26, %s#27) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a28 = onnx.node "Add"(%a27, %s#28) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a29 = onnx.node "Add"(%a28, %s#29) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a30 = onnx.node "Add"(%a29, %s#30) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a31 = onnx.node "Add"(%a30, %s#31) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a32 = onnx.node "Add"(%a31, %s#32) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a33 = onnx.node "Add"(%a32, %s#33) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a34 = onnx.node "Add"(%a33, %s#34) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a35 = onnx.node "Add"(%a34, %s#35) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a36 = onnx.node "Add"(%a35, %s#36) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a37 = onnx.node "Add"(%a36, %s#37) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a38 = onnx.node "Add"(%a37, %s#38) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a39 = onnx.node "Add"(%a38, %s#39) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %count = onnx.constant dense<40.0> : tensor<f32>
  %m = onnx.node "Div"(%a39, %count) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
  %zero = onnx.constant dense<0> : tensor<1xi64>
  %rmax = onnx.node "ReduceMax"(%x) {axes = array<i64: 0>, keepdims = 0 : i64} : (tensor<40x8xf32>) -> !onnx.unknown
  %rmin = onnx.node "ReduceMin"(%x) {axes = array<i64: 0>, keepdims = 0 : i64} : (tensor<40x8xf32>) -> !onnx.unknown
  %d0s = onnx.node "Sub"(%sum, %a39) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %d0 = onnx.node "Abs"(%d0s) : (!onnx.unknown) -> !onnx.unknown
  %d1s = onnx.node "Sub"(%mean, %m) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %d1 = onnx.node "Abs"(%d1s) : (!onnx.unknown) -> !onnx.unknown
  %d2s = onnx.node "Sub"(%max, %rmax) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %d2 = onnx.node "Abs"(%d2s) : (!onnx.unknown) -> !onnx.unknown
  %d3s = onnx.node "Sub"(%min, %rmin) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %d3 = onnx.node "Abs"(%d3s) : (!onnx.unknown) -> !onnx.unknown
  %worst = onnx.node "Max"(%d0, %d1, %d2, %d3) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %y = onnx.node "ReduceMax"(%worst) {keepdims = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @halves(%x: tensor<40x8xf16>) -> !onnx.unknown {
  %s:40 = onnx.node "Split"(%x) {axis = 0 : i64} : (tensor<40x8xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown)
  %sum = onnx.node "Sum"(%s#0, %s#1, %s#2, %s#3, %s#4, %s#5, %s#6, %s#7, %s#8, %s#9, %s#10, %s#11, %s#12, %s#13, %s#14, %s#15, %s#16, %s#17, %s#18, %s#19, %s#20, %s#21, %s#22, %s#23, %s#24, %s#25, %s#26, %s#27, %s#28, %s#29, %s#30, %s#31, %s#32, %s#33, %s#34, %s#35, %s#36, %s#37, %s#38, %s#39) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %w = onnx.node "Cast"(%x) {to = 1 : i64} : (tensor<40x8xf16>) -> !onnx.unknown
  %t:40 = onnx.node "Split"(%w) {axis = 0 : i64} : (!onnx.unknown) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown)
  %wide = onnx.node "Sum"(%t#0, %t#1, %t#2, %t#3, %t#4, %t#5, %t#6, %t#7, %t#8, %t#9, %t#10, %t#11, %t#12, %t#13, %t#14, %t#15, %t#16, %t#17, %t#18, %t#19, %t#20, %t#21, %t#22, %t#23, %t#24, %t#25, %t#26, %t#27, %t#28, %t#29, %t#30, %t#31, %t#32, %t#33, %t#34, %t#35, %t#36, %t#37, %t#38, %t#39) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %n = onnx.node "Cast"(%wide) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d = onnx.node "Sub"(%sum, %n) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a = onnx.node "Abs"(%d) : (!onnx.unknown) -> !onnx.unknown
  %y = onnx.node "ReduceMax"(%a) {keepdims = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
  return %y : !onnx.unknown
}
}
