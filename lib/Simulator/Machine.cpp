//===- Machine.cpp - streams, time and synchronization --------------------===//

#include "Machine.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;
using namespace npu;
using namespace npu::sim;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

Machine::Machine(const isa::Program &program, const TargetDesc &target, const Options &options,
                 Semaphores semaphores, bool hasData)
    : program(program), target(target), options(options), hasData(hasData),
      semaphores(std::move(semaphores)), tracker(program, !hasData             ? Checks::None
                                                          : options.checkRaces ? Checks::Order
                                                                               : Checks::Values),
      dram(target.dramBytesPerCycle) {
  for (unsigned part : options.partOfSource)
    if (part >= result.parts.size())
      result.parts.resize(part + 1);
  // Keeps times, and the operands of the timing functions, inside 64 bits.
  this->options.cycleLimit = std::clamp<int64_t>(options.cycleLimit, 0, int64_t(1) << 40);
}

namespace {
/// Finds the largest magnitude that an affine field can reach.
class ReachCollector {
public:
  explicit ReachCollector(ArrayRef<int64_t> trips) : trips(trips) {}

  template <typename G>
  void part(StringLiteral, unsigned, const G &group) {
    G::visit(*this, group);
  }
  template <typename G>
  void repeated(StringLiteral, unsigned, unsigned, const SmallVector<G, 0> &entries) {
    for (const G &entry : entries)
      G::visit(*this, entry);
  }
  void affineField(const isa::FieldInfo &, const isa::Affine &value) {
    Int128 sum = std::abs(value.base);
    for (auto [trip, coefficient] : llvm::zip(trips, value.coefficients))
      sum += Int128(std::abs(coefficient)) * (trip - 1);
    reach = std::max(reach, sum);
  }
  void countersField(const isa::FieldInfo &, isa::CounterSet) {}
  void unsignedField(const isa::FieldInfo &, int64_t) {}
  void signedField(const isa::FieldInfo &, int64_t) {}
  void floatField(const isa::FieldInfo &, float) {}
  void flagField(const isa::FieldInfo &, bool) {}
  template <typename E>
  void enumField(const isa::FieldInfo &, E) {}
  void reserved(unsigned, unsigned, unsigned) {}

  Int128 reach = 0;

private:
  ArrayRef<int64_t> trips; ///< of the enclosing loops
};
} // namespace

/// Refuses programs whose addresses or extents could overflow 64 bits in some iteration.
Error Machine::checkReach() const {
  for (const isa::Stream &stream : program.streams) {
    SmallVector<int64_t, isa::maxLoopDepth> trips;
    for (auto [index, instruction] : llvm::enumerate(stream.code)) {
      if (auto *loop = std::get_if<isa::Loop>(&instruction))
        trips.push_back(loop->count.trips);
      else if (std::holds_alternative<isa::EndLoop>(instruction))
        trips.pop_back();
      ReachCollector collector(trips);
      std::visit([&](const auto &held) { std::decay_t<decltype(held)>::visit(collector, held); },
                 instruction);
      if (collector.reach <= Int128(1) << 56)
        continue;
      Engine place;
      place.code = &stream;
      place.next = index;
      return addPlace(
          makeTrap(TrapKind::BadOperand,
                   "has a field whose base and loop terms exceed 2^56 in some iteration"),
          place);
    }
  }
  return Error::success();
}

Error Machine::addMemories(RegionData data) {
  for (int64_t c = 0; c < target.clusters; ++c) {
    auto addMemory = [&](StringRef name, int64_t bytes) {
      // Vectors that do not cross the lines of the host's caches are faster.
      constexpr int64_t lineBytes = 64;
      storage.emplace_back(bytes + lineBytes - 1, 0);
      auto *data = reinterpret_cast<uint8_t *>(
          llvm::alignTo(reinterpret_cast<uintptr_t>(storage.back().data()), lineBytes));
      return Memory::tracked(formatv("cluster {0} {1}", c, name), data, bytes, /*isOnChip=*/true);
    };
    Memory sram = addMemory("sram", target.sramBytes), acc = addMemory("acc", target.accBytes);
    clusters.push_back({std::move(sram), std::move(acc)});
  }
  for (auto [region, bytes] : llvm::zip(program.regions, data)) {
    std::string name = formatv("{0} region '{1}'", isa::toString(region.kind), region.name);
    if (region.kind == isa::RegionKind::Constants)
      regions.push_back(Memory::readOnly(name, region.data.data(), region.bytes));
    else if (region.kind == isa::RegionKind::Input)
      regions.push_back(Memory::readOnly(name, bytes.data(), region.bytes));
    else if (region.kind == isa::RegionKind::InOut)
      regions.push_back(Memory::initialized(name, bytes.data(), region.bytes));
    else
      regions.push_back(Memory::tracked(name, bytes.data(), region.bytes, /*isOnChip=*/false));
  }
  auto isMissing = [](const Memory &memory) { return memory.isTracked && !memory.states; };
  if (llvm::any_of(regions, isMissing) ||
      llvm::any_of(clusters, [&](const ClusterMemories &memories) {
        return isMissing(memories.sram) || isMissing(memories.acc);
      }))
    return createStringError(inconvertibleErrorCode(),
                             "not enough memory to track the program's regions");
  return Error::success();
}

Expected<std::unique_ptr<Machine>> Machine::create(const isa::Program &program,
                                                   const TargetDesc &target,
                                                   std::optional<RegionData> data,
                                                   const Options &options) {
  Expected<Semaphores> semaphores = Semaphores::create(program);
  if (!semaphores)
    return semaphores.takeError();
  std::unique_ptr<Machine> machine(
      new Machine(program, target, options, std::move(*semaphores), data.has_value()));
  if (Error error = machine->checkReach())
    return std::move(error);

  if (data) {
    if (Error error = machine->addMemories(*data))
      return std::move(error);
  } else {
    machine->clusters.resize(target.clusters);
    machine->regions.resize(program.regions.size());
  }

  for (const isa::Stream &stream : program.streams) {
    Engine &engine = machine->engines.emplace_back();
    engine.code = &stream;
    engine.clock.assign(program.streams.size(), 0);
    StreamStats &stats = machine->result.streams.emplace_back();
    stats.cluster = stream.cluster;
    stats.engine = stream.engine;
    for (PartResult &part : machine->result.parts)
      part.streams.push_back(stats);
  }
  machine->executor =
      std::make_unique<Executor>(machine->target, machine->clusters, machine->regions,
                                 machine->tracker, machine->options.cycleLimit, machine->hasData);
  return machine;
}

//===----------------------------------------------------------------------===//
// Places of traps
//===----------------------------------------------------------------------===//

Trap Machine::locate(Trap trap, const Engine &engine) const {
  const isa::Instruction &instruction = engine.code->code[engine.next];
  trap.stream = describe(*engine.code);
  trap.instruction = engine.next;
  trap.mnemonic = getMnemonic(instruction).str();
  trap.counters = engine.counters;
  trap.depth = engine.loops.size();
  if (int64_t source = getSource(instruction))
    trap.source = program.sources[source - 1];
  return trap;
}

Error Machine::addPlace(Error error, const Engine &engine) const {
  return handleErrors(std::move(error), [&](const Trap &trap) -> Error {
    return make_error<Trap>(locate(trap, engine));
  });
}

Error Machine::makeDeadlock() const {
  std::string detail = "no stream can go on";
  raw_string_ostream os(detail);
  for (const Engine &engine : engines) {
    if (engine.phase != Phase::Blocked)
      continue;
    const isa::Sync &sync = *getSync(engine.code->code[engine.next]);
    int64_t semaphore = findUnmetWait(engine);
    const isa::Affine &value = semaphore == sync.wait0 ? sync.value0 : sync.value1;
    os << "; ";
    Trap place = locate(Trap(TrapKind::Deadlock, ""), engine);
    place.printPlace(os);
    os << formatv(" waits for semaphore {0} >= {1}, which is {2} and signalled by ", semaphore,
                  value.evaluate(engine.counters), semaphores.getCount(semaphore));
    std::optional<unsigned> signaller = semaphores.getSignaller(semaphore);
    if (!signaller)
      os << "no stream";
    else
      os << describe(program.streams[*signaller])
         << (engines[*signaller].phase == Phase::Halted ? ", which has halted" : "");
  }
  return makeTrap(TrapKind::Deadlock, os.str());
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// Steps of the sequencers between two calls of Options::onProgress.
constexpr int64_t stepsPerReport = 256;

/// Follows the loops from `next` to the next instruction to issue.
Error Machine::fetch(Engine &engine) {
  for (;; ++engine.next) {
    if (++steps > options.stepLimit)
      return addPlace(
          makeTrap(TrapKind::StepLimit,
                   formatv("the program has not ended after {0} instructions", options.stepLimit)),
          engine);
    if (steps % stepsPerReport == 0 && options.onProgress)
      options.onProgress(now);
    const isa::Instruction &instruction = engine.code->code[engine.next];
    if (auto *loop = std::get_if<isa::Loop>(&instruction)) {
      engine.loops.push_back({engine.next, loop->count.trips});
    } else if (std::holds_alternative<isa::EndLoop>(instruction)) {
      size_t depth = engine.loops.size() - 1;
      if (++engine.counters[depth] < engine.loops.back().trips) {
        engine.next = engine.loops.back().begin; // the loop's increment enters the body
      } else {
        engine.counters[depth] = 0;
        engine.loops.pop_back();
      }
    } else if (std::holds_alternative<isa::Halt>(instruction)) {
      engine.phase = Phase::Halted;
      return Error::success();
    } else {
      break;
    }
  }
  engine.phase = Phase::Issue;
  engine.time = now + target.issueCycles;
  engine.blockedOn = 0;
  engine.event = Event();
  engine.event.stream = &engine - engines.data();
  engine.event.instruction = engine.next;
  engine.event.issue = now;
  engine.event.source = getSource(engine.code->code[engine.next]);
  return Error::success();
}

/// The first semaphore that is too low for the instruction to start; 0 when none is.
int64_t Machine::findUnmetWait(const Engine &engine) const {
  const isa::Sync &sync = *getSync(engine.code->code[engine.next]);
  if (sync.wait0 && semaphores.getCount(sync.wait0) < sync.value0.evaluate(engine.counters))
    return sync.wait0;
  if (sync.wait1 && semaphores.getCount(sync.wait1) < sync.value1.evaluate(engine.counters))
    return sync.wait1;
  return 0;
}

/// How many instructions of the engine may be under way.
int64_t Machine::getMaxFlights(const Engine &engine) const {
  switch (engine.code->engine) {
  case isa::EngineKind::Dmai:
  case isa::EngineKind::Dmao:
    return target.dmaOutstanding;
  case isa::EngineKind::Mxu:
    return target.macPipelined ? 2 : 1;
  default:
    return 1;
  }
}

/// The part of the program that an entry of the source table belongs to; null if none.
PartResult *Machine::findPart(int64_t source) {
  if (source == 0 || source > int64_t(options.partOfSource.size()))
    return nullptr;
  return &result.parts[options.partOfSource[source - 1]];
}

/// The instruction at issue starts if nothing holds it up.
Error Machine::issue(unsigned stream) {
  Engine &engine = engines[stream];
  // What it reads on chip may be what a transfer under way brings.
  const isa::Instruction &next = engine.code->code[engine.next];
  if (!engine.flights.empty() && (std::holds_alternative<isa::DmaGather>(next) ||
                                  std::holds_alternative<isa::DmaCopy>(next))) {
    engine.phase = Phase::Draining;
    return Error::success();
  }
  if (int64_t unmet = findUnmetWait(engine)) {
    engine.phase = Phase::Blocked;
    engine.blockedOn = unmet;
    return Error::success();
  }
  if (engine.code->engine == isa::EngineKind::Mxu && !engine.flights.empty())
    if (int64_t drains = engine.flights.back().time - isa::getArrayOverlap(target); now < drains) {
      engine.time = drains;
      return Error::success();
    }
  return start(stream);
}

/// The waits hold: takes effect, and knows when it ends.
Error Machine::start(unsigned stream) {
  Engine &engine = engines[stream];
  const isa::Instruction &instruction = engine.code->code[engine.next];
  const isa::Sync &sync = *getSync(instruction);
  semaphores.join(sync.wait0, sync.value0.evaluate(engine.counters), engine.clock);
  semaphores.join(sync.wait1, sync.value1.evaluate(engine.counters), engine.clock);
  Access access;
  access.stream = stream;
  access.instruction = engine.next;
  access.epoch = ++engine.clock[stream];

  std::vector<Tracker::Range> ranges;
  tracker.record(options.onExecution ? &ranges : nullptr);
  tracker.begin(access, engine.clock);
  Expected<Effect> effect = executor->execute(instruction, engine.code->cluster, engine.counters);
  tracker.end();
  if (!effect)
    return addPlace(effect.takeError(), engine);
  if (options.onExecution) {
    SmallVector<WrittenBytes> writes;
    for (const Tracker::Range &range : ranges)
      writes.push_back(
          {range.memory->name, range.begin, ArrayRef(range.memory->at(range.begin), range.bytes)});
    options.onExecution({stream, unsigned(engine.next), engine.counters, writes});
  }
  engine.event.start = now;
  engine.event.semaphore = engine.blockedOn;
  auto count = [&](auto &total) {
    total.macs += effect->macs;
    total.macsOfType[size_t(effect->macType)] += effect->macs;
    total.vpuElements += effect->elements;
    if (effect->isTransfer) {
      (effect->isStore ? total.dramBytesWritten : total.dramBytesRead) +=
          effect->transfer.dramBytes;
      total.dramChargedBytes += effect->transfer.chargedBytes;
    }
    StreamStats &stats = total.streams[stream];
    ++stats.instructions;
    if (!engine.flights.empty())
      return;
    // Of issue and wait, what no instruction under way covers.
    int64_t idle = std::max(engine.event.issue, engine.lastEnd),
            issued = engine.event.issue + target.issueCycles;
    stats.issue += std::max<int64_t>(issued - idle, 0);
    if (int64_t waited = now - std::max(issued, idle); waited > 0)
      stats.waits[engine.blockedOn] += waited;
  };
  count(result);
  if (PartResult *part = findPart(engine.event.source))
    count(*part);

  int64_t maxFlights = getMaxFlights(engine);
  Flight &flight = engine.flights.emplace_back();
  flight.event = engine.event;
  flight.event.counters = engine.counters;
  flight.event.dramBytes = effect->isTransfer ? effect->transfer.dramBytes : 0;
  flight.isTransfer = effect->isTransfer;
  if (maxFlights > 1)
    flight.clock = engine.clock;
  engine.phase = Phase::Busy;
  if (!effect->isTransfer) {
    flight.time = now + effect->cycles;
    if (engine.flights.size() > 1)
      flight.time = std::max(flight.time, engine.flights.end()[-2].time);
  } else {
    flight.stage = Flight::Stage::Latency;
    flight.time = now + (effect->isLocal ? 0 : target.dramLatencyCycles);
    flight.transfer = effect->transfer;
  }
  if (int64_t(engine.flights.size()) == maxFlights)
    return Error::success();
  ++engine.next;
  return fetch(engine);
}

/// The first byte of the oldest transfer comes.
void Machine::move(unsigned stream) {
  Flight &flight = engines[stream].flights.front();
  flight.moveStart = now;
  flight.chipEnd = now + (flight.transfer.chipElements + target.dmaElementsPerCycle - 1) /
                             target.dmaElementsPerCycle;
  if (flight.transfer.chargedBytes > 0) {
    flight.stage = Flight::Stage::Move;
    dram.add(stream, flight.transfer.chargedBytes, now);
  } else {
    flight.stage = Flight::Stage::Execute;
    flight.time = flight.chipEnd;
  }
}

/// Streams that waited, and need not any more.
void Machine::wake() {
  for (Engine &engine : engines)
    if (engine.phase == Phase::Blocked) {
      if (int64_t unmet = findUnmetWait(engine)) {
        engine.blockedOn = unmet;
        continue;
      }
      engine.phase = Phase::Issue;
      engine.time = now;
    }
}

/// The writes of the oldest instruction under way are visible: accounts for it, signals, and lets
/// those go on that waited for it.
Error Machine::finish(unsigned stream) {
  Engine &engine = engines[stream];
  Flight flight = std::move(engine.flights.front());
  engine.flights.erase(engine.flights.begin());
  flight.event.end = now;
  if (flight.isTransfer)
    flight.event.contention =
        now - flight.moveStart -
        (isa::getDmaCycles(target, flight.transfer) - target.dramLatencyCycles);
  int64_t busy = now - std::max(flight.event.start, engine.lastEnd) - flight.event.contention;
  auto count = [&](StreamStats &stats) {
    stats.busy += busy;
    stats.contention += flight.event.contention;
    stats.end = now;
  };
  count(result.streams[stream]);
  if (PartResult *part = findPart(flight.event.source)) {
    count(part->streams[stream]);
    part->end = now;
  }
  engine.lastEnd = now;
  result.cycles = std::max(result.cycles, now);
  if (options.recordEvents)
    result.events.push_back(flight.event);

  const isa::Sync &sync = *getSync(engine.code->code[flight.event.instruction]);
  bool hasSignals = false;
  for (int64_t semaphore : {sync.signal0, sync.signal1})
    if (semaphore != 0) {
      semaphores.signal(semaphore, flight.clock.empty() ? engine.clock : flight.clock);
      hasSignals = true;
    }
  if (hasSignals) {
    wake();
    if (semaphores.needsPruning()) {
      SmallVector<Clock *> running;
      for (Engine &other : engines)
        if (other.phase != Phase::Halted)
          running.push_back(&other.clock);
      semaphores.prune(running);
    }
  }

  if (!engine.flights.empty()) {
    Flight &following = engine.flights.front();
    following.time = std::max(following.time, now);
  } else if (engine.phase == Phase::Draining) {
    engine.phase = Phase::Issue;
    engine.time = now;
  }
  if (engine.phase != Phase::Busy)
    return Error::success();
  ++engine.next;
  return fetch(engine);
}

/// Whether the oldest instruction under way, or the sequencer, does something at `now`.
bool Machine::actsNow(const Engine &engine) const {
  if (!engine.flights.empty()) {
    const Flight &flight = engine.flights.front();
    if (flight.stage != Flight::Stage::Move && flight.time == now)
      return true;
  }
  return engine.phase == Phase::Issue && engine.time == now;
}

/// One thing that the stream does at `now`.
Error Machine::advance(unsigned stream) {
  Engine &engine = engines[stream];
  if (!engine.flights.empty() && engine.flights.front().time == now) {
    if (engine.flights.front().stage == Flight::Stage::Execute)
      return finish(stream);
    if (engine.flights.front().stage == Flight::Stage::Latency) {
      move(stream);
      return Error::success();
    }
  }
  return issue(stream);
}

Expected<Result> Machine::run() {
  for (Engine &engine : engines)
    if (Error error = fetch(engine))
      return std::move(error);
  while (true) {
    std::optional<int64_t> next = dram.getNextEnd();
    auto consider = [&](int64_t time) { next = std::min(next.value_or(time), time); };
    for (const Engine &engine : engines) {
      if (!engine.flights.empty() && engine.flights.front().stage != Flight::Stage::Move)
        consider(engine.flights.front().time);
      if (engine.phase == Phase::Issue)
        consider(engine.time);
    }
    if (!next)
      break;
    if (*next > options.cycleLimit)
      return makeTrap(TrapKind::CycleLimit,
                      formatv("the program has not ended after {0} cycles", options.cycleLimit));
    now = *next;
    for (unsigned stream : dram.advance(now)) {
      Flight &flight = engines[stream].flights.front();
      flight.stage = Flight::Stage::Execute;
      flight.time = std::max(now, flight.chipEnd);
    }
    for (unsigned stream = 0; stream < engines.size(); ++stream)
      if (actsNow(engines[stream]))
        if (Error error = advance(stream))
          return std::move(error);
  }
  if (llvm::any_of(engines, [](const Engine &e) { return e.phase == Phase::Blocked; }))
    return makeDeadlock();
  for (auto [region, memory] : llvm::zip(program.regions, regions))
    if (hasData && region.kind == isa::RegionKind::Output)
      result.unwrittenOutputBytes += memory.states.count(States::uninitialized);
  return std::move(result);
}
