// A node of every operator that docs/SupportedOnnxOps.md lists, with types and shapes that the NPU has use for. What the partition says of each is what
// the document says.

module attributes {onnx.opset = {ai.onnx = 29 : i64}} {
func.func @Abs(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Abs"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Acos(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Acos"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Acosh(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Acosh"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Add(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Add"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @And(%x: tensor<1x8x8x8xi1>, %z: tensor<1x8x8x8xi1>) -> !onnx.unknown {
  %y = onnx.node "And"(%x, %z) : (tensor<1x8x8x8xi1>, tensor<1x8x8x8xi1>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ArgMax(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "ArgMax"(%x) {axis = 1 : i64} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ArgMin(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "ArgMin"(%x) {axis = 1 : i64} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Asin(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Asin"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Asinh(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Asinh"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Atan(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Atan"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Atanh(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Atanh"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @AveragePool(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "AveragePool"(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @BatchNormalization(%x: tensor<1x8x8x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>) -> !onnx.unknown {
  %y = onnx.node "BatchNormalization"(%x, %s, %b, %m, %v) : (tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @BitCast(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "BitCast"(%x) {to = 6 : i64} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @BitShift(%x: tensor<8x8xui32>, %z: tensor<8x8xui32>) -> !onnx.unknown {
  %y = onnx.node "BitShift"(%x, %z) {direction = "LEFT"} : (tensor<8x8xui32>, tensor<8x8xui32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @BitwiseAnd(%x: tensor<8x8xi32>, %z: tensor<8x8xi32>) -> !onnx.unknown {
  %y = onnx.node "BitwiseAnd"(%x, %z) : (tensor<8x8xi32>, tensor<8x8xi32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @BitwiseNot(%x: tensor<8x8xi32>) -> !onnx.unknown {
  %y = onnx.node "BitwiseNot"(%x) : (tensor<8x8xi32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @BitwiseOr(%x: tensor<8x8xi32>, %z: tensor<8x8xi32>) -> !onnx.unknown {
  %y = onnx.node "BitwiseOr"(%x, %z) : (tensor<8x8xi32>, tensor<8x8xi32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @BitwiseXor(%x: tensor<8x8xi32>, %z: tensor<8x8xi32>) -> !onnx.unknown {
  %y = onnx.node "BitwiseXor"(%x, %z) : (tensor<8x8xi32>, tensor<8x8xi32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Cast(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Cast"(%x) {to = 10 : i64} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @CastLike(%x: tensor<1x8x8x8xf32>, %z: tensor<1xf16>) -> !onnx.unknown {
  %y = onnx.node "CastLike"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1xf16>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Ceil(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Ceil"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Celu(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Celu"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Clip(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %lo = onnx.constant dense<0.0> : tensor<f32>
  %hi = onnx.constant dense<6.0> : tensor<f32>
  %y = onnx.node "Clip"(%x, %lo, %hi) : (tensor<1x8x8x8xf32>, tensor<f32>, tensor<f32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Compress(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %c = onnx.constant dense<[true, false, true]> : tensor<3xi1>
  %y = onnx.node "Compress"(%x, %c) {axis = 1 : i64} : (tensor<1x8x8x8xf32>, tensor<3xi1>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Concat(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Concat"(%x, %z) {axis = 1 : i64} : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Constant() -> !onnx.unknown {
  %y = onnx.node "Constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ConstantOfShape() -> !onnx.unknown {
  %s = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ConstantOfShape"(%s) : (tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Conv(%x: tensor<1x8x8x8xf32>, %z: tensor<4x8x3x3xf32>) -> !onnx.unknown {
  %y = onnx.node "Conv"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ConvInteger(%x: tensor<1x8x8x8xi8>) -> !onnx.unknown {
  %w = onnx.constant dense<3> : tensor<4x8x3x3xi8>
  %y = onnx.node "ConvInteger"(%x, %w) : (tensor<1x8x8x8xi8>, tensor<4x8x3x3xi8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ConvTranspose(%x: tensor<1x8x8x8xf32>, %z: tensor<8x4x3x3xf32>) -> !onnx.unknown {
  %y = onnx.node "ConvTranspose"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<8x4x3x3xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Cos(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Cos"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Cosh(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Cosh"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @CumProd(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<1> : tensor<i64>
  %y = onnx.node "CumProd"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<i64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @CumSum(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<1> : tensor<i64>
  %y = onnx.node "CumSum"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<i64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @DepthToSpace(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "DepthToSpace"(%x) {blocksize = 2 : i64} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @DequantizeLinear(%x: tensor<1x8x8x8xi8>) -> !onnx.unknown {
  %s = onnx.constant dense<0.02> : tensor<f32>
  %p = onnx.constant dense<3> : tensor<i8>
  %y = onnx.node "DequantizeLinear"(%x, %s, %p) : (tensor<1x8x8x8xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Div(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Div"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Dropout(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Dropout"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @DynamicQuantizeLinear(%x: tensor<1x8x8x8xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %y:3 = onnx.node "DynamicQuantizeLinear"(%x) : (tensor<1x8x8x8xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return %y#0, %y#1, %y#2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}
func.func @Einsum(%x: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Einsum"(%x, %z) {equation = "ij,jk->ik"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Elu(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Elu"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Equal(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Equal"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Erf(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Erf"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Exp(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Exp"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Expand(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %n = onnx.constant dense<[4, 1, 1, 1]> : tensor<4xi64>
  %y = onnx.node "Expand"(%x, %n) : (tensor<1x8x8x8xf32>, tensor<4xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @EyeLike(%x: tensor<8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "EyeLike"(%x) : (tensor<8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Flatten(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Flatten"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Floor(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Floor"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Gather(%x: tensor<1x8x8x8xf32>, %i: tensor<3xi64>) -> !onnx.unknown {
  %y = onnx.node "Gather"(%x, %i) {axis = 1 : i64} : (tensor<1x8x8x8xf32>, tensor<3xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @GatherElements(%x: tensor<8x8xf32>, %i: tensor<2x8xi64>) -> !onnx.unknown {
  %y = onnx.node "GatherElements"(%x, %i) : (tensor<8x8xf32>, tensor<2x8xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @GatherND(%x: tensor<8x8xf32>, %i: tensor<2x1xi64>) -> !onnx.unknown {
  %y = onnx.node "GatherND"(%x, %i) : (tensor<8x8xf32>, tensor<2x1xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Gelu(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Gelu"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Gemm(%x: tensor<8x8xf32>, %z: tensor<8x8xf32>, %c: tensor<8xf32>) -> !onnx.unknown {
  %y = onnx.node "Gemm"(%x, %z, %c) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @GlobalAveragePool(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "GlobalAveragePool"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @GlobalLpPool(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "GlobalLpPool"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @GlobalMaxPool(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "GlobalMaxPool"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Greater(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Greater"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @GreaterOrEqual(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "GreaterOrEqual"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @GridSample(%x: tensor<1x8x8x8xf32>, %g: tensor<1x8x8x2xf32>) -> !onnx.unknown {
  %y = onnx.node "GridSample"(%x, %g) : (tensor<1x8x8x8xf32>, tensor<1x8x8x2xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @GroupNormalization(%x: tensor<1x8x8x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> !onnx.unknown {
  %y = onnx.node "GroupNormalization"(%x, %s, %b) {num_groups = 2 : i64} : (tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @HardSigmoid(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "HardSigmoid"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @HardSwish(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "HardSwish"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Hardmax(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Hardmax"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Identity(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Identity"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @If(%c: tensor<i1>, %x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
    %n = onnx.node "Neg"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
    onnx.yield %n : !onnx.unknown
  }, {
    onnx.yield %x : tensor<1x8x8x8xf32>
  }
  return %y : !onnx.unknown
}
func.func @InstanceNormalization(%x: tensor<1x8x8x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> !onnx.unknown {
  %y = onnx.node "InstanceNormalization"(%x, %s, %b) : (tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @IsInf(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "IsInf"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @IsNaN(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "IsNaN"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @LRN(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "LRN"(%x) {size = 3 : i64} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @LayerNormalization(%x: tensor<1x8x8x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> !onnx.unknown {
  %y = onnx.node "LayerNormalization"(%x, %s, %b) : (tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @LeakyRelu(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "LeakyRelu"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Less(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Less"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @LessOrEqual(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "LessOrEqual"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Log(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Log"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @LogSoftmax(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "LogSoftmax"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Loop(%n: tensor<i64>, %x: tensor<8x8xf32>) -> !onnx.unknown {
  %t = onnx.constant dense<true> : tensor<i1>
  %y = onnx.node "Loop"(%n, %t, %x) {body} : (tensor<i64>, tensor<i1>, tensor<8x8xf32>) -> !onnx.unknown {
  ^bb0(%i: !onnx.unknown, %c: !onnx.unknown, %v: !onnx.unknown):
    %m = onnx.node "MatMul"(%v, %x) : (!onnx.unknown, tensor<8x8xf32>) -> !onnx.unknown
    onnx.yield %c, %m : !onnx.unknown, !onnx.unknown
  }
  return %y : !onnx.unknown
}
func.func @LpNormalization(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "LpNormalization"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @LpPool(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "LpPool"(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @MatMul(%x: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "MatMul"(%x, %z) : (tensor<8x8xf32>, tensor<8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @MatMulInteger(%x: tensor<8x8xi8>, %z: tensor<8x8xi8>) -> !onnx.unknown {
  %y = onnx.node "MatMulInteger"(%x, %z) : (tensor<8x8xi8>, tensor<8x8xi8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Max(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Max"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @MaxPool(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "MaxPool"(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Mean(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Mean"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @MeanVarianceNormalization(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "MeanVarianceNormalization"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Min(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Min"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Mish(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Mish"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Mod(%x: tensor<8x8xi32>, %z: tensor<8x8xi32>) -> !onnx.unknown {
  %y = onnx.node "Mod"(%x, %z) : (tensor<8x8xi32>, tensor<8x8xi32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Mul(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Mul"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Neg(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Neg"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @NegativeLogLikelihoodLoss(%x: tensor<8x8xf32>, %t: tensor<8xi64>) -> !onnx.unknown {
  %y = onnx.node "NegativeLogLikelihoodLoss"(%x, %t) : (tensor<8x8xf32>, tensor<8xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @NonZero() -> !onnx.unknown {
  %c = onnx.constant dense<[0, 1, 2]> : tensor<3xi64>
  %y = onnx.node "NonZero"(%c) : (tensor<3xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Not(%x: tensor<1x8x8x8xi1>) -> !onnx.unknown {
  %y = onnx.node "Not"(%x) : (tensor<1x8x8x8xi1>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @OneHot(%x: tensor<3xi64>) -> !onnx.unknown {
  %d = onnx.constant dense<4> : tensor<i64>
  %v = onnx.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %y = onnx.node "OneHot"(%x, %d, %v) : (tensor<3xi64>, tensor<i64>, tensor<2xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Or(%x: tensor<1x8x8x8xi1>, %z: tensor<1x8x8x8xi1>) -> !onnx.unknown {
  %y = onnx.node "Or"(%x, %z) : (tensor<1x8x8x8xi1>, tensor<1x8x8x8xi1>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @PRelu(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "PRelu"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Pad(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %n = onnx.constant dense<[0, 0, 1, 1, 0, 0, 1, 1]> : tensor<8xi64>
  %y = onnx.node "Pad"(%x, %n) : (tensor<1x8x8x8xf32>, tensor<8xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Pow(%x: tensor<1x8x8x8xf32>, %e: tensor<8x1x1xf32>) -> !onnx.unknown {
  %y = onnx.node "Pow"(%x, %e) : (tensor<1x8x8x8xf32>, tensor<8x1x1xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @QLinearConv(%x: tensor<1x8x8x8xi8>) -> !onnx.unknown {
  %s = onnx.constant dense<0.02> : tensor<f32>
  %p = onnx.constant dense<3> : tensor<i8>
  %w = onnx.constant dense<3> : tensor<4x8x3x3xi8>
  %y = onnx.node "QLinearConv"(%x, %s, %p, %w, %s, %p, %s, %p) : (tensor<1x8x8x8xi8>, tensor<f32>, tensor<i8>, tensor<4x8x3x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @QLinearMatMul(%x: tensor<8x8xi8>, %w: tensor<8x8xi8>) -> !onnx.unknown {
  %s = onnx.constant dense<0.02> : tensor<f32>
  %p = onnx.constant dense<3> : tensor<i8>
  %y = onnx.node "QLinearMatMul"(%x, %s, %p, %w, %s, %p, %s, %p) : (tensor<8x8xi8>, tensor<f32>, tensor<i8>, tensor<8x8xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @QuantizeLinear(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %s = onnx.constant dense<0.02> : tensor<f32>
  %p = onnx.constant dense<3> : tensor<i8>
  %y = onnx.node "QuantizeLinear"(%x, %s, %p) : (tensor<1x8x8x8xf32>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @RMSNormalization(%x: tensor<1x8x8x8xf32>, %s: tensor<8xf32>) -> !onnx.unknown {
  %y = onnx.node "RMSNormalization"(%x, %s) : (tensor<1x8x8x8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Range() -> !onnx.unknown {
  %a = onnx.constant dense<0> : tensor<i64>
  %l = onnx.constant dense<8> : tensor<i64>
  %d = onnx.constant dense<1> : tensor<i64>
  %y = onnx.node "Range"(%a, %l, %d) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Reciprocal(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Reciprocal"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceL1(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceL1"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceL2(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceL2"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceLogSum(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceLogSum"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceLogSumExp(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceLogSumExp"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceMax(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceMax"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceMean(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceMean"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceMin(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceMin"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceProd(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceProd"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceSum(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceSum"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReduceSumSquare(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[2, 3]> : tensor<2xi64>
  %y = onnx.node "ReduceSumSquare"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Relu(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Relu"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Reshape(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %n = onnx.constant dense<[8, 64]> : tensor<2xi64>
  %y = onnx.node "Reshape"(%x, %n) : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Resize(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %none = onnx.none : none
  %n = onnx.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %y = onnx.node "Resize"(%x, %none, %n) {mode = "linear"} : (tensor<1x8x8x8xf32>, none, tensor<4xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ReverseSequence(%x: tensor<8x8xf32>) -> !onnx.unknown {
  %l = onnx.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi64>
  %y = onnx.node "ReverseSequence"(%x, %l) : (tensor<8x8xf32>, tensor<8xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @RoiAlign(%x: tensor<1x8x16x16xf32>, %r: tensor<2x4xf32>, %b: tensor<2xi64>) -> !onnx.unknown {
  %y = onnx.node "RoiAlign"(%x, %r, %b) {output_height = 4 : i64, output_width = 4 : i64, sampling_ratio = 2 : i64} : (tensor<1x8x16x16xf32>, tensor<2x4xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Round(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Round"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Scatter(%x: tensor<8x8xf32>, %i: tensor<2x8xi64>, %u: tensor<2x8xf32>) -> !onnx.unknown attributes {onnx.opset = {ai.onnx = 9 : i64}} {
  %y = onnx.node "Scatter"(%x, %i, %u) : (tensor<8x8xf32>, tensor<2x8xi64>, tensor<2x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ScatterElements(%x: tensor<8x8xf32>, %i: tensor<2x8xi64>, %u: tensor<2x8xf32>) -> !onnx.unknown {
  %y = onnx.node "ScatterElements"(%x, %i, %u) : (tensor<8x8xf32>, tensor<2x8xi64>, tensor<2x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ScatterND(%x: tensor<8x8xf32>, %i: tensor<2x1xi64>, %u: tensor<2x8xf32>) -> !onnx.unknown {
  %y = onnx.node "ScatterND"(%x, %i, %u) : (tensor<8x8xf32>, tensor<2x1xi64>, tensor<2x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Selu(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Selu"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Shape(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Shape"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Shrink(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Shrink"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Sigmoid(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Sigmoid"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Sign(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Sign"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Sin(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Sin"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Sinh(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Sinh"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Size(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Size"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Slice(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %b = onnx.constant dense<[1]> : tensor<1xi64>
  %e = onnx.constant dense<[7]> : tensor<1xi64>
  %a = onnx.constant dense<[2]> : tensor<1xi64>
  %y = onnx.node "Slice"(%x, %b, %e, %a) : (tensor<1x8x8x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Softmax(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Softmax"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @SoftmaxCrossEntropyLoss(%x: tensor<8x8xf32>, %t: tensor<8xi64>) -> !onnx.unknown {
  %y = onnx.node "SoftmaxCrossEntropyLoss"(%x, %t) : (tensor<8x8xf32>, tensor<8xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Softplus(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Softplus"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Softsign(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Softsign"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @SpaceToDepth(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "SpaceToDepth"(%x) {blocksize = 2 : i64} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Split(%x: tensor<1x8x8x8xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %n = onnx.constant dense<[3, 5]> : tensor<2xi64>
  %y:2 = onnx.node "Split"(%x, %n) {axis = 1 : i64} : (tensor<1x8x8x8xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  return %y#0, %y#1 : !onnx.unknown, !onnx.unknown
}
func.func @Sqrt(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Sqrt"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Squeeze(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[0]> : tensor<1xi64>
  %y = onnx.node "Squeeze"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<1xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Sub(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Sub"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Sum(%x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Sum"(%x, %z) : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Swish(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Swish"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Tan(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Tan"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Tanh(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Tanh"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ThresholdedRelu(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "ThresholdedRelu"(%x) : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Tile(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %n = onnx.constant dense<[1, 2, 1, 1]> : tensor<4xi64>
  %y = onnx.node "Tile"(%x, %n) : (tensor<1x8x8x8xf32>, tensor<4xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @TopK(%x: tensor<1x8x8x8xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %k = onnx.constant dense<3> : tensor<1xi64>
  %y:2 = onnx.node "TopK"(%x, %k) : (tensor<1x8x8x8xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
  return %y#0, %y#1 : !onnx.unknown, !onnx.unknown
}
func.func @Transpose(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Transpose"(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Trilu(%x: tensor<8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Trilu"(%x) : (tensor<8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Unsqueeze(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %a = onnx.constant dense<[0]> : tensor<1xi64>
  %y = onnx.node "Unsqueeze"(%x, %a) : (tensor<1x8x8x8xf32>, tensor<1xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Upsample(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown attributes {onnx.opset = {ai.onnx = 9 : i64}} {
  %n = onnx.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %y = onnx.node "Upsample"(%x, %n) : (tensor<1x8x8x8xf32>, tensor<4xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Where(%c: tensor<1x8x8x8xi1>, %x: tensor<1x8x8x8xf32>, %z: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Where"(%c, %x, %z) : (tensor<1x8x8x8xi1>, tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Xor(%x: tensor<1x8x8x8xi1>, %z: tensor<1x8x8x8xi1>) -> !onnx.unknown {
  %y = onnx.node "Xor"(%x, %z) : (tensor<1x8x8x8xi1>, tensor<1x8x8x8xi1>) -> !onnx.unknown
  return %y : !onnx.unknown
}
}
