// RUN: npu-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error@below {{expected strips along a dimension of the results but found -1}}
"test.op"() {a = #npu.strips<-1 = 2 {@s}>} : () -> ()

// -----

// expected-error@below {{expected strips of at least one index but found 0}}
"test.op"() {a = #npu.strips<0 = 0 {@s}>} : () -> ()

// -----

// expected-error@below {{expected loops, loads, values and stages in a schedule, or strips alone, but found #npu.strips<0 = 2 {@s}>}}
"test.op"() {a = #npu.schedule<{@s, strips 0 = 2 {@s}}>} : () -> ()

// -----

// expected-error@below {{expected loops, loads, values and stages in a schedule, or strips alone, but found #npu.strips<0 = 2 {@s}>}}
"test.op"() {a = #npu.schedule<{for m = 2 {strips 0 = 2 {@s}}}>} : () -> ()
