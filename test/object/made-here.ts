// An object that was read, as the one that was written: without where the bytes of sections stood in the file.

import type { ObjectFile } from "../../lib/object/object.js";

/** `bytes`: the file. What is said of it has to be so. */
export function asMade(object: ObjectFile, bytes: Uint8Array): ObjectFile {
  const sections = object.sections.map(({ fileOffset, ...section }) => {
    const { data } = section;
    if ((data === undefined) !== (fileOffset === undefined)) throw new Error("bytes without a place, or the other way");
    if (data !== undefined && !Buffer.from(data).equals(bytes.subarray(fileOffset, fileOffset! + data.length)))
      throw new Error(`no such bytes at ${fileOffset}`);
    return section;
  });
  return { ...object, sections };
}
