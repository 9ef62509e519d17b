// RUN: npu-opt --npu-host-keep-in-bounds --split-input-file --verify-diagnostics %s

func.func @extract_large(%x: tensor<16xf32>, %i: index) -> tensor<17xf32> {
  // expected-error @below {{expected a slice of at most the 16 elements in dimension 0 of 'tensor<16xf32>', found 17; use a smaller slice}}
  %0 = tensor.extract_slice %x[%i] [17] [1] : tensor<16xf32> to tensor<17xf32>
  return %0 : tensor<17xf32>
}

// -----

func.func @parallel_insert_large(%x: tensor<8xf32>, %y: tensor<9xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%t = %x) -> tensor<8xf32> {
    scf.forall.in_parallel {
      // expected-error @below {{expected a slice of at most the 8 elements in dimension 0 of 'tensor<8xf32>', found 9; use a smaller slice}}
      tensor.parallel_insert_slice %y into %t[%i] [9] [1] : tensor<9xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @negative_edge(%x: tensor<16xf32>, %v: f32) -> tensor<12xf32> {
  // expected-error @below {{expected edges of at least 0 elements, found -3 in dimension 0; leave elements out by tensor.extract_slice}}
  %0 = tensor.pad %x low[-3] high[-1] {
  ^bb0(%n: index):
    tensor.yield %v : f32
  } : tensor<16xf32> to tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

func.func @no_room(%x: tensor<16xf32>, %i: index, %v: f32) -> tensor<12xf32> {
  // expected-error @below {{expected a result with room for the 16 elements of dimension 0, found 'tensor<12xf32>'; leave elements out by tensor.extract_slice}}
  %0 = tensor.pad %x low[%i] high[0] {
  ^bb0(%n: index):
    tensor.yield %v : f32
  } : tensor<16xf32> to tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

// What is read there has no zero.
func.func @no_element(%x: tensor<?xcomplex<f32>>, %i: index) -> complex<f32> {
  // expected-error @below {{expected elements of integers or floats in a tensor that may be empty, found 'tensor<?xcomplex<f32>>'; use a tensor of another type}}
  %0 = tensor.extract %x[%i] : tensor<?xcomplex<f32>>
  return %0 : complex<f32>
}
