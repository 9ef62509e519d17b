// RUN: npu-opt %s --allow-unregistered-dialect --npu-import-dispatches --split-input-file --verify-diagnostics

flow.executable private @ex {
  flow.executable.export public @no_store
  builtin.module {
    // expected-error @below {{'func.func' op expected a store to argument 0, which is a result of the dispatch, found none}}
    func.func @no_store(%a: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      return
    }
  }
}

// -----

flow.executable private @ex {
  flow.executable.export public @nested
  builtin.module {
    func.func @nested(%a: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>, %i: index) {
      scf.for %k = %i to %i step %i {
        // expected-error @below {{expected stores, and loads of what is stored to, to stand in the entry block of the dispatch function, not in a nested region}}
        %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [%k], sizes = [1], strides = [1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>> -> tensor<1xf32>
      }
      return
    }
  }
}

// -----

flow.executable private @ex {
  flow.executable.export public @use
  builtin.module {
    func.func @use(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
      // expected-error @below {{'util.optimization_barrier' op expected dispatch tensors to be used by loads and stores only}}
      %0 = util.optimization_barrier %a : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
      return
    }
  }
}

// -----

flow.executable private @ex {
  flow.executable.export public @encoded
  builtin.module {
    // expected-error @below {{'func.func' op expected tensors without encoding, argument 0 has "mine"; only those of iree_encoding are dropped}}
    func.func @encoded(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32, "mine">>) {
      return
    }
  }
}

// -----

flow.executable private @ex {
  flow.executable.export public @results
  builtin.module {
    // expected-error @below {{'func.func' op expected a dispatch function without results, found 1}}
    func.func @results(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %i: index) -> index {
      return %i : index
    }
  }
}

// -----

flow.executable private @ex {
  // expected-error @below {{'flow.executable.export' op expected the exported function to be a func.func, found util.func}}
  flow.executable.export public @kind
  builtin.module {
    util.func @kind() {
      util.return
    }
  }
}

// -----

flow.executable private @ex {
  flow.executable.export public @count
  builtin.module {
    // expected-note @below {{the dispatched function is defined here}}
    func.func @count(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
      return
    }
  }
}
util.func public @main(%a: tensor<4xf32>) {
  // expected-error @below {{'flow.dispatch' op expected 1 arguments and untied results, as the function has, found 2}}
  %0 = flow.dispatch @ex::@count(%a) : (tensor<4xf32>) -> tensor<4xf32>
  util.return
}

// -----

flow.executable private @ex {
  flow.executable.export public @readonly
  builtin.module {
    // expected-note @below {{the dispatched function is defined here}}
    func.func @readonly(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
      return
    }
  }
}
util.func public @main(%a: tensor<4xf32>) {
  // expected-error @below {{'flow.dispatch' op expected argument 0 of the function, a result of the dispatch, to be writable}}
  %0 = flow.dispatch @ex::@readonly(%a) : (tensor<4xf32>) -> %a
  util.return
}

// -----

flow.executable private @ex {
  flow.executable.export public @untied
  builtin.module {
    // expected-note @below {{the dispatched function is defined here}}
    func.func @untied(%a: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>) {
      return
    }
  }
}
util.func public @main(%a: tensor<4xf32>) {
  // expected-error @below {{'flow.dispatch' op expected a result for argument 0 of the function, which is writable}}
  flow.dispatch @ex::@untied(%a) : (tensor<4xf32>) -> ()
  util.return
}

// -----

flow.executable private @ex {
  flow.executable.export public @order
  builtin.module {
    func.func @order(%a: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>, %b: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>) {
      return
    }
  }
}
util.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0:2 = flow.dispatch @ex::@order(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (%a, %b)
  // expected-error @below {{'flow.dispatch' op expected results in the same order as in the other dispatches of @ex::@order}}
  %1:2 = flow.dispatch @ex::@order(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (%b, %a)
  util.return
}

// -----

flow.executable private @ex {
  flow.executable.export public @blocks
  builtin.module {
    // expected-error @below {{'func.func' op expected a dispatch function of one block, found 2}}
    func.func @blocks(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
      "foreign.br"()[^end] : () -> ()
    ^end:
      return
    }
  }
}

// -----

flow.executable private @ex {
  flow.executable.export public @types
  builtin.module {
    // expected-note @below {{the dispatched function is defined here}}
    func.func @types(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) {
      return
    }
  }
}
util.func public @main(%a: tensor<8xf32>) {
  // expected-error @below {{'flow.dispatch' op expected type 'tensor<4xf32>' for argument 0 of the function, found 'tensor<8xf32>'}}
  flow.dispatch @ex::@types(%a) : (tensor<8xf32>) -> ()
  util.return
}

// -----

flow.executable private @ex {
  flow.executable.export public @load_first
  builtin.module {
    func.func @load_first(%a: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>) {
      // expected-error @below {{'iree_tensor_ext.dispatch.tensor.load' op expected a store before the load, the source is a new tensor}}
      %0 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>> -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %0, %a, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>
      return
    }
  }
}
util.func public @main() {
  %0 = flow.dispatch @ex::@load_first() : () -> tensor<4xf32>
  util.return
}

// -----

// expected-error @below {{'util.global' op expected data for constant @w of type 'tensor<4xf32>', found none; print the IR again without --mlir-elide-resource-strings-if-larger}}
util.global private @w = dense_resource<__elided__> : tensor<4xf32>

// -----

util.func public @constant() {
  // expected-error @below {{'arith.constant' op expected data for constant of type 'tensor<4xf32>', found none; print the IR again without --mlir-elide-resource-strings-if-larger}}
  %0 = arith.constant dense_resource<__elided__> : tensor<4xf32>
  util.return
}

// -----

util.func public @encoded(%t: tensor<4xf32>) {
  // expected-error @below {{'flow.tensor.encode' op expected tensors without encoding, result 0 has "mine"; only those of iree_encoding are dropped}}
  %0 = flow.tensor.encode %t : tensor<4xf32> -> tensor<4xf32, "mine">
  util.return
}

// -----

flow.executable private @ex {
  flow.executable.export public @entry
  builtin.module {
    func.func @entry(%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %b: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
      %0 = builtin.unrealized_conversion_cast to !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
      // expected-error @below {{'iree_tensor_ext.dispatch.tensor.load' op expected the tensor to be an argument of the dispatch function}}
      %1 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %1, %b, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
      return
    }
  }
}

// -----

util.func public @devices() {
  // expected-error @below {{'flow.channel.default' op expected a program for one device, which the NPU is, found an op between devices; compile the model without sharding}}
  %0 = flow.channel.default : !flow.channel
  util.return
}
