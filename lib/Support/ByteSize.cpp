//===- ByteSize.cpp - sizes in bytes on the command line ------------------===//

#include "NPU/Support/ByteSize.h"

#include "NPU/Support/EscapeText.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace npu;

std::optional<int64_t> npu::parseByteSize(StringRef text) {
  unsigned shift = 0;
  for (auto [suffix, bits] : {std::pair("K", 10), std::pair("M", 20), std::pair("G", 30)})
    if (text.consume_back(suffix)) {
      shift = bits;
      break;
    }
  int64_t number;
  if (!text.empty() && !isDigit(text.front()))
    return std::nullopt;
  if (text.getAsInteger(10, number) || number > (INT64_MAX >> shift))
    return std::nullopt;
  return number << shift;
}

bool cl::parser<ByteSize>::parse(Option &option, StringRef name, StringRef text, ByteSize &value) {
  std::optional<int64_t> bytes = parseByteSize(text);
  if (!bytes)
    return option.error("expected bytes, such as 65536, 64K, 2M or 16G, found '" +
                        escapeText(text) + "'");
  value = *bytes;
  return false;
}

void cl::parser<ByteSize>::anchor() {}
