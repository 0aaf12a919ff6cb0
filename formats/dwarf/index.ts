// DWARF: what other folders import, named one by one.
export { readLineUnits, type LineFile, type LineRow, type LineSequence, type LineUnit } from "./line.js";
