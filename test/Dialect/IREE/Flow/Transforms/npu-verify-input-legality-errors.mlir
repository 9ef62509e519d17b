// RUN: npu-opt --npu-verify-input-legality %s -verify-diagnostics

// expected-error @below {{'ml_program.global' op expected to be lowered by now; the input phase (--npu-input-pipeline) has no lowering for it as it stands}}
ml_program.global private @state(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tosa.exp' op expected to be lowered by now; the input phase (--npu-input-pipeline) has no lowering for it as it stands}}
  %0 = tosa.exp %arg0 : (tensor<4xf32>) -> tensor<4xf32>
  util.return %0 : tensor<4xf32>
}
