// Regions that are none.

// RUN: npu-opt %s --pass-pipeline="builtin.module(npu_isa.program(npu-verify-program))" -verify-diagnostics

// expected-error@below {{'npu_isa.program' op region must be a dictionary with 'kind', 'name' and 'bytes', found 1 : i64}}
npu_isa.program @region attributes {regions = [1], target = "npu-v1"} {
  npu_isa.stream "ctl" cluster(0) {
    npu_isa.halt
  }
}
