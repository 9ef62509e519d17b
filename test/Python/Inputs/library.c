// A library of the ABI that the package expects, without what was added later.
unsigned npuGetAbiVersion(void) { return ABI; }
void npuGetVersion(void) {}
void npuFreeString(void) {}
void npuOptionsCreate(void) {}
void npuOptionsFree(void) {}
void npuModelFree(void) {}
void npuProgramFree(void) {}
void npuReportFree(void) {}
void npuProgramGetNumInputs(void) {}
void npuProgramGetNumOutputs(void) {}
void npuReportGetNumOutputs(void) {}
