// What a tool or a pipeline does wrong is an error at the executable, and there is no output.

// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh fail" > %t.out 2> %t.err
// RUN: count 0 < %t.out
// RUN: FileCheck %s --check-prefix=FAIL < %t.err
// FAIL: [[@LINE+38]]:1: error: 'hal.executable' op the tool 'sh' exited with code 3
// FAIL: note: its standard error: no license

// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh crash" 2>&1 | FileCheck %s --check-prefix=CRASH
// CRASH: error: 'hal.executable' op the tool 'sh' was killed by signal 9 (Killed)

// A tool that hangs is killed, with what it has started. So is what a tool leaves behind.
// RUN: not npu-opt %s --npu-hal-preprocess-executables="timeout=1 command='sh %S/Inputs/tool.sh hang %t.pid'" 2>&1 | FileCheck %s --check-prefix=HANG
// RUN: not sh -c 'sleep 0.2; grep "^State:.[RSD]" /proc/$(cat %t.pid)/status'
// HANG: error: 'hal.executable' op the tool 'sh' did not end within 1 s
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh leave %t.pid" -o /dev/null
// RUN: not sh -c 'sleep 0.2; grep "^State:.[RSD]" /proc/$(cat %t.pid)/status'

// A tool does not survive npu-opt.
// RUN: rm -f %t.pid
// RUN: sh -c 'npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh wait %t.pid" & until [ -s %t.pid ]; do sleep 0.01; done; kill -KILL $!'
// RUN: not sh -c 'sleep 0.2; grep "^State:.[RSD]" /proc/$(cat %t.pid)/status'

// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh nothing" 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: 'hal.executable' op expected the tool 'sh' to print one hal.executable, found nothing
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh garbage" 2>&1 | FileCheck %s --check-prefix=GARBAGE
// GARBAGE: error: 'hal.executable' op expected the tool 'sh' to print one hal.executable, found text that cannot be read
// GARBAGE: standard output:1:1: note: custom op 'no' is unknown
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh other" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'hal.executable' op expected the tool 'sh' to print one hal.executable, found none

// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh gigabyte" 2>&1 | FileCheck %s --check-prefix=GIGABYTE
// GIGABYTE: error: 'hal.executable' op the tool 'sh' printed more than 256 MiB

// The system's limits. A tool that gets no memory ends as it sees fit.
// RUN: not npu-opt %s --npu-hal-preprocess-executables="max-cpu-seconds=1 command='sh %S/Inputs/tool.sh spin'" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: 'hal.executable' op the tool 'sh' used more than 1 s of CPU time
// RUN: not npu-opt %s --npu-hal-preprocess-executables="max-file-mib=1 command='sh %S/Inputs/tool.sh file'" 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: 'hal.executable' op the tool 'sh' wrote a file of more than 1 MiB
// RUN: not npu-opt %s --npu-hal-preprocess-executables="max-memory-mib=64 command='sh %S/Inputs/tool.sh memory'" 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: 'hal.executable' op the tool 'sh' exited with code 1
// MEMORY: its standard error: dd: memory exhausted

hal.executable private @ex {
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    hal.executable.export public @entry ordinal(0)
        layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>]>)
        count(%device: !hal.device, %w: index) -> (index, index, index) {
      hal.return %w, %w, %w : index, index, index
    }
    builtin.module {
      func.func @entry() {
        return
      }
    }
  }
}

// What else a tool prints does not stop it.
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh chatty" 2>&1 | FileCheck %s --check-prefix=CHATTY
// CHATTY: remark: preprocessed by 'sh'
// CHATTY: hal.executable private @ex

// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="no-such-tool -x" 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: 'hal.executable' op the tool 'no-such-tool' was found neither beside npu-opt nor in PATH
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="%S/Inputs/tool.sh" 2>&1 | FileCheck %s --check-prefix=NOEXEC
// NOEXEC: error: 'hal.executable' op the tool '{{.*}}tool.sh' cannot be run: Permission denied
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="" 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: expected a tool or a pipeline as command, found none
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="builtin.module(no-such-pass)" 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: error: 'builtin.module(no-such-pass)' is no pipeline: {{.*}}'no-such-pass' does not refer to a registered pass
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="builtin.module(canonicalize" 2>&1 | FileCheck %s --check-prefix=BRACKET
// BRACKET: error: 'builtin.module(canonicalize' is no pipeline: expected a pipeline in builtin.module(...)
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="builtin.module(symbol-dce)" 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: error: 'hal.executable' op expected the pipeline to keep the executable, found none
