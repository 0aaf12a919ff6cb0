// The strings of a metadata block (METADATA_STRINGS): lengths as a bitstream, then characters.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitRecord } from "../../../formats/bitstream/index.js";
import { openBits, readVariable } from "../../../formats/bitstream/index.js";
import type { MetadataString } from "../ir/metadata.js";
import { field, textOf } from "./state.js";

/** A length takes at least this many bits. */
const LENGTH_BITS = 6;

export function readStrings(record: BitRecord): readonly MetadataString[] {
  const { start, end, blob } = record;
  const count = field(record, 0, "count");
  let at = field(record, 1, "offset");
  if (blob === undefined) return malformed("malformed", start, "strings of metadata without characters");
  if (!(at <= blob.length) || !(count * LENGTH_BITS <= at * 8))
    return malformed("malformed", start, `${count} strings of metadata in ${blob.length} bytes`);
  const lengths = openBits(blob.subarray(0, at), start);
  const strings: MetadataString[] = [];
  for (let i = 0; i < count; i++) {
    const length = readVariable(lengths, LENGTH_BITS);
    if (!(length <= blob.length - at)) malformed("malformed", start, "a string of metadata reaches past its block");
    strings.push({ kind: "string", text: textOf(blob.subarray(at, at + length)), start, end });
    at += length;
  }
  return strings;
}
