// A tool or a pipeline runs on each executable; what comes back takes its place.

// REQUIRES: corpus
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh same" | FileCheck %s --check-prefixes=CHECK,SAME
// RUN: npu-opt %s --npu-hal-preprocess-executables-with='"sh" "%S/Inputs/tool.sh" "same"' | FileCheck %s --check-prefixes=CHECK,SAME
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh module" | FileCheck %s --check-prefixes=CHECK,SAME
// RUN: npu-opt %s --npu-hal-preprocess-executables="command='sh %S/Inputs/tool.sh same' max-processes=1" | FileCheck %s --check-prefixes=CHECK,SAME
// RUN: npu-opt %s > %t.same
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh same" | diff - %t.same

// npu-opt is found beside itself. A shell's characters are a tool's arguments like others.
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="npu-""opt --canonicalize" | FileCheck %s --check-prefixes=CHECK,CLEAN
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="builtin.module(hal.executable(canonicalize),flow.executable(canonicalize))" | FileCheck %s --check-prefixes=CHECK,CLEAN
// RUN: npu-opt %s --npu-hal-preprocess-executables-with='"builtin.module(canonicalize)"' | FileCheck %s --check-prefixes=CHECK,CLEAN
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu-hal-preprocess-executables{command="builtin.module(canonicalize)"})' | FileCheck %s --check-prefixes=CHECK,CLEAN
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh directory '> \$HOME; |'" 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: remark: preprocessed by 'sh'
// DIRECTORY: note: its standard error: {{.*}}/npu-tool-{{[A-Za-z0-9]+}} 700 > $HOME; |

// Several tools run one after the other. Attributes with a prefix are taken over; the visibility, which
// others know, is not.
// RUN: npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh mark" --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh note" 2>&1 | FileCheck %s --check-prefix=MARK
// MARK: remark: preprocessed by 'sh'
// MARK: note: its standard error: nothing to do
// MARK: hal.executable private @ex attributes {tool.seen} {

// Tools run at the same time, or no more than so many of them.
// RUN: rm -rf %t.tools
// RUN: npu-opt %s --npu-hal-preprocess-executables="max-processes=2 timeout=60 command='sh %S/Inputs/tool.sh meet %t.tools'" -o /dev/null
// RUN: rm -rf %t.tools
// RUN: npu-opt %s --npu-hal-preprocess-executables="max-processes=1 command='sh %S/Inputs/tool.sh alone %t.tools'" -o /dev/null

// Then follows code generation.
// RUN: npu-opt %corpus/iree/matmul_f32/flow.mlir --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh same" --npu-codegen-pipeline | FileCheck %s --check-prefix=CODEGEN
// CODEGEN: flow.executable private @main_dispatch_0
// CODEGEN: npu_isa.program

// CHECK-LABEL: hal.executable private @ex {
hal.executable private @ex {
  // CHECK: hal.executable.variant public @npu target(<"npu", "npu-binary">)
  hal.executable.variant public @npu target(<"npu", "npu-binary">) {
    // CHECK: hal.executable.export public @entry ordinal(0)
    hal.executable.export public @entry ordinal(0)
        layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>]>)
        count(%device: !hal.device, %w: index) -> (index, index, index) {
      hal.return %w, %w, %w : index, index, index
    }
    builtin.module {
      // CHECK: func.func @entry
      func.func @entry() {
        // SAME-NEXT: arith.constant
        // CLEAN-NEXT: return
        %unused = arith.constant 1 : index
        return
      }
    }
  }
}

// CHECK-LABEL: flow.executable private @flow {
flow.executable private @flow {
  flow.executable.export public @entry
  builtin.module {
    // CHECK: func.func @entry
    func.func @entry(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      // SAME-NEXT: arith.constant
      // CLEAN-NEXT: return
      %unused = arith.constant 1 : index
      return %arg0 : tensor<4xf32>
    }
  }
}

// What is no executable stays as it is.
// CHECK-LABEL: func.func @host
func.func @host() {
  // CHECK-NEXT: arith.constant
  %unused = arith.constant 1 : index
  return
}
