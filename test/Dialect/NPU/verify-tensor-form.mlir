// RUN: npu-opt %s --npu-verify-tensor-form -split-input-file -verify-diagnostics

npu.kernel @valid(%x: tensor<4x16xi8>) -> tensor<4x16xi8> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<4x16xi8>
  %0 = npu.binary max %x -> %e {imm = 0 : i8} : tensor<4x16xi8> -> tensor<4x16xi8>
  npu.return %0 : tensor<4x16xi8>
}

// -----

// expected-error @+1 {{expected a target but found none; run convert-func-to-kernel or add the attribute 'target'}}
npu.kernel @target(%x: tensor<4xi8>) {
  npu.return
}

// -----

// expected-error @+1 {{expected static shapes but dimension 1 of argument 1 is dynamic; compile with static shapes}}
npu.kernel @dynamic(%x: tensor<4xi8>, %y: tensor<4x?xi8>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}

// -----

// expected-error @+1 {{expected element type i1, i8, i16, i32, f16, bf16 or f32 of argument 0 but found 'f64'}}
npu.kernel @element_type(%x: tensor<4xf64>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}

// -----

// expected-error @+1 {{expected a ranked tensor as argument 0 but found 'memref<4xf32>'}}
npu.kernel @memref(%x: memref<4xf32>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}

// -----

// Every violation is reported.
npu.kernel @foreign(%x: tensor<4x16xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> attributes {target = #npu.target<"npu-v1">} {
  // expected-error @+1 {{'linalg.exp' op is not part of the tensor form, which has npu compute ops on tensors, slices of arguments, tensor.empty, arith.constant and npu.return only}}
  %0 = linalg.exp ins(%x : tensor<4x16xf32>) outs(%o : tensor<4x16xf32>) -> tensor<4x16xf32>
  // expected-error @+1 {{'linalg.exp' op is not part of the tensor form}}
  %1 = linalg.exp ins(%0 : tensor<4x16xf32>) outs(%o : tensor<4x16xf32>) -> tensor<4x16xf32>
  npu.return %1 : tensor<4x16xf32>
}

// -----

npu.kernel @types(%x: tensor<4xi32>) attributes {target = #npu.target<"npu-v1">} {
  // expected-error @+1 {{expected element type i1, i8, i16, i32, f16, bf16 or f32 of result 0 but found 'i64'}}
  %e = tensor.empty() : tensor<4xi64>
  // expected-error @+1 {{expected element type i1, i8, i16, i32, f16, bf16 or f32 of operand 1 but found 'i64'}}
  %0 = npu.cast extsi %x -> %e : tensor<4xi32> -> tensor<4xi64>
  npu.return
}

// -----

npu.kernel @uninitialized(%x: tensor<4xf32>) -> tensor<4xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{read of a tensor.empty, which has no contents (operand 1 of npu.binary), expected operands with contents; fill it first}}
  %0 = npu.binary add %x, %e -> %e : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  npu.return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'npu.kernel' op expected one block but found control flow}}
npu.kernel @control_flow(%x: tensor<4xf32>) -> tensor<4xf32> attributes {target = #npu.target<"npu-v1">} {
  cf.br ^bb1
^bb1:
  npu.return %x : tensor<4xf32>
}
