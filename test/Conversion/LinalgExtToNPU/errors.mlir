// RUN: npu-opt %s --convert-linalg-ext-to-npu -split-input-file -verify-diagnostics

// Another comparator.
func.func @comparator(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@below {{cannot convert iree_linalg_ext.sort: sort without npu equivalent (comparator of iree_linalg_ext.sort), expected one comparison, signed or ordered, of the elements of one tensor; of a top-k a strict one, without indices, no more places than elements, and outputs that are empty or filled with what is worse than all else; run this dispatch on the host}}
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %1 = arith.cmpi ult, %a, %b : i32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @computed(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{cannot convert iree_linalg_ext.sort: sort without npu equivalent (comparator of iree_linalg_ext.sort)}}
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.negf %a : f32
    %2 = arith.cmpf olt, %1, %b : f32
    iree_linalg_ext.yield %2 : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @type(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@below {{cannot convert iree_linalg_ext.sort: element type without npu equivalent (f64 of iree_linalg_ext.sort)}}
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64):
    %1 = arith.cmpf olt, %a, %b : f64
    iree_linalg_ext.yield %1 : i1
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@below {{cannot convert iree_linalg_ext.sort: dynamic shape (tensor<?xf32> of iree_linalg_ext.sort)}}
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @nothing(%x: tensor<0xf32>) -> tensor<0xf32> {
  // expected-error@below {{cannot convert iree_linalg_ext.sort: tensor without elements (tensor<0xf32> of iree_linalg_ext.sort)}}
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<0xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

// Ties would keep their order only with a strict one.
func.func @strict(%x: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %v = tensor.empty() : tensor<3xf32>
  %p = tensor.empty() : tensor<3xi32>
  // expected-error@below {{cannot convert iree_linalg_ext.topk: sort without npu equivalent (comparator of iree_linalg_ext.topk), expected one comparison, signed or ordered, of the elements of one tensor; of a top-k a strict one, without indices, no more places than elements, and outputs that are empty or filled with what is worse than all else; run this dispatch on the host}}
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%x : tensor<8xf32>) outs(%v, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf oge, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<3xf32>, tensor<3xi32>
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}

// -----

func.func @indices(%x: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %v = tensor.empty() : tensor<3xf32>
  %p = tensor.empty() : tensor<3xi32>
  // expected-error@below {{cannot convert iree_linalg_ext.topk: sort without npu equivalent (indices of iree_linalg_ext.topk), expected one comparison, signed or ordered, of the elements of one tensor; of a top-k a strict one, without indices, no more places than elements, and outputs that are empty or filled with what is worse than all else; run this dispatch on the host}}
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%x, %i : tensor<8xf32>, tensor<8xi32>) outs(%v, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<3xf32>, tensor<3xi32>
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}

// -----

func.func @places(%x: tensor<8xf32>) -> (tensor<9xf32>, tensor<9xi32>) {
  %v = tensor.empty() : tensor<9xf32>
  %p = tensor.empty() : tensor<9xi32>
  // expected-error@below {{cannot convert iree_linalg_ext.topk: sort without npu equivalent (9 places for 8 elements of iree_linalg_ext.topk), expected one comparison, signed or ordered, of the elements of one tensor; of a top-k a strict one, without indices, no more places than elements, and outputs that are empty or filled with what is worse than all else; run this dispatch on the host}}
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%x : tensor<8xf32>) outs(%v, %p : tensor<9xf32>, tensor<9xi32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<9xf32>, tensor<9xi32>
  return %0#0, %0#1 : tensor<9xf32>, tensor<9xi32>
}

// -----

func.func @narrow(%x: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi16>) {
  %v = tensor.empty() : tensor<3xf32>
  %p = tensor.empty() : tensor<3xi16>
  // expected-error@below {{cannot convert iree_linalg_ext.topk: sort without npu equivalent (indices of i16 of iree_linalg_ext.topk), expected one comparison, signed or ordered, of the elements of one tensor; of a top-k a strict one, without indices, no more places than elements, and outputs that are empty or filled with what is worse than all else; run this dispatch on the host}}
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%x : tensor<8xf32>) outs(%v, %p : tensor<3xf32>, tensor<3xi16>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<3xf32>, tensor<3xi16>
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi16>
}

// -----

func.func @contents(%x: tensor<8xf32>, %v: tensor<3xf32>, %p: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  // expected-error@below {{cannot convert iree_linalg_ext.topk: sort without npu equivalent (outputs of iree_linalg_ext.topk), expected one comparison, signed or ordered, of the elements of one tensor; of a top-k a strict one, without indices, no more places than elements, and outputs that are empty or filled with what is worse than all else; run this dispatch on the host}}
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%x : tensor<8xf32>) outs(%v, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<3xf32>, tensor<3xi32>
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
