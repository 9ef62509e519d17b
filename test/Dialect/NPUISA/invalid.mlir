// Attributes that do not say what a field can hold, and programs without the structure of one.

// RUN: npu-opt %s -split-input-file -verify-diagnostics

npu_isa.program @misspelt attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream ctl cluster(0) {
    // expected-error@+1 {{'npu_isa.sync' has no field 'sync_wait'}}
    npu_isa.sync {sync_wait = 1}
    npu_isa.halt
  }
}

// -----

npu_isa.program @range attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream ctl cluster(0) {
    // expected-error@+1 {{field 'sync.wait0' must lie in 0..65535, found 65536}}
    npu_isa.sync {sync_wait0 = 65536}
    npu_isa.halt
  }
}

// -----

npu_isa.program @name attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream vpu cluster(0) {
    // expected-error@+1 {{expected a value of UnaryKind (copy, neg, abs, }}
    npu_isa.vpu.unary {op_kind = cosine}
    npu_isa.halt
  }
}

// -----

npu_isa.program @affine attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream ctl cluster(0) {
    // expected-error@+1 {{'sync_value0' has more than 7 elements}}
    npu_isa.sync {sync_wait0 = 1, sync_value0 = [1, 2, 3, 4, 5, 6, 7, 8]}
    npu_isa.halt
  }
}

// -----

npu_isa.program @entry attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream dmai cluster(0) {
    // expected-error@+1 {{a repeated group has no field 'stride'}}
    npu_isa.dma.load {to_depth = 1, dims = [{stride = 1}]}
    npu_isa.halt
  }
}

// -----

npu_isa.program @engine attributes {regions = [], target = "npu-v1"} {
  // expected-error@+1 {{expected a value of EngineKind (dmai, dmao, mxu, vpu, ctl), found 'gpu'}}
  npu_isa.stream gpu cluster(0) {
    npu_isa.halt
  }
}

// -----

// expected-error@+1 {{attribute 'regions' failed to satisfy constraint: array of #npu_isa.region}}
npu_isa.program @region attributes {regions = [3 : i64], target = "npu-v1"} {
}

// -----

// expected-error@+2 {{expected a value of RegionKind (constants, scratch, input, output, inout), found 'heap'}}
// expected-error@+1 {{failed to parse NPUISA_RegionAttr parameter 'kind'}}
npu_isa.program @kind attributes {regions = [#npu_isa.region<heap "x", 4 bytes>], target = "npu-v1"} {
}

// -----

// expected-error@+1 {{expected a size of region "x" that is not negative but found -4 bytes}}
npu_isa.program @size attributes {regions = [#npu_isa.region<input "x", -4 bytes>], target = "npu-v1"} {
}

// -----

// expected-error@+1 {{expected contents of region "x", whose kind is constants}}
npu_isa.program @empty attributes {regions = [#npu_isa.region<constants "x", 4 bytes>], target = "npu-v1"} {
}

// -----

// expected-error@+1 {{expected no contents of region "x", whose kind is input}}
npu_isa.program @full attributes {regions = [#npu_isa.region<input "x", 1 bytes, dense<1> : tensor<1xi8>>], target = "npu-v1"} {
}

// -----

// expected-error@+1 {{expected 4 elements of type i8 in region "x" but found 'tensor<4xi16>'}}
npu_isa.program @contents attributes {regions = [#npu_isa.region<constants "x", 4 bytes, dense<1> : tensor<4xi16>>], target = "npu-v1"} {
}

// -----

// expected-error@+1 {{expected cycles and bytes that are not negative but found cycles = 1, sram = -2, acc = 3}}
npu_isa.program @plan attributes {plan = #npu_isa.plan<tile(), cycles = 1, sram = -2, acc = 3>, regions = [], target = "npu-v1"} {
}

// -----

// expected-error@+1 {{expected one size of 'm' but found two}}
npu_isa.program @tile attributes {plan = #npu_isa.plan<tile(m = 1, m = 2), cycles = 1, sram = 2, acc = 3>, regions = [], target = "npu-v1"} {
}

// -----

npu_isa.program @twice attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream ctl cluster(0) {
    // expected-error@+1 {{expected field 'sync_wait0' once}}
    npu_isa.sync {sync_wait0 = 1, sync_wait0 = 2}
    npu_isa.halt
  }
}

// -----

npu_isa.program @counters attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream mxu cluster(0) {
    // expected-error@+1 {{expected a set of counters as a number of 8 bits, found 256}}
    npu_isa.mxu.matmul {accumulate_counters = 256}
    npu_isa.halt
  }
}

// -----

// The same as attributes, in the generic form.

npu_isa.program @typed attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream vpu cluster(0) {
    // expected-error@+1 {{attribute 'op_kind' failed to satisfy constraint: vector operations on one operand}}
    "npu_isa.vpu.unary"() {op_kind = "exp"} : () -> ()
    npu_isa.halt
  }
}

// -----

npu_isa.program @unknown attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream ctl cluster(0) {
    // expected-error@+1 {{has no field 'sync_wait'}}
    "npu_isa.sync"() {sync_wait = 1 : i64} : () -> ()
    npu_isa.halt
  }
}

// -----

npu_isa.program @elements attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream ctl cluster(0) {
    // expected-error@+1 {{attribute 'sync_value0' has more than 7 elements}}
    "npu_isa.sync"() {sync_wait0 = 1 : i64, sync_value0 = array<i64: 1, 2, 3, 4, 5, 6, 7, 8>} : () -> ()
    npu_isa.halt
  }
}

// -----

npu_isa.program @set attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream mxu cluster(0) {
    // expected-error@+1 {{attribute 'accumulate_counters' must be a set of counters}}
    "npu_isa.mxu.matmul"() {accumulate_counters = 256 : i64} : () -> ()
    npu_isa.halt
  }
}

// -----

// expected-error@+1 {{is not valid: unknown target 'npu-v0', expected one of npu-v1, npu-v1-x4, npu-tiny}}
npu_isa.program @target attributes {regions = [], target = "npu-v0"} {
}

// -----

// expected-error@+1 {{is not valid: stream cluster 0 ctl, instruction 0: the stream must end with 'halt'}}
npu_isa.program @halt attributes {regions = [], target = "npu-v1"} {
  npu_isa.stream ctl cluster(0) {
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
  npu_isa.stream ctl cluster(0) {
    // expected-error@+1 {{is not an instruction; a stream holds instructions only}}
    %0 = arith.constant 1 : i32
  }
}
