//===- TensorFiles.h - files of tensors, made in tests --------------------===//

#ifndef NPU_UNITTESTS_RUNTIME_TENSORFILES_H
#define NPU_UNITTESTS_RUNTIME_TENSORFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

/// An .irpa file with one header, every field of which a test may set to something else.
struct IrpaFile {
  struct Entry {
    enum Kind : uint32_t { Skip, Splat, Data, External };

    uint32_t type = Data;
    std::string name = "w";
    std::string data = std::string(16, '\1'); ///< of a splat: the pattern
    uint64_t length = 16;                     ///< of a splat

    // Differences from what would be right.
    int64_t size = 0, nameOffset = 0, nameLength = 0, dataOffset = 0, dataLength = 0;
    int patternLength = -1;
  };

  std::string magic = "IRPA";
  uint16_t major = 0, minor = 0;
  uint64_t headerSize = 88, next = 0;
  std::vector<Entry> entries = {Entry()};

  // Differences from what would be right.
  int64_t count = 0, entryOffset = 0, entryLength = 0, nameOffset = 0, nameLength = 0,
          dataOffset = 0, dataLength = 0;

  std::string encode() const;
};

/// A .safetensors file; the size of the header is right unless given.
std::string makeSafetensors(llvm::StringRef header, llvm::StringRef data);

/// A .npz file: named members, compressed or not.
std::string makeNpz(llvm::ArrayRef<std::pair<std::string, std::string>> members, bool isCompressed);

/// Little-endian bytes of an integer.
template <typename T>
std::string toBytes(T value) {
  std::string result;
  for (size_t i = 0; i < sizeof(T); ++i)
    result += static_cast<char>(uint64_t(value) >> 8 * i);
  return result;
}

#endif // NPU_UNITTESTS_RUNTIME_TENSORFILES_H
