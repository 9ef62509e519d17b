//===- ByteSize.h - sizes in bytes on the command line --------------------===//

#ifndef NPU_SUPPORT_BYTESIZE_H
#define NPU_SUPPORT_BYTESIZE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

#include <cstdint>
#include <optional>

namespace npu {

/// The bytes that `65536`, `64K`, `2M` or `16G` say, where K is 1024. Nothing for any other text, a
/// negative number, or one beyond 63 bits.
std::optional<int64_t> parseByteSize(llvm::StringRef text);

/// The value of an option, of a tool or of a pass, that is written like that.
struct ByteSize {
  ByteSize(int64_t bytes = 0) : bytes(bytes) {}
  operator int64_t() const { return bytes; }

  int64_t bytes;
};

} // namespace npu

template <>
class llvm::cl::parser<npu::ByteSize> : public llvm::cl::basic_parser<npu::ByteSize> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text, npu::ByteSize &value);
  StringRef getValueName() const override { return "bytes"; }
  void printOptionDiff(const Option &option, const npu::ByteSize &value,
                       const OptionValue<npu::ByteSize> &initial, size_t width) const {
    printOptionName(option, width);
    outs() << "= " << value.bytes << "\n";
  }
  void anchor() override;
};

#endif // NPU_SUPPORT_BYTESIZE_H
