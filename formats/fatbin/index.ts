// Fatbins: the exports for other folders.
export { ENTRY_FLAG, ENTRY_KIND, entryFlagNames, entryKindName, isScrambled } from "./entry.table.js";
export { readFatbins, type Compression, type Fatbin, type FatbinEntry } from "./fatbin.js";
export { isFatbinSection, startsFatbin } from "./magic.js";
export {
  holdsFatbins,
  readHostFatbins,
  readMachOFatbins,
  readPeFatbins,
  type HostFatbin,
  type HostFatbins,
} from "./host.js";
export { readPayload } from "./payload.js";
