// What npu.iota's verifier rejects.
// RUN: npu-opt %s -split-input-file -verify-diagnostics

// iota_c1
func.func @type(%y: tensor<8xf32>) {
  // expected-error@+1 {{'npu.iota' op expected elements of i8, i16 or i32 but found 'f32'}}
  npu.iota -> %y {steps = array<i64: 1>} : tensor<8xf32>
  return
}

// -----

// iota_c2
func.func @steps(%y: tensor<8x8xi32>) {
  // expected-error@+1 {{'npu.iota' op expected 2 steps of i32 but found array<i64: 1>}}
  npu.iota -> %y {steps = array<i64: 1>} : tensor<8x8xi32>
  return
}

// -----

// iota_c2
func.func @wide_step(%y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.iota' op expected 1 steps of i32 but found array<i64: 4294967296>}}
  npu.iota -> %y {steps = array<i64: 4294967296>} : tensor<8xi32>
  return
}

// -----

// iota_c2
func.func @start(%y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.iota' op expected 'start' of i32 but found 4294967296}}
  npu.iota -> %y {steps = array<i64: 1>, start = 4294967296} : tensor<8xi32>
  return
}

// -----

// iota_c3
func.func @origin(%y: tensor<8xi32>, %o: index) {
  // expected-error@+1 {{'npu.iota' op expected no 'origin' on tensors; use 'start'}}
  npu.iota -> %y origin(%o) {steps = array<i64: 1>} : tensor<8xi32>
  return
}

// -----

// iota_c3
func.func @extents(%y: tensor<8xi32>, %e: index) {
  // expected-error@+1 {{'npu.iota' op expected no extents on tensors but found 1; slice the operands instead}}
  npu.iota -> %y extents(%e) {steps = array<i64: 1>} : tensor<8xi32>
  return
}

// -----

// iota_c4
func.func @tile(%y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.iota' op expected 1 tile sizes that are not negative but found array<i64: 1, 2>}}
  npu.iota -> %y {steps = array<i64: 1>, tile = array<i64: 1, 2>} : tensor<8xi32>
  return
}
