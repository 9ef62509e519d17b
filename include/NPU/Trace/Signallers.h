//===- Signallers.h - who signals a semaphore --------------------*- C++ -*-===//

#ifndef NPU_TRACE_SIGNALLERS_H
#define NPU_TRACE_SIGNALLERS_H

#include "NPU/Target/ISA/Program.h"

#include "llvm/ADT/DenseMap.h"

namespace npu::runtime {

/// The stream of `program` that signals each semaphore; there is one at most.
inline llvm::DenseMap<int64_t, const isa::Stream *> findSignallers(const isa::Program &program) {
  llvm::DenseMap<int64_t, const isa::Stream *> signallers;
  for (const isa::Stream &stream : program.streams)
    for (const isa::Instruction &instruction : stream.code)
      if (const isa::Sync *sync = isa::getSync(instruction))
        for (int64_t semaphore : {sync->signal0, sync->signal1})
          if (semaphore != 0)
            signallers[semaphore] = &stream;
  return signallers;
}

} // namespace npu::runtime

#endif // NPU_TRACE_SIGNALLERS_H
