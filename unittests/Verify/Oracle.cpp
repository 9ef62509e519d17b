//===- Oracle.cpp - the slow and obvious verifier -------------------------===//

#include "Oracle.h"

#include "NPU/Target/Desc/TargetDesc.h"

#include <map>
#include <set>

using namespace npu;
using namespace npu::isa;
using namespace npu::test;

namespace {
/// Memory number (cluster * 2 + space, or 1000 + region) and byte.
using Byte = std::pair<int64_t, int64_t>;

struct Instance {
  unsigned stream;
  std::set<Byte> reads, writes;
  std::vector<std::pair<int64_t, int64_t>> waits;
  std::vector<int64_t> signals;
};

class Unroller {
public:
  explicit Unroller(const Program &program)
      : program(program), target(llvm::cantFail(parseTarget(program.target))) {
    for (unsigned s = 0; s < program.streams.size(); ++s) {
      starts.push_back(instances.size());
      stream = s;
      Counters counters{};
      run(program.streams[s].code, 0, 0, counters);
    }
    starts.push_back(instances.size());
  }

  std::vector<Instance> instances;
  std::vector<size_t> starts;
  const Program &program;
  TargetDesc target;

private:
  /// Runs from `pc` to the end of the loop or stream; returns the index of `endloop` or `halt`.
  size_t run(const std::vector<Instruction> &code, size_t pc, unsigned depth, Counters &counters) {
    for (;; ++pc) {
      if (auto *loop = std::get_if<Loop>(&code[pc])) {
        size_t end = pc;
        for (int64_t i = 0; i < loop->count.trips; ++i) {
          counters[depth] = i;
          end = run(code, pc + 1, depth + 1, counters);
        }
        counters[depth] = 0;
        pc = end;
        continue;
      }
      if (std::holds_alternative<EndLoop>(code[pc]) || std::holds_alternative<Halt>(code[pc]))
        return pc;
      add(code[pc], counters);
    }
  }

  int64_t chip(int64_t cluster, MemorySpace space) { return cluster * 2 + int64_t(space); }

  static void touch(std::set<Byte> &set, int64_t memory, int64_t at, int64_t bytes) {
    for (int64_t b = 0; b < bytes; ++b)
      set.insert({memory, at + b});
  }

  void add(const Instruction &instruction, const Counters &counters) {
    Instance instance{stream, {}, {}, {}, {}};
    const Sync &sync = *getSync(instruction);
    if (sync.wait0)
      instance.waits.push_back({sync.wait0, sync.value0.evaluate(counters)});
    if (sync.wait1)
      instance.waits.push_back({sync.wait1, sync.value1.evaluate(counters)});
    for (int64_t signal : {sync.signal0, sync.signal1})
      if (signal)
        instance.signals.push_back(signal);
    int64_t cluster = program.streams[stream].cluster;
    if (auto *load = std::get_if<DmaLoad>(&instruction)) {
      walk(load->dims, load->from, load->to, counters, [&](int64_t dram, int64_t onChip, bool in) {
        int64_t bytes = getByteSize(load->from.type);
        if (in)
          touch(instance.reads, 1000 + load->from.region, dram, bytes);
        for (int64_t c = 0; c < target.clusters; ++c)
          if (c == cluster || load->flags.clusters >> c & 1)
            touch(instance.writes, chip(c, load->to.space), onChip, bytes);
      });
    } else if (auto *store = std::get_if<DmaStore>(&instruction)) {
      walk(store->dims, store->to, store->from, counters,
           [&](int64_t dram, int64_t onChip, bool in) {
             int64_t bytes = getByteSize(store->to.type);
             if (in)
               touch(instance.writes, 1000 + store->to.region, dram, bytes);
             touch(instance.reads, chip(cluster, store->from.space), onChip, bytes);
           });
    } else if (auto *unary = std::get_if<VpuUnary>(&instruction)) {
      const VectorOperand *operands[] = {&unary->dst, &unary->a};
      int64_t n[4] = {evaluate(unary->shape.d0, counters), evaluate(unary->shape.d1, counters),
                      evaluate(unary->shape.d2, counters), evaluate(unary->shape.d3, counters)};
      for (int64_t i = 0; i < n[0]; ++i)
        for (int64_t j = 0; j < n[1]; ++j)
          for (int64_t k = 0; k < n[2]; ++k)
            for (int64_t l = 0; l < n[3]; ++l)
              for (const VectorOperand *o : operands)
                touch(o == &unary->dst ? instance.writes : instance.reads,
                      chip(cluster, o->at.space),
                      evaluate(o->at, counters) + i * o->stride0 + j * o->stride1 + k * o->stride2 +
                          l * o->stride3,
                      getByteSize(o->type));
    } else if (auto *mm = std::get_if<MxuMatmul>(&instruction)) {
      int64_t m = evaluate(mm->m, counters), n = evaluate(mm->n, counters),
              k = evaluate(mm->k, counters), cols = target.macCols;
      int64_t left = getByteSize(getLeftType(mm->accumulate.type));
      int64_t right = getByteSize(getRightType(mm->accumulate.type));
      for (int64_t x = 0; x < m && n; ++x)
        for (int64_t z = 0; z < k; ++z)
          touch(instance.reads, chip(cluster, mm->a.space),
                evaluate(mm->a, counters) + x * mm->a_pitch.row_bytes + z * left, left);
      for (int64_t y = 0; y < (n + cols - 1) / cols * cols && m; ++y) // whole panels
        for (int64_t z = 0; z < k; ++z)
          touch(instance.reads, chip(cluster, mm->b.space),
                evaluate(mm->b, counters) + y / cols * mm->b_panel.panel_bytes +
                    (z * cols + y % cols) * right,
                right);
      for (int64_t y = 0; y < n && m && k && mm->accumulate.biased; ++y)
        touch(instance.reads, chip(cluster, mm->accumulate.start.space),
              evaluate(mm->accumulate.start, counters) + y * 4, 4);
      for (int64_t x = 0; x < m && k; ++x)
        for (int64_t y = 0; y < n; ++y)
          touch(instance.writes, chip(cluster, mm->out.space),
                evaluate(mm->out, counters) + x * mm->out_pitch.row_bytes + y * 4, 4);
    }
    instances.push_back(std::move(instance));
  }

  template <typename F>
  void walk(llvm::ArrayRef<BoxDim> dims, const DramSide &dram, const Address &onChip,
            const Counters &counters, F f) {
    std::vector<int64_t> extents, j(dims.size(), 0);
    int64_t count = 1;
    for (const BoxDim &dim : dims) {
      extents.push_back(evaluate(dim.extent, counters));
      count *= extents.back();
    }
    for (int64_t n = 0; n < count; ++n) {
      int64_t rest = n;
      for (size_t d = dims.size(); d-- > 0; rest /= extents[d])
        j[d] = rest % extents[d];
      int64_t address = dram.base.evaluate(counters), to = evaluate(onChip, counters);
      bool in = true;
      for (size_t d = 0; d < dims.size(); ++d) {
        int64_t coordinate =
            dims[d].origin.evaluate(counters) + j[d] + dims[d].block * j[size_t(dims[d].outer)];
        in &= coordinate >= dims[d].low && coordinate < dims[d].high;
        address += coordinate * dims[d].dram_stride;
        to += j[d] * dims[d].chip_stride;
      }
      f(address, to, in);
    }
  }

  unsigned stream = 0;
};

/// precedes[i] holds what must be complete before instance i starts.
struct Order {
  std::vector<std::vector<bool>> precedes;
  bool isComplete = true;
};
} // namespace

static Order findOrder(const Unroller &unrolled) {
  size_t n = unrolled.instances.size();
  Order order{std::vector<std::vector<bool>>(n), true};
  std::map<int64_t, std::vector<size_t>> signals;
  std::vector<size_t> next(unrolled.starts.begin(), unrolled.starts.end() - 1);
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t s = 0; s < next.size(); ++s)
      for (; next[s] < unrolled.starts[s + 1]; ++next[s], moved = true) {
        size_t i = next[s];
        const Instance &instance = unrolled.instances[i];
        bool isReady = true;
        for (auto [semaphore, value] : instance.waits)
          isReady &= int64_t(signals[semaphore].size()) >= value;
        if (!isReady)
          break;
        std::vector<bool> before(n, false);
        auto join = [&](size_t other) {
          before[other] = true;
          for (size_t k = 0; k < n; ++k)
            before[k] = before[k] || order.precedes[other][k];
        };
        if (i > unrolled.starts[s])
          join(i - 1);
        for (auto [semaphore, value] : instance.waits)
          if (value > 0)
            join(signals[semaphore][size_t(value - 1)]);
        order.precedes[i] = std::move(before);
        for (int64_t signal : instance.signals)
          signals[signal].push_back(i);
      }
  }
  for (size_t s = 0; s < next.size(); ++s)
    order.isComplete &= next[s] == unrolled.starts[s + 1];
  return order;
}

static bool meet(const std::set<Byte> &a, const std::set<Byte> &b) {
  for (const Byte &byte : a)
    if (b.count(byte))
      return true;
  return false;
}

Verdict npu::test::runOracle(const Program &program) {
  Unroller unrolled(program);
  for (const Instance &instance : unrolled.instances)
    for (const std::set<Byte> *set : {&instance.reads, &instance.writes})
      for (auto [memory, byte] : *set) {
        int64_t bytes = memory >= 1000 ? program.regions[size_t(memory - 1000)].bytes
                        : memory % 2   ? unrolled.target.accBytes
                                       : unrolled.target.sramBytes;
        if (byte < 0 || byte >= bytes)
          return Verdict::Bounds;
      }
  Order order = findOrder(unrolled);
  for (size_t i = 0; i < unrolled.instances.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      const Instance &a = unrolled.instances[i], &b = unrolled.instances[k];
      if (a.stream == b.stream || order.precedes[i].empty() || order.precedes[k].empty() ||
          order.precedes[i][k] || order.precedes[k][i])
        continue;
      if (meet(a.writes, b.writes) || meet(a.reads, b.writes) || meet(a.writes, b.reads))
        return order.isComplete ? Verdict::Race : Verdict::RaceAndDeadlock;
    }
  return order.isComplete ? Verdict::Safe : Verdict::Deadlock;
}

bool npu::test::haveSameOrder(const Program &a, const Program &b) {
  return findOrder(Unroller(a)).precedes == findOrder(Unroller(b)).precedes;
}

Verdict npu::test::classify(const std::string &message) {
  llvm::StringRef text = message;
  return text.empty()                      ? Verdict::Safe
         : text.starts_with("data race: ") ? Verdict::Race
         : text.starts_with("deadlock: ")  ? Verdict::Deadlock
         : text.starts_with("range: ")     ? Verdict::Bounds
                                           : Verdict::Other;
}

std::ostream &npu::test::operator<<(std::ostream &os, Verdict verdict) {
  const char *names[] = {"safe", "race", "deadlock", "race and deadlock", "bounds", "other"};
  return os << names[unsigned(verdict)];
}

std::string npu::test::getMessage(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

Program npu::test::parse(const std::string &text) {
  llvm::Expected<Program> program = parseAssembly(text, "test");
  if (program)
    return *program;
  ADD_FAILURE() << llvm::toString(program.takeError());
  return Program();
}
