// RUN: npu-opt --npu-input-pipeline %s --split-input-file -verify-diagnostics

func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{failed to legalize operation 'tosa.custom'}}
  %0 = tosa.custom %arg0 {operator_name = "mystery", domain_name = "shop", implementation_attrs = ""} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'ml_program.func' op expected to be lowered by now; the input phase (--npu-input-pipeline) has no lowering for it as it stands}}
ml_program.func private @f()
