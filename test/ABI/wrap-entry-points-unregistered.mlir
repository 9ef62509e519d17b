// RUN: npu-opt --npu-abi-wrap-entry-points %s --allow-unregistered-dialect -verify-diagnostics

// What refers to the functions cannot be known.
// expected-error @below {{expected to know which ops define symbols, found one that is not registered}}
module {
  util.func public @f() {
    util.return
  }
  "other.op"() ({
    "other.use"() {callee = @f} : () -> ()
  }) : () -> ()
}
