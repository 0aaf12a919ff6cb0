// The payloads of .nv.info records: decoded by the shape in the attribute table, and encoded again. Encoding a decoded record
// gives the same record. A payload that does not fit its attribute's shape, or belongs to an unknown attribute, is `bytes`: shown
// and kept, never an error.
import type { ByteWriter } from "../bytes/writer.js";
import { EIFMT, infoAttribute, type InfoShape } from "./info-attributes.table.js";
import type { InfoRecord } from "./info.js";

/** The target of a kernel parameter of pointer type (`.ptr .global`, `.ptr .texref`, …), by number: a state space, or a type. */
export const POINTEE_SPACES = [
  ...["none", "local", "shared", "const", "global", "generic"],
  ...["texref", "surfref", "samplerref"],
] as const;

export interface KernelParameter {
  /** Position among the parameters, from 0 */
  readonly ordinal: number;
  /** Bytes from the first parameter */
  readonly offset: number;
  /** Bytes */
  readonly size: number;
  /** log2 of the alignment in bytes that `.ptr .align` promises; 0 without a promise */
  readonly pointeeAlignLog2: number;
  /** Index in POINTEE_SPACES, or an unknown number */
  readonly pointeeSpace: number;
}

export type InfoPayload =
  | { readonly kind: "flag"; readonly value: number }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "dimensions"; readonly x: number; readonly y: number; readonly z: number }
  | { readonly kind: "symbol-value"; readonly symbol: number; readonly value: number }
  | { readonly kind: "symbols"; readonly symbols: readonly number[] }
  | { readonly kind: "offsets"; readonly offsets: readonly number[] }
  | { readonly kind: "parameter-bank"; readonly symbol: number; readonly offset: number; readonly size: number }
  | ({ readonly kind: "parameter"; readonly index: number; readonly bank: number } & KernelParameter)
  | ({ readonly kind: "parameter-v2"; readonly index: number } & KernelParameter)
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

export interface InfoEntry {
  readonly attribute: number;
  readonly format: number;
  readonly payload: InfoPayload;
}

type Decoder = (view: DataView, format: number) => Exclude<InfoPayload, { kind: "bytes" }> | undefined;

function words(view: DataView): readonly number[] | undefined {
  if (view.byteLength % 4 !== 0) return undefined;
  return Array.from({ length: view.byteLength / 4 }, (_, i) => view.getUint32(i * 4, true));
}

const decoders: Readonly<Record<Exclude<InfoShape, "bytes">, Decoder>> = {
  flag: (view, format) => (format === EIFMT.SVAL ? undefined : { kind: "flag", value: view.getUint16(0, true) }),
  number: (view, format) => {
    if (format !== EIFMT.SVAL) return { kind: "number", value: view.getUint16(0, true) };
    return view.byteLength === 4 ? { kind: "number", value: view.getUint32(0, true) } : undefined;
  },
  dimensions: (view) => {
    const [x, y, z, ...rest] = words(view) ?? [];
    return z === undefined || rest.length > 0 ? undefined : { kind: "dimensions", x: x!, y: y!, z };
  },
  "symbol-value": (view) => {
    const [symbol, value, ...rest] = words(view) ?? [];
    return value === undefined || rest.length > 0 ? undefined : { kind: "symbol-value", symbol: symbol!, value };
  },
  symbols: (view) => {
    const symbols = words(view);
    return symbols === undefined ? undefined : { kind: "symbols", symbols };
  },
  offsets: (view) => {
    const offsets = words(view);
    return offsets === undefined ? undefined : { kind: "offsets", offsets };
  },
  "parameter-bank": (view) => {
    if (view.byteLength !== 8) return undefined;
    const [symbol, offset, size] = [view.getUint32(0, true), view.getUint16(4, true), view.getUint16(6, true)];
    return { kind: "parameter-bank", symbol, offset, size };
  },
  parameter: (view) => {
    if (view.byteLength !== 12) return undefined;
    // bits 0-7 log2 of the pointee's alignment, 8-11 its space, 12-17 bank (0x1f: by PARAM_CBANK), 18-31 size
    const packed = view.getUint32(8, true);
    return {
      kind: "parameter",
      index: view.getUint32(0, true),
      ordinal: view.getUint16(4, true),
      offset: view.getUint16(6, true),
      size: packed >>> 18,
      pointeeAlignLog2: packed & 0xff,
      pointeeSpace: (packed >>> 8) & 0xf,
      bank: (packed >>> 12) & 0x3f,
    };
  },
  "parameter-v2": (view) => {
    if (view.byteLength !== 12) return undefined;
    // u16 size, u8 log2 of the pointee's alignment, u8 its space
    return {
      kind: "parameter-v2",
      index: view.getUint32(0, true),
      ordinal: view.getUint16(4, true),
      offset: view.getUint16(6, true),
      size: view.getUint16(8, true),
      pointeeAlignLog2: view.getUint8(10),
      pointeeSpace: view.getUint8(11),
    };
  },
};

/** A record with its payload decoded. */
export function decodeInfo(record: InfoRecord): InfoEntry {
  const { attribute, format, payload } = record;
  const shape = infoAttribute(attribute)?.shape ?? "bytes";
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const decoded = shape === "bytes" ? undefined : decoders[shape](view, format);
  return { attribute, format, payload: decoded ?? { kind: "bytes", bytes: payload } };
}

/** Writes records that `decodeInfo` decodes to these entries. */
export function writeInfo(writer: ByteWriter, entries: readonly InfoEntry[]): void {
  for (const { attribute, format, payload } of entries) {
    writer.u8(format);
    writer.u8(attribute);
    const isCounted = format === EIFMT.SVAL;
    if (isCounted) writer.u16(0);
    const start = writer.length;
    writePayload(writer, payload, format);
    const size = writer.length - start;
    if (isCounted) writer.patchU16(start - 2, size);
    else if (size !== 2) throw new RangeError(`format ${format} holds two bytes, not ${size}`);
  }
}

function writePayload(writer: ByteWriter, payload: InfoPayload, format: number): void {
  switch (payload.kind) {
    case "flag":
      return writer.u16(payload.value);
    case "number":
      return format === EIFMT.SVAL ? writer.u32(payload.value) : writer.u16(payload.value);
    case "dimensions":
      writer.u32(payload.x);
      writer.u32(payload.y);
      return writer.u32(payload.z);
    case "symbol-value":
      writer.u32(payload.symbol);
      return writer.u32(payload.value);
    case "symbols":
      for (const symbol of payload.symbols) writer.u32(symbol);
      return;
    case "offsets":
      for (const offset of payload.offsets) writer.u32(offset);
      return;
    case "parameter-bank":
      writer.u32(payload.symbol);
      writer.u16(payload.offset);
      return writer.u16(payload.size);
    case "parameter":
      writer.u32(payload.index);
      writer.u16(payload.ordinal);
      writer.u16(payload.offset);
      return writer.u32(packParameter(payload));
    case "parameter-v2":
      writer.u32(payload.index);
      writer.u16(payload.ordinal);
      writer.u16(payload.offset);
      writer.u16(payload.size);
      writer.u8(payload.pointeeAlignLog2);
      return writer.u8(payload.pointeeSpace);
    case "bytes":
      return writer.put(payload.bytes);
  }
}

/** The third word of KPARAM_INFO, whose fields are narrower than those of KPARAM_INFO_V2. */
function packParameter(parameter: KernelParameter & { readonly bank: number }): number {
  const { size, bank, pointeeSpace, pointeeAlignLog2 } = parameter;
  if (size >= 1 << 14 || bank >= 1 << 6 || pointeeSpace >= 1 << 4 || pointeeAlignLog2 >= 1 << 8)
    throw new RangeError(`KPARAM_INFO cannot hold ${JSON.stringify(parameter)}`);
  // Multiply the size instead of shifting it: it reaches the sign bit.
  return size * 2 ** 18 + ((bank << 12) | (pointeeSpace << 8) | pointeeAlignLog2);
}
