// RUN: npu-opt %s --npu-iree-hook=strict --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What an NPU cannot be launched with. In the strict mode it is an error.

// An op that the target does not have.
// expected-error @below {{Dispatch @entry not supported: op without npu equivalent}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %in = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %2 = "other.op"(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// An offset that is no sum of multiples of what a launch passes.
// expected-error @below {{Dispatch @entry not supported: buffer at an offset without a form for the NPU (of binding 0, computed by 'arith.divui'), expected constants and sums of multiples of constants that the launch passes; run iree-compile with --iree-scheduling-optimize-bindings=false}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %constant = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) ordinal(0) : i32
        %index = arith.index_castui %constant : i32 to index
        %c3 = arith.constant 3 : index
        %offset = arith.divui %index, %c3 : index
        %in = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%offset) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %a : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// A sum that wraps around at 32 bits.
// expected-error @below {{Dispatch @entry not supported: buffer at an offset without a form for the NPU (of binding 0, computed by 'arith.index_castui')}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %constant = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) ordinal(0) : i32
        %twice = arith.addi %constant, %constant : i32
        %offset = arith.index_castui %twice : i32 to index
        %in = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%offset) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %a : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// An alignment that changes the offset.
// expected-error @below {{Dispatch @entry not supported: buffer at an offset without a form for the NPU (of binding 0, computed by 'util.align')}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %constant = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) ordinal(0) : i32
        %index = arith.index_castui %constant : i32 to index
        %c64 = arith.constant 64 : index
        %offset = util.align %index, %c64 : index
        %in = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%offset) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %a : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// Bits that may be set in both.
// expected-error @below {{Dispatch @entry not supported: buffer at an offset without a form for the NPU (of binding 0, computed by 'arith.ori')}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %constant = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) ordinal(0) : i32
        %index = arith.index_castui %constant : i32 to index
        %c64 = arith.constant 64 : index
        %offset = arith.ori %index, %c64 : index
        %in = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%offset) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %a : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// Offsets in front of the buffer.
// expected-error @below {{Dispatch @entry not supported: 'hal.interface.binding.subspan' op expected an offset without negative parts, found -64}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %constant = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) ordinal(0) : i32
        %offset = arith.constant -64 : index
        %in = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%offset) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %a : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// Offsets that are apart from each other at one site only. An op that says nothing proves nothing.
// expected-error @below {{Dispatch @entry not supported: buffer that is written and used otherwise as well (binding 0, at offsets that may overlap)}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %constant = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) ordinal(0) : i32
        %index = arith.index_castui %constant : i32 to index
        %offset = util.assume.int %index[<umin = 128, umax = 128>, <umin = 64, umax = 128>] : index
        "util.assume.int"() <{assumptions = []}> : () -> ()
        %in = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%offset) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %a : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// A size that a launch passes.
// expected-error @below {{Dispatch @entry not supported: dynamic shape (tensor<?x8xf32>), expected static shapes}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %constant = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) ordinal(0) : i32
        %size = arith.index_castui %constant : i32 to index
        %in = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8xf32>>{%size}
        return
      }
    }
  }
}

// -----

// A scalar that a launch passes.
// expected-error @below {{Dispatch @entry not supported: value that is not a ranked tensor (constant 0 of the launch), expected ranked tensors}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %constant = hal.interface.constant.load layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) ordinal(0) : f32
        %in = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<constants = 1, bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %constant : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// A buffer that is read while it is written.
// expected-error @below {{Dispatch @entry not supported: buffer that is written and used otherwise as well (binding 1), expected buffers that are read, written, or changed in place by one insertion; run this dispatch on the host}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %in = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c64) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %a : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// A tensor that is changed as a whole.
// expected-error @below {{Dispatch @entry not supported: buffer that is written and used otherwise as well (binding 1)}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %out = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x8xf32>>
        %1 = iree_tensor_ext.dispatch.tensor.load %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x8xf32>> -> tensor<4x8xf32>
        %empty = tensor.empty() : tensor<4x8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
        ^bb0(%a: f32, %b: f32):
          %sum = arith.addf %a, %a : f32
          linalg.yield %sum : f32
        } -> tensor<4x8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// A buffer that is written although it may not be.
// expected-error @below {{Dispatch @entry not supported: 'hal.interface.binding.subspan' op expected a readonly tensor, since binding 0 is ReadOnly, found '!iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>'}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %out = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        return
      }
    }
  }
}

// -----

// Code in another form than tensors.
// expected-error @below {{Dispatch @entry not supported: value that is not a ranked tensor (memref<4x8xf32>)}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %in = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) : memref<4x8xf32>
        return
      }
    }
  }
}

// -----

// Code that is already distributed to workgroups.
// expected-error @below {{Dispatch @entry not supported: 'iree_tensor_ext.dispatch.tensor.store' op expected stores, and loads of what is stored to, to stand in the entry block of the dispatch function}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %in = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>>
        %out = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        %c4 = arith.constant 4 : index
        %id = hal.interface.workgroup.id[0] : index
        scf.for %i = %id to %c4 step %c4 {
          %1 = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
          iree_tensor_ext.dispatch.tensor.store %1, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x8xf32>>
        }
        return
      }
    }
  }
}

// -----

// Control flow.
// expected-error @below {{Dispatch @entry not supported: control flow (several blocks), expected one block}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        return
        ^unreachable:
        return
      }
    }
  }
}

// -----

// Data tiling.
// expected-error @below {{Dispatch @entry not supported: 'func.func' op expected tensors without encoding, argument 0 has}}
hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) count(%device: !hal.device) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %in = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x8xf32, #iree_encoding.testing<>>>
        return
      }
    }
  }
}
