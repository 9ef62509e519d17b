// RUN: npu-opt --npu-import-ml-program %s --split-input-file -verify-diagnostics

// expected-error @below {{'ml_program.global' op expected a value, found one that comes from outside; write a util.global with #flow.parameter.named to have it loaded}}
ml_program.global private @w(#ml_program.extern<tensor<4xf32>>) : tensor<4xf32>

// -----

// expected-error @below {{'ml_program.global' op expected a value of type 'tensor<?xf32>', found dense<0.000000e+00> : tensor<4xf32>}}
ml_program.global private @w(dense<0.0> : tensor<4xf32>) : tensor<?xf32>

// -----

module @m {
  ml_program.global private mutable @w(1 : i32) : i32
}
func.func @f() -> i32 {
  // expected-error @below {{'ml_program.global_load' op expected a global of the same module, found @m::@w}}
  %0 = ml_program.global_load @m::@w : i32
  return %0 : i32
}
