// DWARF: the exports for other folders.
export { readDebugUnits, type DebugAttribute, type DebugEntry, type DebugUnit } from "./entries.js";
export { readExpression, type Operation } from "./expressions.js";
export { readLineUnits, type LineFile, type LineRow, type LineSequence, type LineUnit } from "./line.js";
export { ADDRESS_CLASS, AT, ATE, OP, TAG } from "./names.table.js";
export { readRangeList, type RangeEnd } from "./ranges.js";
