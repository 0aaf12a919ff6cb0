// .npy files: one array each. Follows NumPy Enhancement Proposal 1 and numpy.lib.format, versions 1.0 and 2.0, for numbers in C
// order and little-endian bytes; the error for anything else names it. header.ts parses the header, a Python dictionary.
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import { ByteWriter } from "../bytes/writer.js";
import { parseHeader } from "./header.js";

/** The element types by NumPy's names, which are kind (unsigned, signed, floating) and bytes; values are bytes. */
export const NPY_TYPES = { u1: 1, i1: 1, u2: 2, i2: 2, u4: 4, i4: 4, u8: 8, i8: 8, f2: 2, f4: 4, f8: 8 } as const;
export type NpyType = keyof typeof NPY_TYPES;

export interface NpyArray {
  readonly type: NpyType;
  /** Elements in each dimension, slowest first; empty for a scalar. */
  readonly shape: readonly number[];
  /** The elements, little endian, in C order. The reader returns a view on its input. */
  readonly data: Uint8Array;
}

const MAGIC = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59);
/** The data begins at a multiple of this many bytes. */
const ALIGNMENT = 64;

export function looksLikeNpy(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

export function readNpy(bytes: Uint8Array): Result<NpyArray> {
  return decoding(() => {
    if (!looksLikeNpy(bytes)) malformed("bad-magic", 0, "not a .npy file: it does not begin with 93 'NUMPY'");
    const reader = new ByteReader(bytes);
    reader.skip(MAGIC.length, "magic");
    const [major, minor] = [reader.u8("version"), reader.u8("version")];
    if (major !== 1 && major !== 2)
      malformed("unsupported", MAGIC.length, `.npy version ${major}.${minor}: 1.0 and 2.0 are read`);
    const size = major === 1 ? reader.u16("header size") : reader.u32("header size");
    const headerOffset = reader.position;
    const header = parseHeader(reader.text(size, "header"), headerOffset);
    const type = elementType(header.descr, headerOffset);
    if (header.fortranOrder) malformed("unsupported", headerOffset, "the array is in Fortran order: C order is read");
    const expected = header.shape.reduce((product, length) => product * length, NPY_TYPES[type]);
    // Not `>`: dimensions can multiply to Infinity, and to NaN with a 0 after that.
    if (!(expected <= reader.remaining))
      malformed("truncated", reader.position, `data: ${expected} bytes needed, ${reader.remaining} left`);
    const data = reader.view8(expected, "data");
    if (reader.remaining > 0) malformed("malformed", reader.position, `${reader.remaining} bytes follow the data`);
    return { type, shape: header.shape, data };
  });
}

/** The type that a `descr` such as "<f4" names. */
function elementType(descr: string, offset: number): NpyType {
  const [, order, name] = /^([<>|=]?)([a-zA-Z]\d+)$/.exec(descr) ?? [];
  if (name === undefined || !Object.hasOwn(NPY_TYPES, name))
    malformed("unsupported", offset, `element type ${JSON.stringify(descr.slice(0, 40))} is not read`);
  const type = name as NpyType;
  if (order === ">" && NPY_TYPES[type] > 1)
    malformed("unsupported", offset, `element type "${descr}" is big-endian: little-endian elements are read`);
  return type;
}

/** The bytes of a file: version 1.0, or 2.0 if the header is too long. `data` must have the size that the shape requires. */
export function writeNpy(array: NpyArray): Uint8Array {
  const expected = array.shape.reduce((product, length) => product * length, NPY_TYPES[array.type]);
  if (array.data.length !== expected)
    throw new RangeError(`${array.data.length} bytes of data for a shape that needs ${expected}`);
  const order = NPY_TYPES[array.type] === 1 ? "|" : "<";
  // Python writes a tuple with one element as "(3,)".
  const shape = array.shape.length === 1 ? `${array.shape[0]},` : array.shape.join(", ");
  const text = `{'descr': '${order}${array.type}', 'fortran_order': False, 'shape': (${shape}), }`;
  const plain = paddedSize(text, 10);
  const version = plain <= 0xffff ? 1 : 2;
  const size = version === 1 ? plain : paddedSize(text, 12);
  const writer = new ByteWriter(12 + size + array.data.length);
  writer.put(MAGIC);
  writer.u8(version);
  writer.u8(0);
  if (version === 1) writer.u16(size);
  else writer.u32(size);
  writer.text(`${text.padEnd(size - 1)}\n`);
  writer.put(array.data);
  return writer.finish();
}

/** Bytes of the header with its padding and newline, if it begins after `before` bytes. */
function paddedSize(text: string, before: number): number {
  return Math.ceil((before + text.length + 1) / ALIGNMENT) * ALIGNMENT - before;
}
