// WebAssembly modules, written: what other rooms import. The host's own compiler is the reader, and the judge.
export { CodeWriter } from "./code.js";
export type { LaneMemoryName, LaneName, MemoryName, PlainName } from "./instructions.table.js";
export { encodeModule, type Import, type ModuleParts } from "./module.js";
export type { FunctionType, Local, ValueType } from "./types.js";
