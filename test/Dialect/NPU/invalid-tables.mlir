// RUN: npu-opt %s -split-input-file -verify-diagnostics

// table_c1
func.func @input(%x: tensor<4xi32>, %t: tensor<256xi8>) {
  // expected-error@+1 {{'npu.table' op expected elements of i8 or i16 to look up but found 'i32'}}
  %0 = npu.table %x[%t] -> %x : tensor<4xi32>, tensor<256xi8> -> tensor<4xi32>
  return
}

// -----

// table_c2
func.func @size(%x: tensor<4xi8>, %t: tensor<255xi8>) {
  // expected-error@+1 {{'npu.table' op expected a table of 256 elements of 'i8' for an input of 'i8' but found 'tensor<255xi8>'}}
  %0 = npu.table %x[%t] -> %x : tensor<4xi8>, tensor<255xi8> -> tensor<4xi8>
  return
}

// -----

// table_c2
func.func @entries(%x: tensor<4xi16>, %t: tensor<513xi8>, %y: tensor<4xi32>) {
  // expected-error@+1 {{'npu.table' op expected a table of 513 elements of 'i16' for an input of 'i16' but found 'tensor<513xi8>'}}
  %0 = npu.table %x[%t] -> %y : tensor<4xi16>, tensor<513xi8> -> tensor<4xi32>
  return
}

// -----

// table_c2
func.func @rank(%x: tensor<4xi8>, %t: tensor<1x256xi8>) {
  // expected-error@+1 {{'npu.table' op expected a table of 256 elements of 'i8' for an input of 'i8' but found 'tensor<1x256xi8>'}}
  %0 = npu.table %x[%t] -> %x : tensor<4xi8>, tensor<1x256xi8> -> tensor<4xi8>
  return
}

// -----

// table_c2
func.func @output(%x: tensor<4xi16>, %t: tensor<513xi16>) {
  // expected-error@+1 {{'npu.table' op expected an output of element type 'i32' but found 'i16'}}
  %0 = npu.table %x[%t] -> %x : tensor<4xi16>, tensor<513xi16> -> tensor<4xi16>
  return
}

// -----

// elementwise_c1
func.func @number(%x: tensor<4xi8>, %t: tensor<256xi8>) {
  // expected-error@+1 {{'npu.table' op expected one indexing map per data operand, that is 3, but found 2}}
  %0 = npu.table %x[%t] -> %x {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]} : tensor<4xi8>, tensor<256xi8> -> tensor<4xi8>
  return
}

// -----

// elementwise_c2
func.func @map(%x: tensor<256xi8>, %t: tensor<256xi8>) {
  // expected-error@+1 {{'npu.table' op expected the map of operand 1, which tiles read whole, to be from the 1 dimensions of the destination to 0 but found affine_map<(d0) -> (d0)>}}
  %0 = npu.table %x[%t] -> %x {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]} : tensor<256xi8>, tensor<256xi8> -> tensor<256xi8>
  return
}

// -----

// elementwise_c3
func.func @extent(%x: tensor<5xi8>, %t: tensor<256xi8>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.table' op expected 4 elements in dimension d0 of operand 0 but found 5}}
  %0 = npu.table %x[%t] -> %y : tensor<5xi8>, tensor<256xi8> -> tensor<4xi8>
  return
}
