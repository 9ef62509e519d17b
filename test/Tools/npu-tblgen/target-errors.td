// A target that lacks a parameter, sets one outside its range, or several that do not go together, is an
// error at its record.

// RUN: split-file --leading-lines %s %t
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/unset.td 2>&1 | FileCheck %s --check-prefix=UNSET
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/range.td 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/twice.td 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/parameter.td 2>&1 | FileCheck %s --check-prefix=PARAMETER
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/cells.td 2>&1 | FileCheck %s --check-prefix=CELLS
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/rates.td 2>&1 | FileCheck %s --check-prefix=RATES
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/name.td 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/field.td 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/empty.td 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/double.td 2>&1 | FileCheck %s --check-prefix=DOUBLE
// RUN: not npu-tblgen -gen-target-defs -I %source_root/include %t/rule.td 2>&1 | FileCheck %s --check-prefix=RULE
// RUN: not npu-tblgen -gen-target-doc -I %source_root/include %t/cells.td 2>&1 | FileCheck %s --check-prefix=CELLS

//--- unset.td
include "NPU/Target/Desc/TargetBase.td"
// UNSET: unset.td:[[@LINE+1]]:5: error: target 'x' does not set 'clusters'
def X : Target<"x", "">;
//--- range.td
include "NPU/Target/Desc/Targets.td"
// RANGE: range.td:[[@LINE+1]]:5: error: 'clusters' of target 'x' is 9, outside 1..8
def X : ReferenceArray<"x", ""> { let clusters = 9; }
//--- twice.td
include "NPU/Target/Desc/Targets.td"
// TWICE: twice.td:[[@LINE+1]]:5: error: target 'npu-v1' exists
def X : ReferenceArray<"npu-v1", ""> { let clusters = 1; }
//--- parameter.td
include "NPU/Target/Desc/Targets.td"
// PARAMETER: parameter.td:[[@LINE+1]]:5: error: parameter 'color' is not a field of class Target
def P : Parameter<"color", "", 0, 1, "">;
//--- cells.td
include "NPU/Target/Desc/Targets.td"
// CELLS: cells.td:[[@LINE+1]]:5: error: target 'x' has macsPerCycleI8 = 1024 MAC/cycle and macsPerCycleF16 = 1024 MAC/cycle, but its array has 512 cells (macRows x macCols); set each to at most 512
def X : ReferenceArray<"x", ""> { let clusters = 1; let macRows = 16; }
//--- rates.td
include "NPU/Target/Desc/Targets.td"
// RATES: rates.td:[[@LINE+1]]:5: error: target 'x' supports no operand type on its array; set one of macsPerCycleI8, macsPerCycleI16I8, macsPerCycleF16, macsPerCycleF32
def X : ReferenceArray<"x", ""> {
  let clusters = 1;
  let macsPerCycleI8 = 0;
  let macsPerCycleI16I8 = 0;
  let macsPerCycleF16 = 0;
  let macsPerCycleF32 = 0;
}
//--- name.td
include "NPU/Target/Desc/Targets.td"
// NAME: name.td:[[@LINE+1]]:5: error: the name of a target must consist of letters, digits, '-', '_' and '.', found 'x:1'
def X : ReferenceArray<"x:1", ""> { let clusters = 1; }
//--- field.td
class Parameter<string identifier> { string name = identifier; }
class Target {
  // FIELD: field.td:[[@LINE+1]]:7: error: field 'color' of class Target has no Parameter
  int color = 1;
}
//--- empty.td
include "NPU/Target/Desc/Targets.td"
// EMPTY: empty.td:[[@LINE+1]]:5: error: parameter 'name' has no value, its range is 2..1
def P : Parameter<"name", "", 2, 1, "">;
//--- double.td
include "NPU/Target/Desc/Targets.td"
// DOUBLE: double.td:[[@LINE+1]]:5: error: parameter 'clusters' exists
def P : Parameter<"clusters", "", 1, 2, "">;
//--- rule.td
include "NPU/Target/Desc/Targets.td"
// RULE: rule.td:[[@LINE+1]]:5: error: rule names 'color', which is no parameter
def R : SomePositive<["color"], "">;
