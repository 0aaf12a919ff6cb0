// The numbers of Mach-O that are shown by name: Apple, <mach/machine.h>, <mach-o/loader.h>.
import { constantsOf, type NamedValue } from "../bytes/named.js";

/** cputype */
export const MACH_MACHINES = [
  { value: 7, name: "CPU_TYPE_I386", doc: "Intel 80386" },
  { value: 12, name: "CPU_TYPE_ARM", doc: "32-bit Arm" },
  { value: 0x0100_0007, name: "CPU_TYPE_X86_64", doc: "AMD x86-64" },
  { value: 0x0100_000c, name: "CPU_TYPE_ARM64", doc: "64-bit Arm" },
] as const satisfies readonly NamedValue[];

/** filetype */
export const MACH_FILE_TYPES = [
  { value: 1, name: "MH_OBJECT", doc: "Relocatable object" },
  { value: 2, name: "MH_EXECUTE", doc: "Program" },
  { value: 6, name: "MH_DYLIB", doc: "Shared library" },
  { value: 7, name: "MH_DYLINKER", doc: "Dynamic linker" },
  { value: 8, name: "MH_BUNDLE", doc: "Bundle" },
  { value: 10, name: "MH_DSYM", doc: "Debug data" },
] as const satisfies readonly NamedValue[];
export const MH = constantsOf(MACH_FILE_TYPES, "MH_");

/** cmd */
const LOAD_COMMANDS = [
  { value: 0x19, name: "LC_SEGMENT_64", doc: "Segment with its sections" },
] as const satisfies readonly NamedValue[];
export const LC = constantsOf(LOAD_COMMANDS, "LC_");

/** Low byte of a section's flags: types without bytes in the file. */
export const ZERO_FILLED_TYPES: readonly number[] = [1, 12, 18];
