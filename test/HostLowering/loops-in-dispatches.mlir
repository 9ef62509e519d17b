// What linalg has no op for may be a loop: in a dispatch region it runs on the host as it is.

// RUN: npu-run --check --function=scan "--input=8xf32=1 2 3 4 5 6 7 8" \
// RUN:   "--expected_output=8xf32=1 3 6 10 15 21 28 36" %s
// RUN: npu-run --check --function=sort "--input=8xi32=5 3 8 1 3 7 2 6" \
// RUN:   "--expected_output=8xi32=1 2 3 3 5 6 7 8" %s

// The same code, as a dispatch of its model: the pipeline nests.
// RUN: npu-opt --npu-front-half %s -o %t.flow.mlir
// RUN: npu-opt --pass-pipeline="builtin.module(npu-import-dispatches,flow.executable(builtin.module(npu-host-pipeline{level=loops})))" %t.flow.mlir | FileCheck %s

// CHECK:     flow.executable private @scan_dispatch_0
// CHECK:       func.func @scan_dispatch_0{{.*}}(%[[X:.*]]: memref<8xf32>, %{{.*}}: memref<8xf32>)
// CHECK:         scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (f32)
// CHECK:           memref.load %[[X]]
// CHECK:           %[[NEXT:.*]] = arith.addf %[[SUM]]
// CHECK:           memref.store %[[NEXT]]
// CHECK:     flow.dispatch @scan_dispatch_0

func.func @scan(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = flow.dispatch.region -> (tensor<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<8xf32>
    %sums, %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%out = %empty, %sum = %zero)
        -> (tensor<8xf32>, f32) {
      %a = tensor.extract %x[%i] : tensor<8xf32>
      %next = arith.addf %sum, %a : f32
      %inserted = tensor.insert %next into %out[%i] : tensor<8xf32>
      scf.yield %inserted, %next : tensor<8xf32>, f32
    }
    flow.return %sums : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

func.func @sort(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = flow.dispatch.region -> (tensor<8xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %sorted = scf.for %i = %c0 to %c8 step %c1 iter_args(%outer = %x) -> tensor<8xi32> {
      %pass = scf.for %j = %c0 to %c7 step %c1 iter_args(%t = %outer) -> tensor<8xi32> {
        %k = arith.addi %j, %c1 : index
        %a = tensor.extract %t[%j] : tensor<8xi32>
        %b = tensor.extract %t[%k] : tensor<8xi32>
        %low = arith.minsi %a, %b : i32
        %high = arith.maxsi %a, %b : i32
        %t0 = tensor.insert %low into %t[%j] : tensor<8xi32>
        %t1 = tensor.insert %high into %t0[%k] : tensor<8xi32>
        scf.yield %t1 : tensor<8xi32>
      }
      scf.yield %pass : tensor<8xi32>
    }
    flow.return %sorted : tensor<8xi32>
  }
  return %0 : tensor<8xi32>
}
