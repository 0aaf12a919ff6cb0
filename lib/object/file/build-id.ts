// A build ID, as linkers write it (--build-id): a note with a hash of the file's contents, by which an image, a fault report and
// the saved build can be matched. Name, type and section are the GNU toolchain's, for tools that search for them ("GNU",
// NT_GNU_BUILD_ID, .note.gnu.build-id). docs/format.md, "Sections".

import { sha256 } from "../../../formats/bytes/sha256.js";
import { BUILD_ID_BYTES } from "./container.js";
import type { ObjectFile } from "../object.js";
import { wholeFile } from "./write.js";

/** Writes the file with its build ID. */
export const writeIdentified = (object: ObjectFile): Uint8Array => wholeFile(object, buildIdOf);

/** The build ID: the first 20 bytes of the SHA-256 of the file, given in parts, in which the ID's own bytes are zero. */
export const buildIdOf = (unidentified: readonly Uint8Array[]): Uint8Array =>
  sha256(unidentified).subarray(0, BUILD_ID_BYTES);
