//===- Parameters.cpp - named tensors from outside of a model -------------===//

#include "NPU/Tensor/Parameters.h"

#include "NPU/Support/InputFile.h"
#include "NPU/Support/OutputFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <numeric>

using namespace llvm;
using namespace npu::runtime;

ParameterArchive::~ParameterArchive() = default;

Expected<std::unique_ptr<ParameterArchive>> ParameterArchive::open(StringRef path) {
  StringRef extension = sys::path::extension(path);
  auto create = extension == ".irpa"          ? createIrpaArchive
                : extension == ".safetensors" ? createSafetensorsArchive
                : extension == ".npz"         ? createNpzArchive
                                              : nullptr;
  if (!create)
    return createStringError("expected a .irpa, .safetensors or .npz file with parameters but "
                             "found '" +
                             path + "'");
  InputOptions options;
  options.needsTerminator = false;
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readInput(path, options);
  if (!buffer)
    return createStringError("cannot read '" + path + "': " + toString(buffer.takeError()));
  protectInput(path);
  Expected<std::unique_ptr<ParameterArchive>> archive = create(std::move(*buffer));
  if (!archive)
    return createStringError("'" + path + "': " + toString(archive.takeError()));
  return archive;
}

int64_t npu::runtime::estimateFanIn(ArrayRef<int64_t> shape) {
  if (shape.size() < 2)
    return 1;
  if (shape.size() == 2)
    return std::max<int64_t>(shape.front(), 1);
  int64_t elements = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  int64_t channels = std::max(shape.front(), shape.back());
  return std::max<int64_t>(channels ? elements / channels : 0, 1);
}

Error ParameterSet::add(StringRef specification) {
  Source source;
  StringRef text = specification.trim();
  if (text.contains('=')) {
    auto [scope, rest] = text.split('=');
    source.scope = scope.trim().str();
    text = rest.trim();
  }
  source.name = text.str();
  if (text.consume_front("random(")) {
    if (!text.consume_back(")") || text.trim().getAsInteger(0, source.seed))
      return createStringError("expected random(<seed>) with an unsigned integer seed but found '" +
                               source.name + "'");
  } else {
    Expected<std::unique_ptr<ParameterArchive>> archive = ParameterArchive::open(text);
    if (!archive)
      return archive.takeError();
    source.archive = std::move(*archive);
  }
  sources.push_back(std::move(source));
  return Error::success();
}

Expected<HostTensor> ParameterSet::load(StringRef scope, StringRef key, ElementType type,
                                        ArrayRef<int64_t> shape) const {
  SmallVector<StringRef> searched;
  for (const Source &source : sources) {
    if (source.scope != scope)
      continue;
    if (!source.archive) {
      HostTensor tensor(type, shape);
      tensor.fillRandom(source.seed ^ xxh3_64bits(scope.str() + "::" + key.str()),
                        estimateFanIn(shape));
      return tensor;
    }
    if (!source.archive->contains(key)) {
      searched.push_back(source.name);
      continue;
    }
    Expected<HostTensor> tensor = source.archive->load(key, type, shape);
    if (!tensor)
      return createStringError("'" + source.name + "': " + toString(tensor.takeError()));
    return tensor;
  }
  if (searched.empty()) {
    std::string prefix = "--parameters=" + (scope.empty() ? "" : scope.str() + "=");
    return createStringError(
        "no parameters were given for " +
        (scope.empty() ? "the scope without a name" : "scope '" + scope.str() + "'") + "; use " +
        prefix + "<file> or " + prefix + "random(<seed>)");
  }
  return createStringError("'" + join(searched, "' and '") + "' " +
                           (searched.size() > 1 ? "have" : "has") + " no parameter '" + key + "'");
}
