//===- Passes.td - passes on executables before code generation -----------===//

#ifndef NPU_HOOK_PASSES_TD
#define NPU_HOOK_PASSES_TD

include "mlir/Pass/PassBase.td"

def IREEHook : Pass<"npu-iree-hook", "::npu::hal::ExecutableOp"> {
  let summary = "Compile an executable of IREE for the NPU";
  let description = [{
    What `iree-compile` is given by `--iree-hal-preprocess-executables-with="npu-opt --npu-iree-hook"`: a
    `hal.executable` before code generation. Compiles the entry points of its variants for `backend` and puts the
    programs into the variants' `objects`. Variants for other back ends, and variants of which the target does not
    run every entry point, stay as they are; with `strict`, the latter are an error.

    Symbols, ordinals, layouts and the workload of the count regions stay; the number of workgroups becomes one.
    Nothing of the NPU's dialects is left. docs/iree-hook.md shows both forms that a variant can take.

    The flag without options, `npu-opt --npu-iree-hook`, is the command line for `iree-compile`: it reads one
    executable and writes one, and knows the options of this pass as flags.

    #### Sketch
    In full in `test/Hook/iree-hook.test`:

    ```mlir
    hal.executable.variant public @npu target(<"npu", "npu-binary">)
        objects([#hal.executable.object<{path = "matmul.npub", data = dense<"0x4E505550..."> : vector<4096xi8>}>]) {
      hal.executable.export public @matmul ordinal(0) layout(...)
          count(%device: !hal.device) -> (index, index, index) {
        %c1 = arith.constant 1 : index
        hal.return %c1, %c1, %c1 : index, index, index
      }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "::npu::TargetName", "\"npu-v1\"",
           "The chip: a known name, optionally with parameters, or @chip.json">,
    Option<"backend", "backend", "std::string", "\"npu\"", "The back end whose variants are compiled">,
    Option<"driver", "driver", "std::string", "\"npu_driver.o\"",
           "The object file with npu_launch, for variants that run on a CPU">,
    Option<"strict", "strict", "bool", "false", "Treat a dispatch that is not supported as an error">,
    Option<"logFile", "log-file", "std::string", "", "A file to which a line is appended for every dispatch">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"
  ];
}

def PreprocessExecutables : Pass<"npu-hal-preprocess-executables", "::mlir::ModuleOp"> {
  let summary = "Run a tool or a pipeline on each executable before code generation";
  let description = [{
    Hands each `hal.executable` and `flow.executable` of the module to `command` and takes what comes back: its body
    and the attributes with a dialect's prefix. `--npu-hal-preprocess-executables-with=` is this pass with its value
    as `command`.

    * A command that begins with `builtin.module` is a pipeline; it runs on a module with nothing but the
      executable.
    * Anything else is a tool and its arguments, split as a shell splits them but run without one. The tool is looked for
      beside npu-opt, then in `PATH`. It reads one executable, as text and with locations, from its standard input
      and writes one, or a module with one, to its standard output.

    Tools run at the same time, at most `max-processes` of them, each in a process group of its own, which is killed
    after `timeout` seconds, when it prints more than `max-output-mib`, and when it is done. The system keeps each to
    `max-cpu-seconds`, `max-memory-mib` of address space and `max-file-mib` per file, and to no core file. Each has a private directory,
    which `TMPDIR` names and which is removed afterwards. What a tool prints to its standard error is shown.

    The answer must define the same symbols with the same signatures: name, variants with their targets' back ends, entry points with
    their ordinals, layouts and workloads, and for a `flow.executable` the exported functions with their types. It
    may define more.

    #### Sketch
    In full in `test/Hook/preprocess-executables.mlir`:

    ```
    npu-opt --npu-hal-preprocess-executables-with="npu-opt --npu-iree-hook" model.mlir
    npu-opt --npu-hal-preprocess-executables-with="builtin.module(hal.executable(npu-iree-hook))" model.mlir
    ```
  }];
  let options = [
    Option<"command", "command", "std::string", "", "The tool with its arguments, or a pipeline in builtin.module(...)">,
    Option<"timeout", "timeout", "unsigned", "300", "The time limit of one run of the tool in seconds">,
    Option<"maxProcesses", "max-processes", "unsigned", "0",
           "How many tools run at the same time; 0: one per hardware thread">,
    Option<"maxOutputMiB", "max-output-mib", "unsigned", "256", "The limit of the output of one run of the tool in MiB">,
    Option<"maxCpuSeconds", "max-cpu-seconds", "unsigned", "0",
           "CPU time of one process of the tool, over all its threads; 0: no limit">,
    Option<"maxMemoryMiB", "max-memory-mib", "unsigned", "0",
           "Address space of one process of the tool, in MiB; 0: no limit">,
    Option<"maxFileMiB", "max-file-mib", "unsigned", "1024", "Size of a file that the tool writes, in MiB; 0: no limit">
  ];
}

#endif // NPU_HOOK_PASSES_TD
