// DWARF of PTX text (`.section .debug_info { .b8 1, 2 ... }`, PTX ISA 9.0 section 11.5.3) as bytes, for readers of DWARF,
// and beside them what bytes cannot say, so that the text comes back: how values were grouped, labels, and what refers to
// labels and sections. docs/format.md, "Debug sections".
// What references mean in a file is for debug-layout.ts. A label in code is known here by the function and the byte of its
// encoded code (debug-places.ts), because the link and the writer have no labels.

import { decoding, malformed } from "../../formats/bytes/malformed.js";
import { ByteReader } from "../../formats/bytes/reader.js";
import type { Result } from "../../formats/bytes/result.js";
import { readVarU, readVarU64, writeVarU, writeVarU64 } from "../../formats/bytes/varint.js";
import { ByteWriter } from "../../formats/bytes/writer.js";
import { sectionByte, sectionByteItem, sectionInteger } from "../ptx/section-values.js";
import type { SectionDirective, SectionItem, SectionValue } from "../ptx/tree.js";
import { createStringPool, readItems, readStringPool, readText } from "./string-pool.js";

/** One module's part of a debug section. */
export interface DebugSection {
  /** As the text names it: ".debug_info". */
  readonly name: string;
  /** Index into ObjectFile.modules. */
  readonly module: number;
  readonly data: Uint8Array;
  /** What the bytes do not say, encoded. */
  readonly shape: Uint8Array;
}

export type Reference = SectionValue & { readonly kind: "label" };

/** A place in the code of a module. */
export interface CodePlace {
  /** As the module calls it. */
  readonly function: string;
  /** Bytes from the start of its encoded code. */
  readonly offset: number;
}

/** Where labels in code are: that of a reference, and of one that is subtracted. */
export interface ReferencePlaces {
  readonly label: CodePlace;
  readonly minus?: CodePlace;
}

export interface EncodeDebugOptions {
  /** Where a label of the module's code is. */
  readonly placeOf?: (label: string) => CodePlace | undefined;
  /** The text has no such section: the assembler has made it. */
  readonly isMade?: boolean;
}

/** Each type is log2 of its bytes. */
const TYPES = ["b8", "b16", "b32", "b64"] as const;
const typeOf: ReadonlyMap<string, number> = new Map(TYPES.map((type, i) => [type, i]));
/** What a run of the shape is: so many directives of integers alike, one directive of a reference, or one label. */
const FORMS = ["unsigned", "signed", "reference", "label"] as const;
type Form = (typeof FORMS)[number];
const [UNSIGNED, SIGNED, REFERENCE, LABEL] = [0, 1, 2, 3];

const IS_LEGACY = 1;
const IS_MADE = 2;
const HAS_MINUS = 1;
const HAS_OFFSET = 2;
const HAS_PLACE = 4;

/** More directives than the debug information of any module has; a run of few bytes can claim as many as it has data. */
const MAX_DIRECTIVES = 2 ** 22;

// -------------------------------------------------------------------------------------------------------------- writing

export function encodeDebugSection(
  { name, legacy, items }: SectionDirective,
  module: number,
  { placeOf = () => undefined, isMade = false }: EncodeDebugOptions = {},
): DebugSection {
  const pool = createStringPool();
  // Small at first: a text may have hundreds of thousands of sections of a few bytes.
  const runs = new ByteWriter(64);
  const data = new ByteWriter(64);
  // The run that is not written yet.
  let [form, detail, count] = [0, 0, 0];
  const put = (ofForm: number, ofDetail: number, times: number): void => {
    writeVarU(runs, times * FORMS.length + ofForm);
    writeVarU(runs, ofDetail);
  };
  const flush = (): void => {
    if (count > 0) put(form, detail, count);
    count = 0;
  };
  for (const item of items) {
    if (item.kind === "label") {
      flush();
      put(LABEL, pool.index(item.name), 1);
      continue;
    }
    const type = typeOf.get(item.type)!;
    const [first] = item.values;
    // The grammar has one reference in a directive, and nothing beside it.
    if (first?.kind === "label") {
      flush();
      put(REFERENCE, type, 1);
      writeVarU(runs, pool.index(first.name));
      const places = placesOf(first, placeOf);
      runs.u8(
        (first.minus === undefined ? 0 : HAS_MINUS) |
          (first.offset === undefined ? 0 : HAS_OFFSET) |
          (places.length === 0 ? 0 : HAS_PLACE),
      );
      if (first.minus !== undefined) writeVarU(runs, pool.index(first.minus));
      if (first.offset !== undefined) writeVarU64(runs, BigInt.asUintN(64, first.offset));
      for (const place of places) {
        writeVarU(runs, pool.index(place.function));
        writeVarU(runs, place.offset);
      }
      data.zeros(1 << type);
      continue;
    }
    const ownForm = formOf(item.values, type);
    const ownDetail = item.values.length * TYPES.length + type;
    for (const value of item.values) writeInteger(data, value.kind === "integer" ? value.value : 0n, type);
    if (form !== ownForm || detail !== ownDetail) flush();
    [form, detail] = [ownForm, ownDetail];
    count++;
  }
  flush();
  const shape = new ByteWriter(runs.length + 32);
  shape.u8((legacy === true ? IS_LEGACY : 0) | (isMade ? IS_MADE : 0));
  pool.write(shape);
  shape.put(runs.finish());
  return { name, module, data: data.finish(), shape: shape.finish() };
}

/** The places of a reference's labels; none unless all are in code. */
function placesOf({ name, minus }: Reference, placeOf: (label: string) => CodePlace | undefined): readonly CodePlace[] {
  const places = [name, ...(minus === undefined ? [] : [minus])].map(placeOf);
  return places.every((place) => place !== undefined) ? places : [];
}

/** Signed where some values are negative, and all come back when their bytes are read so. */
function formOf(values: readonly SectionValue[], type: number): number {
  const isNegative = (value: SectionValue): boolean => value.kind === "integer" && value.value < 0n;
  if (!values.some(isNegative)) return UNSIGNED;
  const beyond = 1n << BigInt((8 << type) - 1);
  return values.every((value) => value.kind === "label" || value.value < beyond) ? SIGNED : UNSIGNED;
}

function writeInteger(writer: ByteWriter, value: bigint, type: number): void {
  if (type === 3) return writer.u64(BigInt.asUintN(64, value));
  const low = value >= 0n && value < 256n ? Number(value) : Number(BigInt.asUintN(8 << type, value));
  if (type === 0) writer.u8(low);
  else if (type === 1) writer.u16(low);
  else writer.u32(low);
}

/** Writes the low bytes of a value: 1, 2, 4 or 8 for a type of 0 to 3. */
export function putInteger(bytes: Uint8Array, at: number, value: number | bigint, type: number): void {
  const width = 1 << type;
  if (typeof value === "number") {
    for (let i = 0, rest = value; i < width; i++, rest = Math.floor(rest / 256)) bytes[at + i] = rest;
  } else {
    for (let i = 0, rest = BigInt.asUintN(64, value); i < width; i++, rest >>= 8n) bytes[at + i] = Number(rest & 255n);
  }
}

// -------------------------------------------------------------------------------------------------------------- reading

export interface Visitor {
  label(name: string, at: number): void;
  /** `type`: log2 of its bytes. */
  reference(reference: Reference, at: number, type: number, places: ReferencePlaces | undefined): void;
  /** `count` directives of `each` values, from `at` on. */
  integers(run: { readonly form: Form; readonly at: number; readonly type: number; readonly each: number; readonly count: number }): void; // prettier-ignore
}

/** Inside a decoder: goes through a section; whether it is of the old form. Offsets are of its own bytes. */
export function walk({ name, data, shape }: DebugSection, visitor: Visitor): boolean {
  const reader = new ByteReader(shape, 0);
  const legacy = (reader.u8("kind of a debug section") & IS_LEGACY) !== 0;
  const pool = readStringPool(reader);
  let at = 0;
  const take = (bytes: number): number => {
    if (bytes > data.length - at)
      malformed("truncated", at, `${name} has ${data.length} bytes, and directives for more`);
    at += bytes;
    return at - bytes;
  };
  while (reader.remaining > 0) {
    const head = readVarU(reader, "run of a debug section");
    const form = FORMS[head % FORMS.length]!;
    const count = Math.floor(head / FORMS.length);
    if (form === "label") {
      visitor.label(readText(reader, pool, "label"), at);
      continue;
    }
    const detail = readVarU(reader, "directive of a debug section");
    const type = detail % TYPES.length;
    if (form === "reference") {
      const label = readText(reader, pool, "label");
      const flags = reader.u8("kind of a reference");
      const minus = flags & HAS_MINUS ? readText(reader, pool, "label") : undefined;
      const offset = flags & HAS_OFFSET ? readVarU64(reader, "offset of a reference") : undefined;
      const rest = { ...(minus === undefined ? {} : { minus }), ...(offset === undefined ? {} : { offset }) };
      const places = flags & HAS_PLACE ? readPlaces(reader, pool, minus !== undefined) : undefined;
      visitor.reference({ kind: "label", name: label, ...rest }, take(1 << type), type, places);
      continue;
    }
    const each = Math.floor(detail / TYPES.length);
    if (each === 0 || count === 0) malformed("malformed", at, `${name}: a directive without values`);
    visitor.integers({ form, at: take(count * each * (1 << type)), type, each, count });
  }
  if (at !== data.length) malformed("malformed", at, `${name} has ${data.length} bytes, and directives for ${at}`);
  return legacy;
}

function readPlaces(reader: ByteReader, pool: readonly string[], hasMinus: boolean): ReferencePlaces {
  const place = (): CodePlace => ({
    function: readText(reader, pool, "function of a label"),
    offset: readVarU(reader, "place of a label"),
  });
  const label = place();
  return hasMinus ? { label, minus: place() } : { label };
}

/** Whether the assembler has made the section, so that it is in no text. */
export const isMadeSection = ({ shape }: DebugSection): boolean => ((shape[0] ?? 0) & IS_MADE) !== 0;

const NOWHERE = { start: 0, end: 0 } as const;

/** The section as the text had it. */
export function decodeDebugSection(section: DebugSection): Result<SectionDirective> {
  return decoding(() => {
    const { name, data } = section;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const items: SectionItem[] = [];
    const putItem = (item: SectionItem): void => {
      if (items.length >= MAX_DIRECTIVES) malformed("limit", 0, `${name} has more than ${MAX_DIRECTIVES} directives`);
      items.push(item);
    };
    const put = (type: number, values: readonly SectionValue[]): void =>
      putItem({ kind: "data", start: 0, end: 0, type: TYPES[type]!, values });
    const legacy = walk(section, {
      label: (label) => void items.push({ ...NOWHERE, kind: "label", name: label }),
      reference: (reference, _, type) => put(type, [reference]),
      integers({ form, at, type, each, count }) {
        let next = at;
        const value = (): SectionValue => {
          next += 1 << type;
          if (type === 0 && form === "unsigned") return sectionByte(data[next - 1]!);
          return sectionInteger(integerAt(view, next - (1 << type), type, form));
        };
        if (type === 0 && each === 1 && form === "unsigned")
          for (let i = 0; i < count; i++) putItem(sectionByteItem(data[at + i]!));
        else for (let i = 0; i < count; i++) put(type, readItems(each, value));
      },
    });
    return { ...NOWHERE, kind: "section", name, ...(legacy ? { legacy } : {}), items };
  });
}

function integerAt(view: DataView, at: number, type: number, form: Form): bigint {
  const low = [view.getUint8, view.getUint16, view.getUint32][type];
  const bits = low === undefined ? view.getBigUint64(at, true) : BigInt(low.call(view, at, true));
  return form === "signed" ? BigInt.asIntN(8 << type, bits) : bits;
}
