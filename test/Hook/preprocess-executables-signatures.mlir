// The answer must define the same symbols with the same signatures.

// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh rename" 2>&1 | FileCheck %s --check-prefix=RENAME
// RENAME: error: 'hal.executable' op expected the answer to define @ex::@npu::@entry as well, found no such symbol
// RENAME: error: 'flow.executable' op expected the answer to define @flow::@entry as well, found no such symbol
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh name" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: 'hal.executable' op expected the answer to define @ex as well, found no such symbol
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh variant" 2>&1 | FileCheck %s --check-prefix=VARIANT
// VARIANT: error: 'hal.executable' op expected the answer to define @ex::@npu as well, found no such symbol
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh backend" 2>&1 | FileCheck %s --check-prefix=BACKEND
// BACKEND: error: 'hal.executable' op expected @ex::@npu to stay target "npu", found target "cpu" in the answer
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh ordinal" 2>&1 | FileCheck %s --check-prefix=ORDINAL
// ORDINAL: error: 'hal.executable' op expected @ex::@npu::@entry to stay ordinal 0, #hal.pipeline.layout{{.*}}, found ordinal 1, #hal.pipeline.layout{{.*}} in the answer
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh layout" 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: 'hal.executable' op expected @ex::@npu::@entry to stay {{.*}}<storage_buffer, ReadOnly>{{.*}}, found {{.*}}<storage_buffer>{{.*}} in the answer
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh workload" 2>&1 | FileCheck %s --check-prefix=WORKLOAD
// WORKLOAD: error: 'hal.executable' op expected @ex::@npu::@entry to stay {{.*}}count(!hal.device, index), found {{.*}}count(!hal.device, index, index) in the answer
// RUN: not npu-opt %s --npu-hal-preprocess-executables-with="sh %S/Inputs/tool.sh type" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: 'flow.executable' op expected @flow::@entry to stay (tensor<4xf32>) -> (), found (tensor<8xf32>) -> () in the answer

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

flow.executable private @flow {
  flow.executable.export public @entry
  builtin.module {
    func.func @entry(%arg0: tensor<4xf32>) {
      return
    }
  }
}
