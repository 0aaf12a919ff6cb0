// How a fatbin begins. Apart from the reader, because every command asks what a file is and few read fatbins.

const MAGIC = [0x50, 0xed, 0x55, 0xba];

/** Whether a fatbin begins at `at`. */
export function startsFatbin(bytes: Uint8Array, at = 0): boolean {
  return MAGIC.every((byte, i) => bytes[at + i] === byte);
}
