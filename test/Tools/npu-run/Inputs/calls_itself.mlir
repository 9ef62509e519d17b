func.func @main(%x: tensor<8xf32>, %i: tensor<i64>) -> tensor<8xf32> {
  %k = tensor.extract %i[] : tensor<i64>
  %r = func.call @g(%x, %k) : (tensor<8xf32>, i64) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @g(%x: tensor<8xf32>, %k: i64) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %d = arith.cmpi eq, %k, %c0 : i64
  %r = scf.if %d -> tensor<8xf32> { scf.yield %x : tensor<8xf32> } else {
    %n = arith.subi %k, %c1 : i64
    %y = arith.addf %x, %x : tensor<8xf32>
    %q = func.call @g(%y, %n) : (tensor<8xf32>, i64) -> tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
