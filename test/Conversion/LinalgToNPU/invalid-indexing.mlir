// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu -split-input-file -verify-diagnostics

// The table would have to have two shapes.
func.func @several(%t: tensor<9x4xf32>, %i: tensor<3xi32>, %k: tensor<3xi32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  // expected-error @+1 {{gather without npu equivalent (several coordinates that are computed), expected one coordinate that an i32 gives, or several of a tensor that nothing else reads, plain loops for the others, of an argument or a constant; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%i, %k : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: i32, %b: i32, %o: f32):
    %x = arith.index_cast %a : i32 to index
    %y = arith.index_cast %b : i32 to index
    %z = arith.constant 0 : index
    %s = tensor.extract %t[%x, %z] : tensor<9x4xf32>
    %r = tensor.extract %t[%x, %y] : tensor<9x4xf32>
    %u = arith.addf %r, %s : f32
    linalg.yield %u : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @none(%t: tensor<9x4xf32>) -> tensor<4x9xf32> {
  %e = tensor.empty() : tensor<4x9xf32>
  // expected-error @+1 {{gather without npu equivalent (no coordinate that is computed)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x9xf32>) {
  ^bb0(%o: f32):
    %x = linalg.index 1 : index
    %y = linalg.index 0 : index
    %r = tensor.extract %t[%x, %y] : tensor<9x4xf32>
    linalg.yield %r : f32
  } -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

func.func @part(%t: tensor<9x4xf32>, %i: tensor<3xi32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  // expected-error @+1 {{gather without npu equivalent (a loop over a part of dimension 1)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<3xi32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%a: i32, %o: f32):
    %x = arith.index_cast %a : i32 to index
    %y = linalg.index 1 : index
    %r = tensor.extract %t[%x, %y] : tensor<9x4xf32>
    linalg.yield %r : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @diagonal(%t: tensor<9x4x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  // expected-error @+1 {{gather without npu equivalent (two coordinates by one loop)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<3xi32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: i32, %o: f32):
    %x = arith.index_cast %a : i32 to index
    %y = linalg.index 1 : index
    %r = tensor.extract %t[%x, %y, %y] : tensor<9x4x4xf32>
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// As i32, large ones would be negative.
func.func @unsigned(%t: tensor<9xf32>, %i: tensor<3xi32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  // expected-error @+1 {{gather without npu equivalent (coordinate 0 by arith.index_castui)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%i : tensor<3xi32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %x = arith.index_castui %a : i32 to index
    %r = tensor.extract %t[%x] : tensor<9xf32>
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @arithmetic(%t: tensor<9xf32>, %i: tensor<3xi32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  // expected-error @+1 {{gather without npu equivalent (coordinate 0 by arith.addi)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%i : tensor<3xi32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %x = arith.index_cast %a : i32 to index
    %y = arith.addi %x, %x : index
    %r = tensor.extract %t[%y] : tensor<9xf32>
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @computed(%a: tensor<9xf32>, %i: tensor<3xi32>) -> tensor<3xf32> {
  %t = tensor.empty() : tensor<9xf32>
  %s = linalg.exp ins(%a : tensor<9xf32>) outs(%t : tensor<9xf32>) -> tensor<9xf32>
  %e = tensor.empty() : tensor<3xf32>
  // expected-error @+1 {{gather without npu equivalent (of a tensor that the dispatch computes, or of a slice)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%i : tensor<3xi32>) outs(%e : tensor<3xf32>) {
  ^bb0(%b: i32, %o: f32):
    %x = arith.index_cast %b : i32 to index
    %r = tensor.extract %s[%x] : tensor<9xf32>
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Two numbers of 64 bits: those that are too far could be equal or not.
func.func @compared(%a: tensor<3xi64>, %b: tensor<3xi64>) -> tensor<3xi1> {
  %e = tensor.empty() : tensor<3xi1>
  // expected-error @+1 {{element type without npu equivalent (i64 of operand 0 of linalg.generic)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<3xi64>, tensor<3xi64>) outs(%e : tensor<3xi1>) {
  ^bb0(%x: i64, %y: i64, %o: i1):
    %c = arith.cmpi slt, %x, %y : i64
    linalg.yield %c : i1
  } -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

// A number, not an index.
func.func @number(%a: tensor<3xi64>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  // expected-error @+1 {{element type without npu equivalent (i64 of operand 0 of linalg.generic)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%a : tensor<3xi64>) outs(%e : tensor<3xf32>) {
  ^bb0(%x: i64, %o: f32):
    %c = arith.sitofp %x : i64 to f32
    linalg.yield %c : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Too large to be told from what stands for larger numbers.
func.func @large(%t: tensor<9xf32>, %a: tensor<3xi64>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %n = arith.constant 4294967296 : i64
  // expected-error @+1 {{element type without npu equivalent (i64 of operand 0 of linalg.generic)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%a : tensor<3xi64>) outs(%e : tensor<3xf32>) {
  ^bb0(%x: i64, %o: f32):
    %y = arith.subi %x, %n : i64
    %c = arith.index_cast %y : i64 to index
    %r = tensor.extract %t[%c] : tensor<9xf32>
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
