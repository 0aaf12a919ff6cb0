// Makes an object that was read comparable with the one that was written, by removing the file offsets of its sections.

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
