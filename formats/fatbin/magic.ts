// Detects fatbins by their magic and by section names. Separate from the reader, because every command detects formats and few read fatbins.

import { hasMagic, magicBytes } from "../bytes/magic.js";

const MAGIC = magicBytes("\x50\xed\x55\xba");

/** Whether a fatbin begins at `at`. */
export function startsFatbin(bytes: Uint8Array, at = 0): boolean {
  return hasMagic(bytes, MAGIC, at);
}

const SECTIONS: ReadonlySet<string> = new Set(["__nv_relfatbin", ".nv_fatbin", "__nv_rel", ".nv_fatb"]);
const MACH_SECTIONS: ReadonlySet<string> = new Set(["__NV_CUDA,__nv_fatbin", "__NV_CUDA,__nv_relfatbin"]);

/** Whether a section of that name contains fatbins. In Mach-O, segment and section: "__NV_CUDA,__nv_fatbin". */
export const isFatbinSection = (name: string): boolean => SECTIONS.has(name) || MACH_SECTIONS.has(name);
