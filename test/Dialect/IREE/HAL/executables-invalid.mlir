// RUN: npu-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error @below {{expected a queue from 0 to 63, found 64}}
"foreign.op"() {a = #hal.device.affinity<@a, [64]>} : () -> ()

// -----

// expected-error @below {{expected the number of constants not to be negative, found -1}}
"foreign.op"() {a = #hal.pipeline.layout<constants = -1, bindings = []>} : () -> ()

// -----

// expected-error @below {{expected {path = "..."} or {path = "...", data = ...}, found {name = "a"}}}
"foreign.op"() {a = #hal.executable.object<{name = "a"}>} : () -> ()

// -----

// expected-error @below {{expected a list of #hal.executable.object, found [1]}}
"foreign.op"() {a = #hal.executable.objects<{#hal.executable.target<"a", "b"> = [1]}>} : () -> ()

// -----

hal.executable @ex {
  // expected-error @below {{'hal.executable.variant' op expected at most one builtin.module, found 2}}
  hal.executable.variant @v target(<"a", "b">) {
    builtin.module {
    }
    // expected-note @below {{the second one is here}}
    builtin.module {
    }
  }
}

// -----

// expected-error @below {{'hal.executable.source' op expected at most one builtin.module, found 2}}
hal.executable.source @ex {
  builtin.module {
  }
  // expected-note @below {{the second one is here}}
  builtin.module {
  }
}

// -----

hal.executable @ex {
  // expected-error @below {{'hal.executable.variant' op expected at most one hal.executable.condition, found 2}}
  hal.executable.variant @v target(<"a", "b">) {
    hal.executable.condition(%device: !hal.device) -> i1 {
      %true = arith.constant true
      hal.return %true : i1
    }
    // expected-note @below {{the second one is here}}
    hal.executable.condition(%device: !hal.device) -> i1 {
      %true = arith.constant true
      hal.return %true : i1
    }
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.export' op expected the arguments of the workgroup count region to be a !hal.device and index values, found ('index')}}
  hal.executable.export @e layout(<bindings = []>) count(%w: index) -> (index, index, index) {
    hal.return %w, %w, %w : index, index, index
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.export' op expected the workgroup count region to end in 'hal.return'}}
  hal.executable.export @e layout(<bindings = []>) count(%d: !hal.device) -> (index, index, index) {
    "foreign.end"() : () -> ()
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.export' op expected the workgroup count region to have one block, found 2}}
  hal.executable.export @e layout(<bindings = []>) count(%d: !hal.device) -> (index, index, index) {
    "foreign.br"()[^bb1] : () -> ()
  ^bb1:
    "foreign.end"() : () -> ()
  }
}

// -----

hal.executable.source @ex {
  hal.executable.export @e layout(<bindings = []>) count(%d: !hal.device, %w: index) -> (index, index, index) {
    // expected-error @below {{'hal.return' op expected operands of the types 'index', 'index', 'index', which the workgroup count region returns, found ('index')}}
    hal.return %w : index
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{expected the condition to be an i1, found 'i8'}}
  hal.executable.export @e layout(<bindings = []>) condition(%d: !hal.device) -> i8 {
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.export' op expected a condition and a fallback, or neither, found a condition only}}
  hal.executable.export @e layout(<bindings = []>) condition(%d: !hal.device) -> i1 {
    %true = arith.constant true
    hal.return %true : i1
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.export' op expected a condition and a fallback, or neither, found a fallback only}}
  hal.executable.export @e layout(<bindings = []>) fallback(@e)
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.export' op expected an entry point of the executable as fallback, @f is none}}
  hal.executable.export @e layout(<bindings = []>) condition(%d: !hal.device) -> i1 {
    %true = arith.constant true
    hal.return %true : i1
  } fallback(@f)
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.export' op expected the layout of the fallback, #hal.pipeline.layout<constants = 1, bindings = []>, found #hal.pipeline.layout<bindings = []>}}
  hal.executable.export @e layout(<bindings = []>) condition(%d: !hal.device) -> i1 {
    %true = arith.constant true
    hal.return %true : i1
  } fallback(@f)
  // expected-note @below {{the fallback is here}}
  hal.executable.export @f layout(<constants = 1, bindings = []>)
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.export' op expected the workload of the fallback, ('!hal.device', 'index'), found ()}}
  hal.executable.export @e layout(<bindings = []>) condition(%d: !hal.device) -> i1 {
    %true = arith.constant true
    hal.return %true : i1
  } fallback(@f)
  // expected-note @below {{the fallback is here}}
  hal.executable.export @f layout(<bindings = []>) count(%d: !hal.device, %w: index) -> (index, index, index) {
    hal.return %w, %w, %w : index, index, index
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.constant.block' op expected 2 keys, one for each result, found 1}}
  hal.executable.constant.block() -> (i32, i32) as "a" {
    %c1 = arith.constant 1 : i32
    hal.return %c1, %c1 : i32, i32
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.constant.block' op expected no argument or one !hal.device as argument, found ('i32')}}
  hal.executable.constant.block(%a: i32) -> i32 as "a" {
    hal.return %a : i32
  }
}

// -----

hal.executable.source @ex {
  // expected-error @below {{'hal.executable.constant.block' op expected the arguments of the function type, ('!hal.device'), found ()}}
  "hal.executable.constant.block"() <{function_type = (!hal.device) -> (), keys = []}> ({
    "hal.return"() : () -> ()
  }) : () -> ()
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // expected-error @below {{'hal.executable.condition' op expected to return an i1, found ('i32')}}
    hal.executable.condition(%device: !hal.device) -> i32 {
      %c1 = arith.constant 1 : i32
      hal.return %c1 : i32
    }
  }
}

// -----

hal.executable @ex {
  hal.executable.variant @v target(<"a", "b">) {
    // expected-error @below {{'hal.executable.condition' op expected one !hal.device as argument, found ()}}
    hal.executable.condition() -> i1 {
      %true = arith.constant true
      hal.return %true : i1
    }
  }
}

// -----

func.func @dimension() {
  // expected-error @below {{'hal.interface.workgroup.id' op expected dimension 0, 1 or 2, found 3}}
  %0 = hal.interface.workgroup.id[3] : index
  return
}

// -----

func.func @ordinal() {
  // expected-error @below {{'hal.interface.constant.load' op expected an ordinal below the layout's number of constants, 1, found 1}}
  %0 = hal.interface.constant.load layout(<constants = 1, bindings = []>) ordinal(1) : i32
  return
}

// -----

func.func @binding() {
  // expected-error @below {{'hal.interface.binding.subspan' op expected a binding below the layout's number of bindings, 1, found 1}}
  %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(1) : memref<4xf32>
  return
}

// -----

func.func @dims() {
  // expected-error @below {{'hal.interface.binding.subspan' op expected 1 sizes for the dynamic dimensions of the result, found 0}}
  %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>
  return
}

// -----

util.func private @query(%device: !hal.device) {
  // expected-error @below {{'hal.device.query' op expected a default of the value's type, 'i32', found 'i1'}}
  %ok, %value = hal.device.query<%device : !hal.device> key("a" :: "b") : i1, i32 = false
  util.return
}
