// Attributes that do not say what a field can hold, and programs without the structure of one.

// RUN: npu-opt %s -split-input-file -verify-diagnostics

npu_isa.program @misspelt attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream "ctl" cluster(0) {
    // expected-error@+1 {{has no field 'sync_wait'}}
    npu_isa.sync {sync_wait = 1 : i64}
    npu_isa.halt
  }
}

// -----

npu_isa.program @range attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream "ctl" cluster(0) {
    // expected-error@+1 {{field 'sync.wait0' must lie in 0..65535, found 65536}}
    npu_isa.sync {sync_wait0 = 65536 : i64}
    npu_isa.halt
  }
}

// -----

npu_isa.program @name attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream "vpu" cluster(0) {
    // expected-error@+1 {{attribute 'op_kind' must name a value of UnaryKind, found 'cosine'}}
    npu_isa.vpu.unary {op_kind = "cosine"}
    npu_isa.halt
  }
}

// -----

npu_isa.program @affine attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream "ctl" cluster(0) {
    // expected-error@+1 {{attribute 'sync_value0' has more than 7 elements}}
    npu_isa.sync {sync_wait0 = 1 : i64, sync_value0 = array<i64: 1, 2, 3, 4, 5, 6, 7, 8>}
    npu_isa.halt
  }
}

// -----

npu_isa.program @entry attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream "dmai" cluster(0) {
    // expected-error@+1 {{an entry of 'dims' has an unknown field}}
    npu_isa.dma.load {to_depth = 1 : i64, dims = [{stride = 1 : i64}]}
    npu_isa.halt
  }
}

// -----

npu_isa.program @engine attributes {regions = [], target = "npu-v1"} {
  // expected-error@+1 {{engine must be dmai, dmao, mxu, vpu or ctl, found 'gpu'}}
  npu_isa.stream "gpu" cluster(0) {
    npu_isa.halt
  }
}

// -----

// expected-error@+1 {{region must be a dictionary with 'kind', 'name' and 'bytes'}}
npu_isa.program @region attributes {regions = [3 : i64], target = "npu-v1"} {
}

// -----

// expected-error@+1 {{region kind must be constants, scratch, input, output or inout, found "heap"}}
npu_isa.program @kind attributes {regions = [{bytes = 4 : i64, kind = "heap", name = "x"}], target = "npu-v1"} {
}

// -----

// expected-error@+1 {{is not valid: unknown target 'npu-v0', expected one of npu-v1, npu-v1-x4, npu-tiny}}
npu_isa.program @target attributes {regions = [], target = "npu-v0"} {
}

// -----

// expected-error@+1 {{is not valid: stream cluster 0 ctl, instruction 0: the stream must end with 'halt'}}
npu_isa.program @halt attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream "ctl" cluster(0) {
    npu_isa.sync
  }
}

// -----

npu_isa.program @stranger attributes {regions = [], target = "npu-v1"} {
  // expected-error@+1 {{is not a stream; a program holds npu_isa.stream operations only}}
  %0 = arith.constant 1 : i32
}

// -----

npu_isa.program @operand attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream "ctl" cluster(0) {
    // expected-error@+1 {{is not an instruction; a stream holds instructions only}}
    %0 = arith.constant 1 : i32
  }
}
