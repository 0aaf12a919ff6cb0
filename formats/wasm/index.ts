// Writes WebAssembly modules: the exports for other folders. The host's own compiler reads and validates the modules.
export { CodeWriter } from "./code.js";
export type { LaneMemoryName, LaneName, MemoryName, PlainName } from "./instructions.table.js";
export { encodeModule, type Import, type ModuleParts } from "./module.js";
export type { FunctionType, Local, ValueType } from "./types.js";
