// Encodes a WebAssembly module: core specification 2.0, section 5.5. Types are collected from the functions that use them.
// Imports are memories, tables and functions; imported functions are numbered before the module's own.

import { ByteWriter } from "../bytes/writer.js";
import { writeSleb128, writeVarU } from "../bytes/varint.js";
import type { CodeWriter } from "./code.js";
import { valueTypes, type FunctionType } from "./types.js";

export type Import = {
  readonly module: string;
  readonly name: string;
} & (
  | { readonly kind: "function"; readonly type: FunctionType }
  /** Pages of 64 KiB; the limits must include those of the memory that the host provides. */
  | { readonly kind: "memory"; readonly minimum: number; readonly maximum: number; readonly shared: boolean }
  | { readonly kind: "table"; readonly minimum: number }
);

export interface ModuleParts {
  readonly imports: readonly Import[];
  /** Types that call_indirect uses, numbered in this order; other types follow. */
  readonly types?: readonly FunctionType[];
  readonly functions: readonly CodeWriter[];
  /** Function numbers by exported name. */
  readonly exports?: Readonly<Record<string, number>>;
  /** Functions that are stored in the imported table, from index `at` on. */
  readonly elements?: { readonly at: number; readonly functions: readonly number[] };
}

const SECTION = { type: 1, import: 2, function: 3, export: 7, element: 9, code: 10 } as const;
const FUNCTION_TYPE = 0x60;
const FUNCTION_REFERENCE = 0x70;
const kinds = { function: 0, table: 1, memory: 2 } as const;

export function encodeModule({ imports, types = [], functions, exports = {}, elements }: ModuleParts): Uint8Array {
  const typeIndex = createTypes(types);
  // Collect types first: the type section precedes the sections that use it.
  const importTypes = imports.map((each) => (each.kind === "function" ? typeIndex.of(each.type) : 0));
  const functionTypes = functions.map(({ type }) => typeIndex.of(type));
  const out = new ByteWriter(4096);
  out.put(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  section(out, SECTION.type, typeIndex.all, writeType);
  section(out, SECTION.import, imports, (writer, each, i) => writeImport(writer, each, importTypes[i]!));
  section(out, SECTION.function, functionTypes, writeVarU);
  section(out, SECTION.export, Object.entries(exports), (writer, [name, index]) => {
    writeName(writer, name);
    writer.u8(kinds.function);
    writeVarU(writer, index);
  });
  section(out, SECTION.element, elements === undefined ? [] : [elements], (writer, { at, functions: listed }) => {
    // Table 0, at a constant index.
    writer.put(Uint8Array.of(0, 0x41));
    writeSleb128(writer, at);
    writer.u8(0x0b);
    writeVarU(writer, listed.length);
    for (const index of listed) writeVarU(writer, index);
  });
  section(out, SECTION.code, functions, (writer, code) => {
    const body = code.body();
    writeVarU(writer, body.length);
    writer.put(body);
  });
  return out.finish();
}

function section<T>(
  out: ByteWriter,
  id: number,
  items: readonly T[],
  write: (writer: ByteWriter, item: T, index: number) => void,
): void {
  if (items.length === 0) return;
  const content = new ByteWriter(1024);
  writeVarU(content, items.length);
  items.forEach((item, i) => write(content, item, i));
  const bytes = content.finish();
  out.u8(id);
  writeVarU(out, bytes.length);
  out.put(bytes);
}

function createTypes(first: readonly FunctionType[]): {
  readonly all: readonly FunctionType[];
  of(type: FunctionType): number;
} {
  const all: FunctionType[] = [...first];
  const key = ({ parameters, results }: FunctionType): string => `${parameters.join()}>${results.join()}`;
  const known = new Map(first.map((type, i) => [key(type), i]));
  return {
    all,
    of(type) {
      const index = known.get(key(type));
      if (index !== undefined) return index;
      known.set(key(type), all.length);
      return all.push(type) - 1;
    },
  };
}

function writeType(writer: ByteWriter, { parameters, results }: FunctionType): void {
  writer.u8(FUNCTION_TYPE);
  for (const list of [parameters, results]) {
    writeVarU(writer, list.length);
    for (const type of list) writer.u8(valueTypes[type]);
  }
}

function writeImport(writer: ByteWriter, each: Import, type: number): void {
  writeName(writer, each.module);
  writeName(writer, each.name);
  writer.u8(kinds[each.kind]);
  switch (each.kind) {
    case "function":
      writeVarU(writer, type);
      break;
    case "memory":
      writer.u8(each.shared ? 3 : 1);
      writeVarU(writer, each.minimum);
      writeVarU(writer, each.maximum);
      break;
    case "table":
      writer.put(Uint8Array.of(FUNCTION_REFERENCE, 0));
      writeVarU(writer, each.minimum);
      break;
  }
}

function writeName(writer: ByteWriter, name: string): void {
  const bytes = new TextEncoder().encode(name);
  writeVarU(writer, bytes.length);
  writer.put(bytes);
}
