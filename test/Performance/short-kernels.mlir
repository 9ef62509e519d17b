// What a vector op and the store behind it wait for hides their issue: of a kernel of one tile exactly that is predicted which it takes.

// RUN: npu-cycles --target=npu-v1 --target=npu-tiny %s | FileCheck %s
// CHECK: ,"npu-v1","relu",1,[[ONE:[0-9]+]],{{[0-9]+}},[[ONE]]{{$}}
// CHECK: ,"npu-tiny","relu",1,[[TINY:[0-9]+]],{{[0-9]+}},[[TINY]]{{$}}

func.func @relu(%x: tensor<8x16xi8>) -> tensor<8x16xi8> {
  %zero = arith.constant 0 : i8
  %empty = tensor.empty() : tensor<8x16xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xi8>) outs(%empty : tensor<8x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %m = arith.maxsi %a, %zero : i8
    linalg.yield %m : i8
  } -> tensor<8x16xi8>
  return %r : tensor<8x16xi8>
}
