//===- npu-allocator-benchmark.cpp - quality and time of the allocator ----===//
//
// usage: npu-allocator-benchmark [<instance.csv>...]
//
// Prints a table. Instances are those of MiniMalloc (`id,lower,upper,size` per buffer, the capacity
// in the name: A.1048576.csv), for which the capacity is the goal, and then generated ones.
// Buffers of networks live for a few steps, every tenth one for many, as skip connections have
// them; those of the other kinds live for up to a hundred steps or for any time.
//
//===----------------------------------------------------------------------===//

#include "NPU/Support/Allocator.h"
#include "NPU/Support/CommandLine.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>
#include <random>

using namespace llvm;
using namespace npu;

/// CPU seconds of this process.
static double getSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Prints a row of the table. Returns whether the placement is valid.
static bool measure(const Twine &name, ArrayRef<AllocationRequest> requests, int64_t alignment,
                    int64_t goal = 0) {
  double start = getSeconds();
  Allocation allocation = allocate(requests, alignment, goal);
  double allocated = getSeconds();
  bool isValid = isValidAllocation(requests, allocation, alignment);
  double checked = getSeconds();
  int64_t live = getLivePeak(requests, alignment);
  outs() << "| " << name << " | " << requests.size() << " | " << live << " | "
         << format("%.3f", double(allocation.firstFitPeakBytes) / live) << " | "
         << format("%.3f", double(allocation.peakBytes) / live)
         << (allocation.isOptimal ? " (optimal)" : "") << " | "
         << (goal ? toString(APInt(64, goal), 10, false) : "-") << " | " << allocation.numSteps
         << " | " << format("%.3f", allocated - start) << " | "
         << format("%.3f", checked - allocated) << " |\n";
  outs().flush();
  if (!isValid)
    errs() << "error: the placement of " << name << " is not valid\n";
  return isValid;
}

/// Fails on what is not an instance; at most 2^40 bytes in all are.
static bool readInstance(StringRef path, std::vector<AllocationRequest> &requests) {
  auto file = MemoryBuffer::getFile(path);
  if (!file) {
    errs() << "error: " << path << ": " << file.getError().message() << "\n";
    return false;
  }
  line_iterator line(**file);
  auto fail = [&](StringRef expected) {
    errs() << "error: " << path << ":" << line.line_number() << ": expected " << expected
           << ", found '" << (line.is_at_end() ? StringRef() : *line) << "'\n";
    return false;
  };
  constexpr StringLiteral columns = "id,lower,upper,size";
  if (line.is_at_end() || line->trim() != columns)
    return fail("the columns id,lower,upper,size");
  constexpr int64_t maxBytes = int64_t(1) << 40;
  int64_t bytes = 0;
  for (++line; !line.is_at_end(); ++line) {
    SmallVector<StringRef> cells;
    line->trim().split(cells, ',');
    AllocationRequest request;
    if (cells.size() != 4 || cells[1].getAsInteger(10, request.lower) ||
        cells[2].getAsInteger(10, request.upper) || cells[3].getAsInteger(10, request.bytes))
      return fail(columns);
    if (request.lower >= request.upper)
      return fail("a buffer that lives from lower to a later upper");
    if (request.bytes <= 0 || request.bytes > maxBytes - bytes)
      return fail("a size, and 2^40 bytes in all at most");
    bytes += request.bytes;
    requests.push_back(request);
  }
  return !requests.empty() || fail("a buffer");
}

static std::vector<AllocationRequest> generate(unsigned count, unsigned usualLife,
                                               unsigned longLife, unsigned maxBytes) {
  std::mt19937 random(count);
  std::vector<AllocationRequest> requests;
  for (int64_t step = 0; step < count; ++step) {
    int64_t life = 1 + random() % (random() % 10 ? usualLife : longLife);
    requests.push_back({step, step + life, int64_t(1 + random() % maxBytes)});
  }
  return requests;
}

int main(int argc, char **argv) {
  hideLLVMOptions();
  cl::list<std::string> instances(cl::Positional, cl::desc("<name.capacity.csv>..."));
  cl::ParseCommandLineOptions(argc, argv, "measures the allocator on given instances\n");
  outs() << "| instance | buffers | live bytes | first fit | result | goal | steps | CPU s | check "
            "s |\n"
         << "|---|---|---|---|---|---|---|---|---|\n";
  bool isValid = true;
  double start = getSeconds();
  for (const std::string &path : instances) {
    std::vector<AllocationRequest> requests;
    if (!readInstance(path, requests))
      return 1;
    auto [name, capacity] = sys::path::stem(path).split('.');
    int64_t goal = 0;
    capacity.getAsInteger(10, goal);
    isValid &= measure(name, requests, /*alignment=*/1, goal);
  }
  if (!instances.empty())
    outs() << "| all of these | | | | | | | " << format("%.3f", getSeconds() - start) << " | |\n";
  for (unsigned count : {500, 1000, 10000}) {
    isValid &= measure("network", generate(count, 3, 40, 1 << 20), 64);
    isValid &= measure("lives up to 100", generate(count, 100, 100, 1 << 20), 64);
    isValid &= measure("lives of any length", generate(count, count, count, 1 << 20), 64);
  }
  return !isValid;
}
