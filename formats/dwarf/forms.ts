// Reads values of attributes by their forms (DWARF 5 section 7.5.6; versions 2 to 4 have fewer of the same). Offsets in other
// sections come from `offsetAt`, because PTX writes them as labels.

import { malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import { readSleb128, readVarU, readVarU64 } from "../bytes/varint.js";

/** References are offsets in `.debug_info`; blocks and expressions are bytes. */
export type AttributeContent = bigint | string | Uint8Array;

/** What the forms of a unit depend on. */
export interface FormContext {
  /** Bytes of an address. */
  readonly addressBytes: number;
  /** Of DWARF. */
  readonly version: number;
  /** Offset of the unit in its section, from which its references count. */
  readonly unitStart: number;
  /** The offset in another debug section to which the label at `at` resolves; undefined where the bytes hold a number. */
  readonly offsetAt: (at: number) => number | undefined;
  /** `.debug_str` and `.debug_line_str`. */
  readonly strings: Uint8Array;
  readonly lineStrings: Uint8Array;
}

const WHAT = "value of an attribute";

type Read = (reader: ByteReader, context: FormContext) => AttributeContent;

const integer =
  (bytes: number): Read =>
  (reader, { offsetAt }) => {
    const label = offsetAt(reader.position);
    const own = reader.view8(bytes, WHAT).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
    return label === undefined ? own : BigInt(label);
  };

const reference =
  (bytes: number): Read =>
  (reader, context) =>
    BigInt(context.unitStart) + (integer(bytes)(reader, { ...context, offsetAt: () => undefined }) as bigint);

const block =
  (sizeOf: (reader: ByteReader) => number): Read =>
  (reader) =>
    reader.view8(sizeOf(reader), WHAT);

const textIn =
  (section: "strings" | "lineStrings"): Read =>
  (reader, context) => {
    const strings = new ByteReader(context[section]);
    strings.seek(Number(integer(4)(reader, context)), "text of an attribute");
    return strings.cstring("text of an attribute");
  };

/** By DW_FORM_*. */
const forms: ReadonlyMap<number, Read> = new Map<number, Read>([
  [0x01, (reader, context) => integer(context.addressBytes)(reader, context)], // addr
  [0x03, block((reader) => reader.u16(WHAT))], // block2
  [0x04, block((reader) => reader.u32(WHAT))], // block4
  [0x05, integer(2)], // data2
  [0x06, integer(4)], // data4
  [0x07, integer(8)], // data8
  [0x08, (reader) => reader.cstring(WHAT)], // string
  [0x09, block((reader) => readVarU(reader, WHAT))], // block
  [0x0a, block((reader) => reader.u8(WHAT))], // block1
  [0x0b, integer(1)], // data1
  [0x0c, integer(1)], // flag
  [0x0d, (reader) => readSleb128(reader, WHAT)], // sdata
  [0x0e, textIn("strings")], // strp
  [0x0f, (reader) => readVarU64(reader, WHAT)], // udata
  [0x10, (reader, context) => integer(context.version === 2 ? context.addressBytes : 4)(reader, context)], // ref_addr
  [0x11, reference(1)], // ref1
  [0x12, reference(2)], // ref2
  [0x13, reference(4)], // ref4
  [0x14, reference(8)], // ref8
  [0x15, (reader, { unitStart }) => BigInt(unitStart) + readVarU64(reader, WHAT)], // ref_udata
  [0x17, integer(4)], // sec_offset
  [0x18, block((reader) => readVarU(reader, WHAT))], // exprloc
  [0x19, () => 1n], // flag_present
  [0x1e, block(() => 16)], // data16
  [0x1f, textIn("lineStrings")], // line_strp
  [0x20, integer(8)], // ref_sig8
]);

/** Inside a decoder. */
export function readForm(reader: ByteReader, form: number, context: FormContext): AttributeContent {
  const read = forms.get(form);
  if (read === undefined) malformed("unsupported", reader.position, `a value of form 0x${form.toString(16)}`);
  return read(reader, context);
}
