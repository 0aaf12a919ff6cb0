// The debugger's capabilities, in the protocol's terms.

import type { DebugProtocol } from "@vscode/debugprotocol";

export const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsDataBreakpoints: true,
  supportsDataBreakpointBytes: true,
  supportsInstructionBreakpoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsEvaluateForHovers: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsRestartRequest: true,
  supportsTerminateRequest: true,
  supportTerminateDebuggee: true,
  supportsReadMemoryRequest: true,
  supportsWriteMemoryRequest: true,
  supportsDisassembleRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsExceptionInfoRequest: true,
  supportsCompletionsRequest: true,
  supportsValueFormattingOptions: true,
  supportsDelayedStackTraceLoading: true,
  exceptionBreakpointFilters: [
    {
      filter: "fault",
      label: "Faults",
      description: "Illegal addresses, traps, asserts, deadlocks: whatever ends a kernel",
      default: true,
    },
    {
      filter: "finding",
      label: "Sanitizer findings",
      description: 'With "sanitize": true: races, bounds, undefined values, barriers, missing waits',
      default: true,
    },
  ],
};
