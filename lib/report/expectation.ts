// Compares the memory that a run left with expected contents: expected.json of a program in testdata (its README describes the
// format and the tolerances). Bits must be equal, unless the file allows an error.

import { readNpy } from "../../formats/npy/index.js";
import { elementOfNpy, elementType, type ElementType } from "../load/elements.table.js";
import { elementText, fromHex } from "../load/values.js";

/** |actual - expected| <= abs + rel * |expected|, or at most `ulp` representable numbers between the two. */
export type Tolerance = { readonly ulp: number } | { readonly abs: number; readonly rel: number };

export interface ExpectedOutput {
  readonly name: string;
  readonly type: ElementType;
  readonly bytes: Uint8Array;
  readonly tolerance?: Tolerance;
}

export interface Expectation {
  readonly outputs: readonly ExpectedOutput[];
  readonly printf: string | undefined;
}

interface WrittenOutput {
  readonly type?: string;
  readonly hex?: string;
  readonly file?: string;
  readonly tolerance?: Tolerance;
}

/** Reads expected.json. Throws if it does not have the format: the file is part of this project. */
export function readExpectation(text: string, readFile: (name: string) => Uint8Array): Expectation {
  const document = JSON.parse(text) as { outputs: Record<string, WrittenOutput>; printf?: string };
  const outputs = Object.entries(document.outputs).map(([name, written]): ExpectedOutput => {
    const tolerance = written.tolerance === undefined ? {} : { tolerance: written.tolerance };
    if (written.file !== undefined) {
      const array = readNpy(readFile(written.file));
      if (!array.ok) throw new Error(`${written.file}: ${array.error.what}`);
      const type = elementType(written.type ?? "") ?? elementOfNpy(array.value.type);
      return { name, type, bytes: array.value.data, ...tolerance };
    }
    const type = elementType(written.type ?? "");
    const bytes = fromHex(written.hex ?? "x");
    if (type === undefined || bytes === undefined) throw new Error(`expected output '${name}' has no type or no bytes`);
    return { name, type, bytes, ...tolerance };
  });
  return { outputs, printf: document.printf };
}

export interface Mismatch {
  readonly index: number;
  readonly actual: string;
  readonly expected: string;
}

export interface Comparison {
  readonly name: string;
  /** Number of compared elements. */
  readonly elements: number;
  readonly mismatches: number;
  /** The first mismatches. */
  readonly examples: readonly Mismatch[];
}

const mostExamples = 4;

/** Compares one output, element by element. If lengths differ, every element beyond the shorter one is a mismatch. */
export function compareOutput(expected: ExpectedOutput, actual: Uint8Array): Comparison {
  const { type, bytes } = expected;
  const length = Math.floor(bytes.length / type.bytes);
  const views = [actual, bytes].map((b) => new DataView(b.buffer, b.byteOffset, b.byteLength)) as [DataView, DataView];
  const examples: Mismatch[] = [];
  let mismatches = Math.abs(Math.floor(actual.length / type.bytes) - length);
  for (let i = 0; i < Math.min(length, Math.floor(actual.length / type.bytes)); i++) {
    const offset = i * type.bytes;
    if (sameBytes(actual, bytes, offset, type.bytes)) continue;
    if (expected.tolerance !== undefined && within(type, views[0], views[1], offset, expected.tolerance)) continue;
    mismatches++;
    if (examples.length < mostExamples) {
      examples.push({ index: i, actual: elementText(type, views[0], i), expected: elementText(type, views[1], i) });
    }
  }
  return { name: expected.name, elements: length, mismatches, examples };
}

function sameBytes(a: Uint8Array, b: Uint8Array, offset: number, count: number): boolean {
  for (let i = offset; i < offset + count; i++) if (a[i] !== b[i]) return false;
  return true;
}

function within(
  type: ElementType,
  actual: DataView,
  expected: DataView,
  offset: number,
  tolerance: Tolerance,
): boolean {
  const [a, e] = [Number(type.load(actual, offset)), Number(type.load(expected, offset))];
  if (Number.isNaN(a) || Number.isNaN(e)) return Number.isNaN(a) && Number.isNaN(e);
  if (!("ulp" in tolerance)) return Math.abs(a - e) <= tolerance.abs + tolerance.rel * Math.abs(e);
  const [m, n] = [orderedBits(type, actual, offset), orderedBits(type, expected, offset)];
  return (m > n ? m - n : n - m) <= BigInt(tolerance.ulp);
}

/** The bits as an integer that grows with the number, so that neighbours differ by one. */
function orderedBits(type: ElementType, view: DataView, offset: number): bigint {
  let bits = 0n;
  for (let i = type.bytes - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(view.getUint8(offset + i));
  const sign = 1n << BigInt(type.bytes * 8 - 1);
  return bits >= sign ? -(bits - sign) : bits;
}
