// RUN: npu-opt %s --pass-pipeline="builtin.module(npu_isa.program(npu-verify-program))" -split-input-file -verify-diagnostics

npu_isa.program @safe attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream vpu cluster(0) {
    npu_isa.halt
  }
}

// -----

// A wait that nobody answers.
npu_isa.program @stuck attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream vpu cluster(0) {
    // expected-error@+1 {{op is at fault in program 'stuck': deadlock: stream cluster 0 vpu, instruction 0 'sync'}}
    npu_isa.sync {sync_wait0 = 1, sync_value0 = 1}
    npu_isa.halt
  }
}
