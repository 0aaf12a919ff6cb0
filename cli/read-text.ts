// Files that are lists of words or names: text that is read as a whole, and so has to fit a string.

import { HostError, type Host } from "./host.js";

/** Node's strings hold twice as much. */
const MOST_BYTES = 2 ** 28;

/** Throws HostError. */
export function readText(file: string, { read }: Pick<Host, "read">): string {
  const bytes = read(file);
  if (bytes.length > MOST_BYTES)
    throw new HostError(
      `cannot read ${file}: it has ${bytes.length} bytes, and a list may have ${MOST_BYTES}`,
      "give a shorter list, or look whether it is the file that was meant",
    );
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}
