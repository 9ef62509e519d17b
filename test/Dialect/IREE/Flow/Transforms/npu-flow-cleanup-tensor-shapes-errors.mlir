// RUN: npu-opt --npu-flow-cleanup-tensor-shapes %s -verify-diagnostics

util.func public @ask(%arg0: tensor<?x5xf32>, %arg1: tensor<*xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'tensor.dim' op expected sizes to be known by now, found a tensor of type 'tensor<?x5xf32>' that is asked for one; pass the size as an index or make the shape static}}
  %0 = tensor.dim %arg0, %c0 : tensor<?x5xf32>
  // expected-error @below {{'tensor.rank' op expected sizes to be known by now, found a tensor of type 'tensor<*xf32>' that is asked for one; pass the size as an index or make the shape static}}
  %1 = tensor.rank %arg1 : tensor<*xf32>
  util.return %0, %1 : index, index
}
