// Beside executables, what IREE's later phases make of functions and initializers is carried as text.

// It comes out as it went in, but for locations and aliases. What it refers to is there: symbols, aliases, resources.
// RUN: npu-opt %s | FileCheck %s --match-full-lines --strict-whitespace --check-prefix=TEXT
// RUN: npu-opt %s > %t.once && npu-opt %t.once | diff %t.once -
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt | diff %t.once -
// RUN: npu-opt %s --emit-bytecode | npu-opt | diff %t.once -

// Symbols are known, so what the text uses stays.
// RUN: npu-opt %s --symbol-dce | FileCheck %s --check-prefix=DCE
// DCE: hal.executable private @used
// DCE-NOT: hal.executable private @unused
// DCE: stream.cmd.dispatch @used::@variant::@entry

// Diagnostics are about the lines of the file.
// RUN: sed 's/^  func.func private @last()/  hal.unknown/' %s | not npu-opt 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: <stdin>:84:3: error: custom op 'hal.unknown' is unknown
// RUN: sed -n '/^  func.func private @last/=' %s | FileCheck %s --check-prefix=NUMBER
// NUMBER: {{^84$}}

// Without executables there is nothing to read the rest for.
// RUN: sed 's/hal.executable private/hal.elsewhere private/' %s | not npu-opt 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: custom op 'stream.resource.alloca' is unknown

//      TEXT:#map = affine_map<(d0) -> (d0 * 2)>
// TEXT-NEXT:module @model attributes {stream.affinity.default = #hal.device.affinity<@device>} {
// TEXT-NEXT:  util.global private @device : !hal.device
// TEXT-NEXT:  util.global private @weights : !stream.resource<constant>
// TEXT-NEXT:  util.initializer {
// TEXT-NEXT:    %c8 = arith.constant 8 : index
// TEXT-NEXT:    // dispatches to @nobody
// TEXT-NEXT:    %results:2, %time = stream.resource.alloca uninitialized on(#hal.device.affinity<@device>) : !stream.resource<constant>{%c8} => !stream.timepoint
// TEXT-NEXT:    %data = util.buffer.constant : !util.buffer = #util.composite<8xi8, [
// TEXT-NEXT:      dense_resource<blob> : tensor<4xi8>,
// TEXT-NEXT:      dense<"0x01020304"> : vector<4xi8>,
// TEXT-NEXT:    ]>
// TEXT-NEXT:    cf.cond_br %did_map, ^bb2(%results#0 : !stream.resource<constant>), ^bb1
// TEXT-NEXT:  ^bb1:  // pred: ^bb0
// TEXT-NEXT:    util.global.store %results#1, @weights : !stream.resource<constant>
// TEXT-NEXT:    util.return {map = #map, text = "@used \"quoted\" \\ #map"}
// TEXT-NEXT:  }
// TEXT-NEXT:  hal.executable private @used {
//      TEXT:  util.func public @main(%input: !hal.buffer_view, %size: i32) {
// TEXT-NEXT:    stream.cmd.dispatch @used::@variant::@entry[%c1](%size : i32) {
// TEXT-NEXT:      ro %input[%c0 for %c8] : !stream.resource<external>{%c8}
// TEXT-NEXT:    }
// TEXT-NEXT:    util.return
// TEXT-NEXT:  }
//      TEXT:{-#
//      TEXT:      blob: "0x0100000001020304"

#twice = affine_map<(d0) -> (d0 * 2)>
#composite = #util.composite<8xi8, [
      dense_resource<blob> : tensor<4xi8>,
      dense<"0x01020304"> : vector<4xi8>,
    ]>
!number = i32
module @model attributes {stream.affinity.default = #hal.device.affinity<@device>} {
  util.global private @device : !hal.device
  util.global private @weights : !stream.resource<constant>
  util.initializer {
    %c8 = arith.constant 8 : index
    // dispatches to @nobody
    %results:2, %time = stream.resource.alloca uninitialized on(#hal.device.affinity<@device>) : !stream.resource<constant>{%c8} => !stream.timepoint loc(#loc1)
    %data = util.buffer.constant : !util.buffer = #composite
    cf.cond_br %did_map, ^bb2(%results#0 : !stream.resource<constant>), ^bb1
  ^bb1:  // pred: ^bb0
    util.global.store %results#1, @weights : !stream.resource<constant>
    util.return {map = #twice, text = "@used \"quoted\" \\ #map"}
  } loc(#loc1)
  hal.executable private @used {
    hal.executable.variant public @variant target(<"npu", "npu-binary">) {
      hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>)
    }
  }
  hal.executable private @unused {
  }
  util.func public @main(%input: !hal.buffer_view loc(#loc1), %size: !number) {
    stream.cmd.dispatch @used::@variant::@entry[%c1](%size : !number) {
      ro %input[%c0 for %c8] : !stream.resource<external>{%c8}
    } loc("model.py":1:2)
    util.return
  }
  func.func private @last()
}
#loc1 = loc("model.py":3:4)

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0100000001020304"
    }
  }
#-}
