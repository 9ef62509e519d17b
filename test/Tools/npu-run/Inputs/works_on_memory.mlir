func.func @main(%x: tensor<8xf32>, %i: tensor<i64>) -> tensor<8xf32> {
  %k = tensor.extract %i[] : tensor<i64>
  %j = arith.index_cast %k : i64 to index
  %b = bufferization.to_buffer %x : tensor<8xf32> to memref<8xf32>
  %v = memref.load %b[%j] : memref<8xf32>
  %r = tensor.splat %v : tensor<8xf32>
  return %r : tensor<8xf32>
}
