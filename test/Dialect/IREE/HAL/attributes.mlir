// RUN: npu-opt %s --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s | npu-opt --mlir-print-local-scope | FileCheck %s

#cpu = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "", native_vector_size = 16 : i64, resolver = #iree_cpu.cpu_encoding_resolver<>}>
#local = #hal.device.target<"local", [#cpu]> : !hal.device

// Aliases inside the attributes of devices stand for what they are.
// CHECK: util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "", native_vector_size = 16 : i64, resolver = #iree_cpu.cpu_encoding_resolver<>}>]> : !hal.device
util.global private @__device_0 = #local
// CHECK: util.global private @a = #hal.device.target<"npu", {ordinal = 1 : index}, [#hal.executable.target<"npu", "npu-binary">]> : !hal.device
util.global private @a = #hal.device.target<"npu", {ordinal = 1 : index}, [#hal.executable.target<"npu", "npu-binary">]> : !hal.device
// CHECK: util.global private @b = #hal.device.target<"npu"> : !hal.device
util.global private @b = #hal.device.target<"npu"> : !hal.device
// CHECK: util.global private @c = #hal.device.alias<"hip"[2], {mode = "fast"}> : !hal.device
util.global private @c = #hal.device.alias<"hip"[2], {mode = "fast"}> : !hal.device
// CHECK: util.global private @d = #hal.device.alias<"hip"> : !hal.device
util.global private @d = #hal.device.alias<"hip"> : !hal.device
// CHECK: util.global private @e = #hal.device.select<[#hal.device.target<"npu"> : !hal.device, #hal.device.fallback<@b> : !hal.device]> : !hal.device
util.global private @e = #hal.device.select<[#hal.device.target<"npu"> : !hal.device, #hal.device.fallback<@b> : !hal.device]> : !hal.device

// Attributes that hold no others are text.
// CHECK: util.func private @attributes() attributes {
// CHECK-SAME: attr0 = #hal.device.affinity<@a, [0, 63]>
// CHECK-SAME: attr1 = #hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>
// CHECK-SAME: attr2 = #hal.device.promise<@a, [0]>
// CHECK-SAME: attr3 = #hal.device.topology<links = [(@a -> @b = {unified_memory = true})]>
// CHECK-SAME: attr4 = #hal.abi.convention<coarse_fences>
// CHECK-SAME: attr5 = #hal.device.ordinal<0> : !hal.device
// CHECK-SAME: stream.affinity = #hal.device.affinity<@a>
util.func private @attributes() attributes {
  attr0 = #hal.device.affinity<@a, [0, 63]>,
  attr1 = #hal.device.optimal<[#hal.device.affinity<@a>, #hal.device.affinity<@b>]>,
  attr2 = #hal.device.promise<@a, [0]>,
  attr3 = #hal.device.topology<links = [(@a -> @b = {unified_memory = true})]>,
  attr4 = #hal.abi.convention<coarse_fences>,
  attr5 = #hal.device.ordinal<0> : !hal.device,
  stream.affinity = #hal.device.affinity<@a>
}
