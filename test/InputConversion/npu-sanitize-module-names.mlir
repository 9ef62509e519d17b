// RUN: npu-opt --npu-sanitize-module-names %s | FileCheck %s

// CHECK: module @_18_layers_v1_ attributes
// CHECK: module @inner_one
module @"18 layers.v1!" attributes {a.b} {
  module @"inner-one" {}
}
