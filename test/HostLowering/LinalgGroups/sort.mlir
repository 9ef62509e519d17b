// linalg has no op that sorts. An element's place is the number of those before it; equal ones keep their
// order. Then every place takes the element that is meant for it.

// RUN: npu-run --check "--input=8xi32=5 3 8 1 3 7 2 6" \
// RUN:   "--expected_output=8xi32=1 2 3 3 5 6 7 8" %s

func.func @sort(%x: tensor<8xi32>) -> tensor<8xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%empty : tensor<8xi32>) -> tensor<8xi32>
  %ranks = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>,
                       affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %x : tensor<8xi32>, tensor<8xi32>) outs(%zeros : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %rank: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %less = arith.cmpi slt, %b, %a : i32
    %same = arith.cmpi eq, %b, %a : i32
    %first = arith.cmpi ult, %j, %i : index
    %tie = arith.andi %same, %first : i1
    %before = arith.ori %less, %tie : i1
    %one = arith.extui %before : i1 to i32
    %next = arith.addi %rank, %one : i32
    linalg.yield %next : i32
  } -> tensor<8xi32>
  %sorted = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>,
                       affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %ranks : tensor<8xi32>, tensor<8xi32>) outs(%zeros : tensor<8xi32>) {
  ^bb0(%a: i32, %rank: i32, %out: i32):
    %k = linalg.index 0 : index
    %place = arith.index_cast %k : index to i32
    %mine = arith.cmpi eq, %rank, %place : i32
    %next = arith.select %mine, %a, %out : i32
    linalg.yield %next : i32
  } -> tensor<8xi32>
  return %sorted : tensor<8xi32>
}
