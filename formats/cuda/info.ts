// .nv.info and .nv.compat: records { u8 format, u8 attribute, value }, each a multiple of four bytes in practice. Records are
// kept unchanged, as attribute, format and raw payload; `decodeInfo` (info-payload.ts) decodes payloads.
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import { EIFMT } from "./info-attributes.table.js";

export interface InfoRecord {
  /** EIATTR_* */
  readonly attribute: number;
  /** EIFMT_* */
  readonly format: number;
  /** The two value bytes of NVAL, BVAL and HVAL; the counted bytes of SVAL. */
  readonly payload: Uint8Array;
  /** File offset in bytes of the record. */
  readonly offset: number;
}

/** Reads the records from the bytes of a section; `base`: offset of the section in the file. */
export function readInfo(data: Uint8Array, base = 0): Result<readonly InfoRecord[]> {
  return decoding(() => {
    const reader = new ByteReader(data, base);
    const records: InfoRecord[] = [];
    while (reader.remaining > 0) {
      const offset = reader.position;
      const format = reader.u8("format of an attribute");
      const attribute = reader.u8("number of an attribute");
      if (format < EIFMT.NVAL || format > EIFMT.SVAL)
        malformed("malformed", offset, `attribute 0x${attribute.toString(16)}: format ${format} is unknown`);
      const size = format === EIFMT.SVAL ? reader.u16("size of an attribute") : 2;
      const payload = reader.view8(size, `attribute 0x${attribute.toString(16)}`);
      records.push({ attribute, format, payload, offset });
    }
    return records;
  });
}
