//===- SharedBytes.h - bytes that copies have in common -------------------===//

#ifndef NPU_TARGET_ISA_SHAREDBYTES_H
#define NPU_TARGET_ISA_SHAREDBYTES_H

#include "llvm/ADT/ArrayRef.h"

#include <initializer_list>
#include <memory>
#include <vector>

namespace npu::isa {

/// Bytes that nobody changes, so that a copy is the same bytes: the weights of a network are
/// hundreds of megabytes, and a program is copied and made of its IR several times.
class SharedBytes {
public:
  SharedBytes() = default;
  SharedBytes(std::vector<uint8_t> bytes)
      : owner(std::make_shared<const std::vector<uint8_t>>(std::move(bytes))), bytes(*owner) {}
  SharedBytes(std::initializer_list<uint8_t> bytes) : SharedBytes(std::vector<uint8_t>(bytes)) {}

  /// Bytes of somebody else, who keeps them for as long as there are copies of this.
  static SharedBytes borrow(llvm::ArrayRef<uint8_t> bytes) {
    SharedBytes borrowed;
    borrowed.bytes = bytes;
    return borrowed;
  }

  const uint8_t *data() const { return bytes.data(); }
  size_t size() const { return bytes.size(); }
  const uint8_t *begin() const { return bytes.begin(); }
  const uint8_t *end() const { return bytes.end(); }
  operator llvm::ArrayRef<uint8_t>() const { return bytes; }
  bool operator==(const SharedBytes &other) const { return bytes == other.bytes; }

private:
  std::shared_ptr<const std::vector<uint8_t>> owner;
  llvm::ArrayRef<uint8_t> bytes;
};

} // namespace npu::isa

#endif // NPU_TARGET_ISA_SHAREDBYTES_H
