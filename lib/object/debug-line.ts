// `.debug_line` of a module's `.loc` lines: DWARF 2 section 6.2, with the parameters that ptxas takes (no minimum length of an
// instruction, lines from -5 to 8 in special opcodes). A sequence for each function, from its start to the end of its
// instructions; addresses are bytes of its encoded code. File n of the table is `.file n`, as DW_AT_decl_file has it.
// Left out is what DWARF 2 has no word for: `inlined_at` and `function_name`, which ptxas says in opcodes of its own.

import { ByteWriter } from "../../formats/bytes/writer.js";
import { writeVarU } from "../../formats/bytes/varint.js";
import {
  addBytes,
  addInteger,
  addIntegers,
  addReference,
  addText,
  createSectionData,
  markOf,
  partSince,
} from "../ptx/section-data.js";
import type { SectionDirective } from "../ptx/tree.js";
import type { PlacedCode } from "./debug-places.js";

export const LINE_SECTION = ".debug_line";

const VERSION = 2;
const LINE_BASE = -5;
const LINE_RANGE = 14;
/** Operands of the standard opcodes 1 to 9. */
const OPERANDS = [0, 1, 1, 1, 1, 0, 0, 0, 1] as const;
const OPCODE_BASE = OPERANDS.length + 1;
const LNS = { copy: 1, advancePc: 2, advanceLine: 3, setFile: 4, setColumn: 5 } as const;
const LNE = { endSequence: 1, setAddress: 2 } as const;

/** Numbers of files beyond this have no row: the table would have one for each number below. */
const MAX_FILES = 4096;

interface File {
  readonly index: number;
  readonly path: string;
}

/** The section as PTX would say it; undefined where no line is known. Symbols stand for the starts of their functions. */
export function lineProgram(files: readonly File[], functions: readonly PlacedCode[]): SectionDirective | undefined {
  const known = new Map(files.flatMap(({ index, path }) => (index >= 1 && index <= MAX_FILES ? [[index, path]] : [])));
  const sequences = functions.flatMap((placed) => {
    const program = sequence(placed, known);
    return program === undefined ? [] : [{ name: placed.name, program }];
  });
  if (sequences.length === 0) return undefined;
  const tables = header(known);
  const size = sequences.reduce((sum, { program }) => sum + 3 + 8 + program.length, tables.length);
  const data = createSectionData();
  const begin = markOf(data);
  const put = (type: number, value: number): void => {
    addInteger(data, type, value);
    addIntegers(data, begin.row, type, 1, 1, false);
  };
  put(2, size + 6);
  put(1, VERSION);
  put(2, tables.length);
  addBytes(data, begin.row, tables);
  for (const { name, program } of sequences) {
    addBytes(data, begin.row, Uint8Array.of(0, 9, LNE.setAddress));
    addReference(data, 3, addText(data, name), -1, undefined);
    addBytes(data, begin.row, program);
  }
  return { kind: "section", start: 0, end: 0, name: LINE_SECTION, part: partSince(data, begin) };
}

/** What stands between the header's length and the programs. */
function header(files: ReadonlyMap<number, string>): Uint8Array {
  const writer = new ByteWriter(256);
  for (const byte of [1, 1, LINE_BASE & 0xff, LINE_RANGE, OPCODE_BASE, ...OPERANDS]) writer.u8(byte);
  const last = Math.max(...files.keys());
  const folders = new Map<string, number>();
  const rows = Array.from({ length: last }, (_, i) => {
    const path = files.get(i + 1) ?? "-";
    const end = path.lastIndexOf("/");
    const folder = end < 0 ? undefined : path.slice(0, Math.max(1, end));
    if (folder !== undefined && !folders.has(folder)) folders.set(folder, folders.size + 1);
    return { name: path.slice(end + 1), folder: folder === undefined ? 0 : folders.get(folder)! };
  });
  for (const folder of folders.keys()) putText(writer, folder);
  writer.u8(0);
  for (const { name, folder } of rows) {
    putText(writer, name);
    writeVarU(writer, folder);
    // Neither time nor size of the file are said.
    writer.u8(0);
    writer.u8(0);
  }
  writer.u8(0);
  return writer.finish();
}

/** An empty text would end the table. */
function putText(writer: ByteWriter, text: string): void {
  writer.put(new TextEncoder().encode(text.split("\0")[0] === "" ? "-" : text.split("\0")[0]!));
  writer.u8(0);
}

/** The opcodes behind the one that sets the address; undefined for a function without a line. */
function sequence({ code, starts }: PlacedCode, files: ReadonlyMap<number, string>): Uint8Array | undefined {
  const writer = new ByteWriter(64);
  let [address, file, line, column] = [0, 1, 1, 0];
  let last = -1;
  code.instructions.forEach(({ location }, i) => {
    if (location === last) return;
    last = location;
    const to = code.locations[location];
    if (to === undefined || !files.has(to.file)) return;
    if (to.file !== file) putOpcode(writer, LNS.setFile, to.file);
    if (to.column !== column) putOpcode(writer, LNS.setColumn, to.column);
    putRow(writer, starts[i]! - address, to.line - line);
    [address, file, line, column] = [starts[i]!, to.file, to.line, to.column];
  });
  if (writer.length === 0) return undefined;
  putOpcode(writer, LNS.advancePc, starts.at(-1)! - address);
  for (const byte of [0, 1, LNE.endSequence]) writer.u8(byte);
  return writer.finish();
}

function putOpcode(writer: ByteWriter, opcode: number, operand: number): void {
  writer.u8(opcode);
  writeVarU(writer, operand);
}

/** A row so many bytes and lines on. */
function putRow(writer: ByteWriter, bytes: number, lines: number): void {
  const isNear = lines >= LINE_BASE && lines < LINE_BASE + LINE_RANGE;
  if (!isNear) {
    writer.u8(LNS.advanceLine);
    putSigned(writer, lines);
  }
  const special = (isNear ? lines : 0) - LINE_BASE + LINE_RANGE * bytes + OPCODE_BASE;
  if (special <= 255) {
    writer.u8(special);
    return;
  }
  putOpcode(writer, LNS.advancePc, bytes);
  writer.u8((isNear ? lines : 0) - LINE_BASE + OPCODE_BASE);
}

/** SLEB128. */
function putSigned(writer: ByteWriter, value: number): void {
  let rest = value;
  for (;;) {
    const low = ((rest % 128) + 128) % 128;
    rest = Math.floor(rest / 128);
    const isLast = (rest === 0 && low < 64) || (rest === -1 && low >= 64);
    writer.u8(isLast ? low : low | 0x80);
    if (isLast) return;
  }
}
