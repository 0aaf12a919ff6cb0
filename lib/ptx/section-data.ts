// The data of debug sections, as bytes and rows of numbers. Rows have the information that the bytes lack: types of directives,
// grouping of values, labels and references. A row is a label, a reference, a run of equal directives of integers, or the start
// of another section of the same name. All sections of a text share one store. A text may have millions of values and hundreds of
// thousands of sections. An object per value took twenty times the text's memory, arrays per section as much again, and an object
// per section still several times the text.

/** The contents of the sections of one text. Append-only; a section is a range of its rows and of its bytes. */
export interface SectionData {
  /** Values in little-endian order, 0 for references. */
  bytes: Uint8Array;
  /** Number of bytes in use. */
  size: number;
  rows: Int32Array;
  /** Number of elements of `rows` in use. */
  used: number;
  /** Index in `rows` of the last row. */
  last: number;
  /** Names of labels and sections, by their numbers in rows. */
  readonly texts: string[];
  /** Offsets added by references, by their numbers in rows. */
  readonly offsets: bigint[];
  /** Directives with a value that does not fit their type: the first such value of each, for a limited number of directives. */
  readonly misfits: Misfit[];
}

/** A section's part of a store; also of several sections of one name that follow each other. */
export interface SectionPart {
  readonly data: SectionData;
  readonly firstRow: number;
  readonly endRow: number;
  readonly firstByte: number;
  readonly endByte: number;
  readonly firstMisfit: number;
  readonly endMisfit: number;
}

/** A place in a store. */
export interface SectionMark {
  readonly row: number;
  readonly byte: number;
  readonly misfit: number;
}

/** A directive with a value that does not fit; offsets in the text. */
export interface Misfit {
  readonly start: number;
  readonly end: number;
  readonly value: bigint;
  /** Log2 of the bytes of each value. */
  readonly type: number;
}

/** The target of a directive: a label, a section, or the difference of two labels. */
export interface SectionReference {
  readonly name: string;
  readonly minus?: string;
  readonly offset?: bigint;
}

/** The directive types; the index is log2 of the bytes. */
export const SECTION_TYPES = ["b8", "b16", "b32", "b64"] as const;

/** The type of references in a line program's opcodes: ULEB128 in five bytes. It never occurs in text. */
export const LEB = 4;

/** Bytes of a value. */
export const typeBytes = (type: number): number => (type === LEB ? 5 : 1 << type);

const [UNSIGNED, SIGNED, REFERENCE, LABEL, SECTION] = [0, 1, 2, 3, 4];
const FORMS = 8;
/**
 * Numbers in a row, by form. Each begins with form + FORMS * type. Then follow: for integers, values per directive and
 * directives; for a reference, text, other text, offset, start and end; for a label, text, start and end; for a section, start
 * and end.
 */
const LENGTHS = [3, 3, 6, 4, 3] as const;
const lengthOf = (head: number): number => LENGTHS[head % FORMS]!;
/** The largest number in a row. Counts above it are split, and offsets in a text are read as unsigned. */
export const MAX_IN_ROW = 2 ** 31 - 1;

/** `size`: expected number of bytes. */
export const createSectionData = (size = 256): SectionData => ({
  bytes: new Uint8Array(size),
  size: 0,
  rows: new Int32Array(128),
  used: 0,
  last: 0,
  texts: [],
  offsets: [],
  misfits: [],
});

/** The store's end. */
export const markOf = ({ used, size, misfits }: SectionData): SectionMark => ({
  row: used,
  byte: size,
  misfit: misfits.length,
});

/** The contents of a store from a mark to its end. */
export const partSince = (data: SectionData, { row, byte, misfit }: SectionMark): SectionPart => ({
  data,
  firstRow: row,
  endRow: data.used,
  firstByte: byte,
  endByte: data.size,
  firstMisfit: misfit,
  endMisfit: data.misfits.length,
});

export const startOfPart = ({ firstRow, firstByte, firstMisfit }: SectionPart): SectionMark => ({
  row: firstRow,
  byte: firstByte,
  misfit: firstMisfit,
});

export const sectionBytes = ({ data, firstByte, endByte }: SectionPart): Uint8Array =>
  data.bytes.subarray(firstByte, endByte);

// -------------------------------------------------------------------------------------------------------------- writing

/** Makes room for `count` more bytes. */
export function reserve(data: SectionData, count: number): void {
  if (data.size + count <= data.bytes.length) return;
  const wider = new Uint8Array(Math.max(2 * data.bytes.length, data.size + count, 64));
  wider.set(data.bytes.subarray(0, data.size));
  data.bytes = wider;
}

/** Adds a row and returns its index; the caller sets its other numbers. */
function addRow(data: SectionData, head: number): number {
  const { used: at } = data;
  const end = at + lengthOf(head);
  if (end > data.rows.length) {
    const wider = new Int32Array(data.rows.length + (data.rows.length >> 1));
    wider.set(data.rows);
    data.rows = wider;
  }
  data.rows[at] = head;
  data.last = at;
  data.used = end;
  return at;
}

export function addText(data: SectionData, text: string): number {
  return data.texts.push(text) - 1;
}

/** `start` and `end`: the label's range in the text. */
export function addLabel(data: SectionData, text: number, start = 0, end = 0): void {
  const at = addRow(data, LABEL);
  data.rows[at + 1] = text;
  data.rows[at + 2] = start;
  data.rows[at + 3] = end;
}

/** Begins another section of the same name. Returns its row, because its end is set later. */
export function addSection(data: SectionData, start = 0): number {
  const at = addRow(data, SECTION);
  data.rows[at + 1] = start;
  data.rows[at + 2] = start;
  return at;
}

export function endSection({ rows }: SectionData, row: number, end: number): void {
  rows[row + 2] = end;
}

/** Adds a directive with one reference; `minus` is -1 if no label is subtracted. */
export function addReference(
  data: SectionData,
  type: number,
  text: number,
  minus: number,
  offset: bigint | undefined,
  start = 0,
  end = 0,
): void {
  const at = addRow(data, FORMS * type + REFERENCE);
  const { rows } = data;
  rows[at + 1] = text;
  rows[at + 2] = minus;
  rows[at + 3] = offset === undefined ? -1 : data.offsets.push(offset) - 1;
  rows[at + 4] = start;
  rows[at + 5] = end;
  reserve(data, typeBytes(type));
  data.bytes.fill(0, data.size, (data.size += typeBytes(type)));
}

/** Adds the low bytes of a value. */
export function addInteger(data: SectionData, type: number, value: number | bigint): void {
  const width = 1 << type;
  reserve(data, width);
  putInteger(data.bytes, data.size, value, type);
  data.size += width;
}

/**
 * Adds a row for the last `count` directives, each with `each` values, whose bytes are already in the store. `firstRow`: the
 * section's first row.
 */
export function addIntegers(
  data: SectionData,
  firstRow: number,
  type: number,
  each: number,
  count: number,
  isSigned: boolean,
): void {
  const { rows, last } = data;
  const head = FORMS * type + (isSigned ? SIGNED : UNSIGNED);
  const isAlike = data.used > firstRow && rows[last] === head && rows[last + 1] === each;
  if (isAlike && rows[last + 2]! + count <= MAX_IN_ROW) {
    rows[last + 2]! += count;
    return;
  }
  const at = addRow(data, head);
  data.rows[at + 1] = each;
  data.rows[at + 2] = count;
}

/** Adds all bytes as one `.b8` directive, or as several if a row cannot count them. */
export function addBytes(data: SectionData, firstRow: number, bytes: Uint8Array): void {
  reserve(data, bytes.length);
  data.bytes.set(bytes, data.size);
  data.size += bytes.length;
  for (let left = bytes.length; left > 0; left -= MAX_IN_ROW)
    addIntegers(data, firstRow, 0, Math.min(left, MAX_IN_ROW), 1, false);
}

const MAX_MISFITS = 1000;

export function addMisfit({ misfits }: SectionData, misfit: Misfit): void {
  if (misfits.length < MAX_MISFITS) misfits.push(misfit);
}

/** The limits of integers of each type, signed or unsigned; ptxas accepts larger .b32 ones. */
const LEAST = [-(2n ** 7n), -(2n ** 15n), -(2n ** 31n), -(2n ** 63n)] as const;
const LIMITS = [2n ** 8n, 2n ** 16n, 2n ** 64n, 2n ** 64n] as const;

export const fitsType = (value: number | bigint, type: number): boolean =>
  value >= LEAST[type]! && value < LIMITS[type]!;

/** Whether a value is in the signed range of a type. */
export const isBelowHalf = (value: number | bigint, type: number): boolean => value < 2 ** ((8 << type) - 1);

/** Writes the low bytes of a value: 1, 2, 4 or 8 for types 0 to 3, groups of seven bits for LEB. A number must be exact. */
export function putInteger(bytes: Uint8Array, at: number, value: number | bigint, type: number): void {
  if (type === LEB) {
    const last = at + typeBytes(LEB) - 1;
    for (let rest = Number(value); at < last; at++, rest = Math.floor(rest / 128)) bytes[at] = (rest & 0x7f) | 0x80;
    bytes[last] = Math.floor(Number(value) / 2 ** 28) & 0x7f;
    return;
  }
  const width = 1 << type;
  if (typeof value === "number") {
    for (let i = 0, rest = value; i < width; i++, rest = Math.floor(rest / 256)) bytes[at + i] = rest;
  } else {
    for (let i = 0, rest = BigInt.asUintN(64, value); i < width; i++, rest >>= 8n) bytes[at + i] = Number(rest & 255n);
  }
}

// -------------------------------------------------------------------------------------------------------------- reading

/** `at`: byte offset in the part; `start` and `end`: the directive's range in the text. */
export interface SectionVisitor {
  label(name: string, at: number, start: number, end: number): void;
  /** `type`: log2 of the bytes, or LEB. */
  reference(reference: SectionReference, at: number, type: number, start: number, end: number): void;
  /** `count` directives with `each` values, from `at` on. */
  integers(run: IntegerRun): void;
  /** Another section of the same name begins. */
  section?(start: number, end: number): void;
}

export interface IntegerRun {
  readonly isSigned: boolean;
  readonly at: number;
  readonly type: number;
  readonly each: number;
  readonly count: number;
}

export function visitSection({ data, firstRow, endRow }: SectionPart, visitor: SectionVisitor): void {
  const { rows, texts, offsets } = data;
  let at = 0;
  for (let row = firstRow; row < endRow; row += lengthOf(rows[row]!)) {
    const head = rows[row]!;
    const [form, type] = [head % FORMS, Math.floor(head / FORMS)];
    const a = rows[row + 1]!;
    const b = rows[row + 2]!;
    if (form === LABEL) visitor.label(texts[a]!, at, b >>> 0, rows[row + 3]! >>> 0);
    else if (form === SECTION) visitor.section?.(a >>> 0, b >>> 0);
    else if (form === REFERENCE) {
      const c = rows[row + 3]!;
      const reference = {
        name: texts[a]!,
        ...(b < 0 ? {} : { minus: texts[b]! }),
        ...(c < 0 ? {} : { offset: offsets[c]! }),
      };
      visitor.reference(reference, at, type, rows[row + 4]! >>> 0, rows[row + 5]! >>> 0);
    } else visitor.integers({ isSigned: form === SIGNED, at, type, each: a, count: b });
    at += bytesOfRow(rows, row);
  }
}

/** Splits the part into parts of at most `most` rows. */
export function* partsOfPart(part: SectionPart, most: number): Generator<SectionPart, void, undefined> {
  const { rows } = part.data;
  let { firstRow, firstByte } = part;
  while (firstRow < part.endRow) {
    let [endRow, endByte] = [firstRow, firstByte];
    for (let i = 0; i < most && endRow < part.endRow; i++) {
      endByte += bytesOfRow(rows, endRow);
      endRow += lengthOf(rows[endRow]!);
    }
    yield { ...part, firstRow, endRow, firstByte, endByte };
    [firstRow, firstByte] = [endRow, endByte];
  }
}

function bytesOfRow(rows: Int32Array, row: number): number {
  const [form, type] = [rows[row]! % FORMS, Math.floor(rows[row]! / FORMS)];
  if (form === REFERENCE) return typeBytes(type);
  return form === LABEL || form === SECTION ? 0 : rows[row + 1]! * rows[row + 2]! * (1 << type);
}

/** The value of a type at an offset; the view must contain it. */
export function integerAt(view: DataView, at: number, type: number, isSigned: boolean): number | bigint {
  switch (type) {
    case 0:
      return isSigned ? view.getInt8(at) : view.getUint8(at);
    case 1:
      return isSigned ? view.getInt16(at, true) : view.getUint16(at, true);
    case 2:
      return isSigned ? view.getInt32(at, true) : view.getUint32(at, true);
    default:
      return isSigned ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
  }
}
