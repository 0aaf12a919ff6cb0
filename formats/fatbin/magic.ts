// Detects fatbins by their magic. Separate from the reader, because every command detects formats and few read fatbins.

import { hasMagic, magicBytes } from "../bytes/magic.js";

const MAGIC = magicBytes("\x50\xed\x55\xba");

/** Whether a fatbin begins at `at`. */
export function startsFatbin(bytes: Uint8Array, at = 0): boolean {
  return hasMagic(bytes, MAGIC, at);
}
