// A build ID, as linkers write it (--build-id): a note with a hash of the file's contents, so that an image, a report of a fault
// and the saved build can be matched. Name, type and section are the GNU toolchain's, for tools that search for them ("GNU",
// NT_GNU_BUILD_ID, .note.gnu.build-id). The file is written twice instead of patched, so that no code needs to know the note's
// offset. docs/format.md, "Sections".

import { sha256 } from "../../../formats/bytes/sha256.js";
import { BUILD_ID_BYTES } from "./container.js";
import type { ObjectFile } from "../object.js";
import { writeObject } from "./write.js";

/** The file with its build ID. */
export function writeIdentified(object: ObjectFile): Uint8Array {
  const unidentified = writeObject(object, { buildId: new Uint8Array(BUILD_ID_BYTES) });
  return writeObject(object, { buildId: buildIdOf([unidentified]) });
}

/** The first 20 bytes of the SHA-256 of the file, given in parts, with zeros in their place. */
export const buildIdOf = (unidentified: readonly Uint8Array[]): Uint8Array =>
  sha256(unidentified).subarray(0, BUILD_ID_BYTES);
