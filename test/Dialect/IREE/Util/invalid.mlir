// RUN: npu-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected a result to be tied to one of the function's arguments, found '%b'}}
util.func private @tied(%a: tensor<4xf32>) -> %b {

// -----

// expected-error @below {{expected all arguments to have names, or none}}
util.func private @arguments(%a: i32, i32)

// -----

// expected-error @below {{attribute 'sym_name' is part of the function's signature and must not be given again}}
util.func private @twice() attributes {sym_name = "other"}

// -----

// expected-error @below {{'util.func' op expected 'tied_operands' to have one entry for each of 1 results, found 2}}
"util.func"() <{sym_name = "f", sym_visibility = "private", function_type = (i32) -> i32, tied_operands = [0 : index, 0 : index]}> ({
}) : () -> ()

// -----

util.func public @return_count() -> i32 {
  // expected-error @below {{'util.return' op expected 1 operands, one for each result of the function, found 0}}
  util.return
}

// -----

util.func public @return_type(%a: i64) -> i32 {
  // expected-error @below {{'util.return' op expected operand 0 to have the function's result type 'i32', found 'i64'}}
  util.return %a : i64
}

// -----

util.initializer {
  %0 = arith.constant 1 : i32
  // expected-error @below {{'util.return' op expected 0 operands, one for each result of the initializer, found 1}}
  util.return %0 : i32
}

// -----

util.func public @call() {
  // expected-error @below {{'util.call' op expected a function as callee, 'missing' is none}}
  util.call @missing() : () -> ()
  util.return
}

// -----

util.func private @callee(i32)
util.func public @call(%a: i64) {
  // expected-error @below {{'util.call' op expected operand 0 to have the type that 'callee' declares, 'i32', found 'i64'}}
  util.call @callee(%a) : (i64) -> ()
  util.return
}

// -----

util.func private @callee(i32)
util.func public @call() {
  // expected-error @below {{'util.call' op expected 1 operands, as 'callee' has, found 0}}
  util.call @callee() : () -> ()
  util.return
}

// -----

// expected-error @below {{'util.global' op expected an initial value of type 'tensor<8xf32>', found 'tensor<4xf32>'}}
util.global private @g : tensor<8xf32> = dense<1.0> : tensor<4xf32>

// -----

// expected-error @below {{expected an attribute that has a type, found @symbol}}
util.global private @g = @symbol

// -----

util.func public @load() {
  // expected-error @below {{'util.global.load' op expected a global, @missing is none}}
  %0 = util.global.load @missing : i32
  util.return
}

// -----

// expected-note @below {{the global is defined here}}
util.global private @g : i32
util.func public @load() {
  // expected-error @below {{'util.global.load' op expected the type of the global, 'i32', found 'i64'}}
  %0 = util.global.load @g : i64
  util.return
}

// -----

util.global private mutable @g : i32
util.func public @load() {
  // expected-error @below {{'util.global.load' op expected an immutable global, 'g' is mutable}}
  %0 = util.global.load immutable @g : i32
  util.return
}

// -----

util.global private @g : i32
util.func public @store(%a: i32) {
  // expected-error @below {{'util.global.store' op expected a mutable global outside an initializer, 'g' is immutable}}
  util.global.store %a, @g : i32
  util.return
}

// -----

util.func public @barrier(%a: i32) {
  // expected-error @below {{'util.optimization_barrier' op expected the result types to be the operand types}}
  %0 = "util.optimization_barrier"(%a) : (i32) -> i64
  util.return
}

// -----

util.func public @constant() {
  // expected-error @below {{'util.unfoldable_constant' op expected a value of the result's type, 'i64', found 'i32'}}
  %0 = "util.unfoldable_constant"() <{value = 1 : i32}> : () -> i64
  util.return
}

// -----

// Ops of IREE dialects of which only attributes are known are reported.
util.func public @foreign() {
  // expected-error @below {{unregistered operation 'stream.timepoint.immediate' found in dialect ('stream') that does not allow unknown operations}}
  "stream.timepoint.immediate"() : () -> ()
  util.return
}

// -----

util.func public @assume(%a: i32) {
  // expected-error @below {{'util.assume.int' op expected 1 lists of assumptions, one for each operand, found 0}}
  %0 = "util.assume.int"(%a) <{assumptions = []}> : (i32) -> i32
  util.return
}

// -----

util.func public @assume(%a: i32) {
  // expected-error @below {{'util.assume.int' op expected a list of #util.int.assumption, found 1}}
  %0 = "util.assume.int"(%a) <{assumptions = [1]}> : (i32) -> i32
  util.return
}

// -----

util.func public @assume(%a: i32) {
  // expected-error @below {{'util.assume.int' op expected the result types to be the operand types}}
  %0 = "util.assume.int"(%a) <{assumptions = [[]]}> : (i32) -> i64
  util.return
}

// -----

util.func public @assume(%a: i32, %b: i32) {
  // expected-error @below {{'util.assume.int' op expected as many assumptions for each operand that has several, found 2 and 3}}
  %0:2 = util.assume.int %a[<umin = 1>, <umin = 2>], %b[<umin = 1>, <umin = 2>, <umin = 3>] : i32, i32
  util.return
}

// -----

util.func public @assume(%a: i32) {
  // expected-error @below {{expected umin not to exceed umax, found 2 and 1}}
  %0 = util.assume.int %a<umin = 2, umax = 1> : i32
  util.return
}

// -----

util.func public @assume(%a: i32) {
  // expected-error @below {{expected udiv to be positive, found 0}}
  %0 = util.assume.int %a<udiv = 0> : i32
  util.return
}

// -----

util.func public @address() {
  // expected-error @below {{'util.global.address' op expected a global, @missing is none}}
  %0 = util.global.address @missing : !util.ptr<i32>
  util.return
}

// -----

// expected-note @below {{the global is defined here}}
util.global private @g : i32
util.func public @address() {
  // expected-error @below {{'util.global.address' op expected the type of the global, 'i32', found 'i64'}}
  %0 = util.global.address @g : !util.ptr<i64>
  util.return
}

// -----

util.func public @indirect(%p: !util.ptr<i32>) {
  // expected-error @below {{'util.global.load.indirect' op failed to verify that the result has the type that the pointer points to}}
  %0 = util.global.load.indirect %p : !util.ptr<i32> -> i64
  util.return
}

// -----

util.func public @indirect(%p: !util.ptr<i32>, %v: i64) {
  // expected-error @below {{'util.global.store.indirect' op failed to verify that the value has the type that the pointer points to}}
  util.global.store.indirect %v, %p : i64 -> !util.ptr<i32>
  util.return
}

// -----

// expected-error @below {{'util.initializer' op expected a body without arguments, found 1}}
"util.initializer"() ({
^bb0(%a: index):
  util.return
}) : () -> ()

// -----

// expected-error @below {{expected a function body with at least one block}}
util.func public @empty() {}

// -----

// expected-error @below {{'util.carried' op expected text first and last, found 2 pieces}}
"util.carried"() <{pieces = ["util.initializer", @symbol]}> : () -> ()

// -----

// expected-error @below {{'util.carried' op expected text for piece 2, found @b}}
"util.carried"() <{pieces = ["util.initializer", @a, @b]}> : () -> ()
