// Reads files that are lists of words or names: text that is read as a whole, so it must fit a string.

import { HostError, type Host } from "./host.js";

/** Limit in bytes: half of what Node's strings hold. */
const MAX_BYTES = 2 ** 28;

/** Reads a file as text. Throws HostError. */
export function readText(file: string, { read }: Pick<Host, "read">): string {
  const bytes = read(file);
  if (bytes.length > MAX_BYTES)
    throw new HostError(
      `cannot read ${file}: it has ${bytes.length} bytes, and a list may have ${MAX_BYTES}`,
      "use a shorter list, or check that it is the intended file",
    );
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}
