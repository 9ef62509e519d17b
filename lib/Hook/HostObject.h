//===- HostObject.h - an NPU program in an object file --------------------===//

#ifndef NPU_LIB_HOOK_HOSTOBJECT_H
#define NPU_LIB_HOOK_HOSTOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace npu::hook {

/// An object file for the CPU `triple` with a binary program and a function that launches it:
///
///   void <function>(void *base0, size_t offset0, void *base1, size_t offset1, ...) {
///     void *buffers[] = {base0 + offset0, base1 + offset1, ...};
///     npu_launch(program, sizeof(program), buffers, <number of buffers>);
///   }
///
/// It has no writable data and needs nothing but npu_launch, as IREE's embedded executables demand.
llvm::Expected<llvm::SmallVector<char>> createHostObject(llvm::ArrayRef<uint8_t> program,
                                                         llvm::StringRef function,
                                                         unsigned numBuffers,
                                                         llvm::StringRef triple);

} // namespace npu::hook

#endif // NPU_LIB_HOOK_HOSTOBJECT_H
