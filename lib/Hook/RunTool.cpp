//===- RunTool.cpp - an external program between two strings --------------===//

#include "RunTool.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace mlir;
using namespace npu::hook;
using Clock = std::chrono::steady_clock;

extern char **environ;

/// As much of the standard error as is kept.
static constexpr size_t maxErrorBytes = 64 << 10;

static llvm::Error makeError(const Twine &message) {
  return createStringError(llvm::inconvertibleErrorCode(), message);
}

static llvm::Error makeSystemError(StringRef what, int code) {
  return makeError(what + ": " + std::strerror(code));
}

namespace {
/// A file descriptor that is closed in the end.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) {
    close();
    number = std::exchange(other.number, -1);
    return *this;
  }
  ~Descriptor() { close(); }

  void close() {
    if (number >= 0)
      ::close(std::exchange(number, -1));
  }
  bool isOpen() const { return number >= 0; }
  int get() const { return number; }

private:
  int number = -1;
};

/// One of the streams a tool prints to.
struct Pipe {
  Descriptor readEnd, writeEnd;

  llvm::Error open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return makeSystemError("cannot be run, no pipe", errno);
    readEnd = Descriptor(ends[0]);
    writeEnd = Descriptor(ends[1]);
    return llvm::Error::success();
  }

  /// Appends what there is to `text`, closes the pipe at its end.
  void drain(std::string &text, size_t limit) {
    char chunk[64 << 10];
    while (readEnd.isOpen() && text.size() <= limit) {
      ssize_t count = ::read(readEnd.get(), chunk, sizeof(chunk));
      if (count > 0)
        text.append(chunk, count);
      else if (count < 0 && errno == EINTR)
        continue;
      else if (count < 0 && errno == EAGAIN)
        return;
      else
        readEnd.close();
    }
  }
};

/// A directory that nobody else can read, removed in the end.
struct PrivateDirectory {
  SmallString<128> path;

  llvm::Error create() {
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
    llvm::sys::path::append(path, "npu-tool-XXXXXX");
    path.push_back(0);
    path.pop_back();
    if (!mkdtemp(path.data())) {
      path.clear();
      return makeSystemError("cannot be run, no temporary directory", errno);
    }
    return llvm::Error::success();
  }
  ~PrivateDirectory() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }
};
} // namespace

static llvm::Expected<std::string> findTool(StringRef name) {
  if (name.contains('/'))
    return name.str();
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findTool));
  if (llvm::ErrorOr<std::string> path =
          llvm::sys::findProgramByName(name, {llvm::sys::path::parent_path(self)}))
    return *path;
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
    return *path;
  return makeError("was found neither beside npu-opt nor in PATH");
}

/// The environment with another TMPDIR.
static std::vector<std::string> getEnvironment(StringRef directory) {
  std::vector<std::string> environment;
  for (char **entry = environ; *entry; ++entry)
    if (!StringRef(*entry).starts_with("TMPDIR="))
      environment.push_back(*entry);
  environment.push_back(("TMPDIR=" + directory).str());
  return environment;
}

static std::vector<char *> getPointers(ArrayRef<std::string> strings) {
  std::vector<char *> pointers;
  for (const std::string &string : strings)
    pointers.push_back(const_cast<char *>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Limits this process and those it starts; 0: as it is. With `hard` beyond `soft`, a
/// process that ignores the signal at the first is killed at the second. Limits are only lowered.
static bool limitResource(int resource, rlim_t soft, rlim_t hard) {
  rlimit current;
  if (soft == 0)
    return true;
  if (getrlimit(resource, &current) != 0)
    return false;
  rlimit limit = {std::min(soft, current.rlim_max), std::min(hard, current.rlim_max)};
  return setrlimit(resource, &limit) == 0;
}

static bool limitResources(const ToolLimits &limits) {
  rlim_t seconds = limits.cpuTime.count();
  rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none) == 0 && limitResource(RLIMIT_CPU, seconds, seconds + 1) &&
         limitResource(RLIMIT_AS, limits.memoryBytes, limits.memoryBytes) &&
         limitResource(RLIMIT_FSIZE, limits.fileBytes, limits.fileBytes);
}

/// What the child process does: it becomes the program, or writes why not to `failure`. Calls
/// nothing that may wait for a lock, which a thread of the parent could have held.
[[noreturn]] static void become(const char *program, char *const *arguments,
                                char *const *environment, const char *inputFile, int out, int err,
                                int failure, const ToolLimits &limits) {
  setpgid(0, 0);
  // That npu-opt ignores it is none of the tool's business.
  ::signal(SIGXFSZ, SIG_DFL);
#ifdef __linux__
  // Who interrupts npu-opt does not reach the new group.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  int in = ::open(inputFile, O_RDONLY);
  if (in >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(err, STDERR_FILENO) >= 0 && limitResources(limits))
    execve(program, arguments, environment);
  int code = errno;
  (void)!::write(failure, &code, sizeof(code));
  _exit(127);
}

/// Starts the program; `inputFile` is its standard input.
static llvm::Expected<pid_t> start(ArrayRef<std::string> arguments, StringRef directory,
                                   const std::string &inputFile, const Pipe &out, const Pipe &err,
                                   const ToolLimits &limits) {
  llvm::Expected<std::string> program = findTool(arguments.front());
  if (!program)
    return program.takeError();
  std::vector<std::string> environment = getEnvironment(directory);
  std::vector<char *> argumentPointers = getPointers(arguments);
  std::vector<char *> environmentPointers = getPointers(environment);
  Pipe failure;
  if (llvm::Error error = failure.open())
    return std::move(error);

  pid_t pid = fork();
  if (pid == 0)
    become(program->c_str(), argumentPointers.data(), environmentPointers.data(), inputFile.c_str(),
           out.writeEnd.get(), err.writeEnd.get(), failure.writeEnd.get(), limits);
  if (pid < 0)
    return makeSystemError("cannot be run", errno);
  // The pipe closes when the program starts.
  failure.writeEnd.close();
  int code = 0;
  ssize_t count = 0;
  while ((count = ::read(failure.readEnd.get(), &code, sizeof(code))) < 0 && errno == EINTR) {
  }
  if (count > 0) {
    ::waitpid(pid, nullptr, 0);
    return makeSystemError("cannot be run", code);
  }
  return pid;
}

/// Whether the process has ended. It stays a zombie, so that its number still names its group.
static bool hasEnded(pid_t pid) {
  siginfo_t info = {};
  return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/// Reads what the process prints until it ends or reaches a limit.
static llvm::Error supervise(pid_t pid, Pipe &out, Pipe &err, const ToolLimits &limits,
                             ToolOutput &output) {
  Clock::time_point deadline = Clock::now() + limits.timeout;
  std::string errors;
  for (Pipe *pipe : {&out, &err})
    fcntl(pipe->readEnd.get(), F_SETFL, O_NONBLOCK);
  llvm::scope_exit keepErrors([&] { output.errors = errors.substr(0, maxErrorBytes); });
  for (bool isRunning = true; isRunning;) {
    pollfd streams[] = {{out.readEnd.get(), POLLIN, 0}, {err.readEnd.get(), POLLIN, 0}};
    ::poll(streams, std::size(streams), /*milliseconds=*/out.readEnd.isOpen() ? 20 : 1);
    isRunning = !hasEnded(pid);
    out.drain(output.text, limits.outputBytes);
    err.drain(errors, maxErrorBytes);
    // What nobody keeps is read all the same, or the tool would wait for ever.
    errors.resize(std::min(errors.size(), maxErrorBytes));
    if (output.text.size() > limits.outputBytes)
      return makeError(llvm::formatv("printed more than {0} MiB", limits.outputBytes >> 20));
    if (isRunning && Clock::now() >= deadline)
      return makeError(llvm::formatv("did not end within {0} s", limits.timeout.count()));
  }
  return llvm::Error::success();
}

static llvm::Error describeStatus(int status, const ToolLimits &limits) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU && limits.cpuTime.count() != 0)
    return makeError(llvm::formatv("used more than {0} s of CPU time", limits.cpuTime.count()));
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ && limits.fileBytes != 0)
    return makeError(llvm::formatv("wrote a file of more than {0} MiB", limits.fileBytes >> 20));
  if (WIFSIGNALED(status))
    return makeError(llvm::formatv("was killed by signal {0} ({1})", WTERMSIG(status),
                                   strsignal(WTERMSIG(status))));
  if (WEXITSTATUS(status) != 0)
    return makeError(llvm::formatv("exited with code {0}", WEXITSTATUS(status)));
  return llvm::Error::success();
}

llvm::Error npu::hook::runTool(ArrayRef<std::string> arguments, StringRef input,
                               const ToolLimits &limits, ToolOutput &output) {
  PrivateDirectory directory;
  if (llvm::Error error = directory.create())
    return error;
  std::string inputFile = (directory.path + "/stdin.mlir").str();
  std::error_code code;
  {
    llvm::raw_fd_ostream file(inputFile, code);
    if (!code)
      file << input;
    file.close();
    if (!code)
      code = file.error();
    file.clear_error();
  }
  if (code)
    return makeError("cannot be run, no standard input: " + code.message());

  Pipe out, err;
  if (llvm::Error error = out.open())
    return error;
  if (llvm::Error error = err.open())
    return error;
  llvm::Expected<pid_t> pid = start(arguments, directory.path, inputFile, out, err, limits);
  if (!pid)
    return pid.takeError();
  out.writeEnd.close();
  err.writeEnd.close();

  llvm::Error error = supervise(*pid, out, err, limits, output);
  ::kill(-*pid, SIGKILL);
  int status = 0;
  while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (error)
    return error;
  return describeStatus(status, limits);
}
