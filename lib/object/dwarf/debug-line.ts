// Makes `.debug_line` from a module's `.loc` lines: DWARF 2 section 6.2, with ptxas's parameters (no minimum instruction length,
// lines from -5 to 8 in special opcodes). There is a sequence for each function, from its start to the end of its instructions;
// addresses are bytes of its encoded code. File n of the table is `.file n`, as in DW_AT_decl_file.
// DWARF 2 cannot express `inlined_at` and `function_name`. As in ptxas, DW_LNE_NVIDIA_inlined_call (0x90) gives the row of the
// call in this sequence, from 1, and the function's name in `.debug_str`; both are 0 for code that is not inlined. NVIDIA's
// linker leaves the offsets of names relative to their module; here they are relative to the file's section.

import { ByteWriter } from "../../../formats/bytes/writer.js";
import { writeVarU } from "../../../formats/bytes/varint.js";
import {
  addBytes,
  addInteger,
  addIntegers,
  addReference,
  addText,
  createSectionData,
  LEB,
  markOf,
  partSince,
  typeBytes,
} from "../../ptx/section-data.js";
import type { SourceLocation } from "../../isa/code.js";
import { inlinedInto, placeKey } from "../../isa/inlined.js";
import type { SectionDirective } from "../../ptx/tree.js";
import type { PlacedCode } from "../code/code-places.js";

export const LINE_SECTION = ".debug_line";

const VERSION = 2;
const LINE_BASE = -5;
const LINE_RANGE = 14;
/** Numbers of operands of the standard opcodes 1 to 9. */
const OPERANDS = [0, 1, 1, 1, 1, 0, 0, 0, 1] as const;
const OPCODE_BASE = OPERANDS.length + 1;
const LNS = { copy: 1, advancePc: 2, advanceLine: 3, setFile: 4, setColumn: 5 } as const;
const LNE = { endSequence: 1, setAddress: 2, inlinedCall: 0x90 } as const;

/** Limit of file numbers: the table would need a row for each lower number. */
const MAX_FILES = 4096;

interface File {
  readonly index: number;
  readonly path: string;
}

/** The section as PTX; undefined if no line is known. Symbols refer to the starts of their functions. */
export function lineProgram(files: readonly File[], functions: Iterable<PlacedCode>): SectionDirective | undefined {
  const known = new Map(files.flatMap(({ index, path }) => (index >= 1 && index <= MAX_FILES ? [[index, path]] : [])));
  const sequences: { readonly name: string; readonly program: Program }[] = [];
  for (const placed of functions) {
    const program = sequence(placed, known);
    if (program !== undefined) sequences.push({ name: placed.name, program });
  }
  if (sequences.length === 0) return undefined;
  const tables = header(known);
  const size = sequences.reduce((sum, { program }) => sum + 3 + 8 + lengthOf(program), tables.length);
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
    for (const piece of program) {
      if (piece instanceof Uint8Array) addBytes(data, begin.row, piece);
      else
        addReference(data, LEB, addText(data, piece.label), -1, piece.offset === 0 ? undefined : BigInt(piece.offset));
    }
  }
  return { kind: "section", start: 0, end: 0, name: LINE_SECTION, part: partSince(data, begin) };
}

/** The bytes between the header's length and the programs. */
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
    // The file's time and size are omitted.
    writer.u8(0);
    writer.u8(0);
  }
  writer.u8(0);
  return writer.finish();
}

/** Writes a string, which must not be empty, because an empty one would end the table. */
function putText(writer: ByteWriter, text: string): void {
  const [name] = text.split("\0", 1);
  writer.put(new TextEncoder().encode(name === "" ? "-" : name));
  writer.u8(0);
}

/** Opcodes, with names of functions in `.debug_str` between them. */
type Program = readonly (Uint8Array | FunctionName)[];

type FunctionName = NonNullable<SourceLocation["functionName"]>;

const lengthOf = (program: Program): number =>
  program.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : typeBytes(LEB)), 0);

/** The opcodes after the one that sets the address; undefined for a function without lines. */
function sequence({ locations, rows: runs, end }: PlacedCode, files: ReadonlyMap<number, string>): Program | undefined {
  const program: (Uint8Array | FunctionName)[] = [];
  let writer = new ByteWriter(64);
  let [address, file, line, column, context] = [0, 1, 1, 0, 0];
  let name: FunctionName | undefined;
  let rows = 0;
  const callers = inlinedInto(locations);
  // Rows of calls: by place and by the row into which the call is itself inlined, and by location.
  const rowOf = new Map<string, number>();
  const rowsAt = new Int32Array(locations.length).fill(-1);
  const put = (location: number, at: number, into: number): number => {
    const to = locations[location]!;
    if (!files.has(to.file)) return 0;
    const called = into === 0 ? undefined : to.functionName;
    if (into !== context || called?.label !== name?.label || called?.offset !== name?.offset) {
      [context, name] = [into, called];
      putInlined(writer, context, name === undefined);
      if (name !== undefined) {
        program.push(writer.finish(), name);
        writer = new ByteWriter(64);
      }
    }
    if (to.file !== file) putOpcode(writer, LNS.setFile, to.file);
    if (to.column !== column) putOpcode(writer, LNS.setColumn, to.column);
    putRow(writer, at - address, to.line - line);
    [address, file, line, column] = [at, to.file, to.line, to.column];
    const key = `${placeKey(to)} ${into}`;
    if (!rowOf.has(key)) rowOf.set(key, rows + 1);
    return ++rows;
  };
  /** The row of the call at which a location is inlined; 0 for none. Calls without a row get one, the outermost first. */
  const contextOf = (location: number, at: number): number => {
    const calls: number[] = [];
    let call = callers[location]!;
    for (; call >= 0 && rowsAt[call] === -1; call = callers[call]!) calls.push(call);
    let row = call < 0 ? 0 : rowsAt[call]!;
    for (const each of calls.reverse()) {
      row = rowOf.get(`${placeKey(locations[each]!)} ${row}`) ?? put(each, at, row);
      rowsAt[each] = row;
    }
    return row;
  };
  for (let i = 0; i < runs.length; i += 2) {
    const [location, at] = [runs[i]!, runs[i + 1]!];
    const to = locations[location];
    if (to !== undefined && files.has(to.file)) put(location, at, contextOf(location, at));
  }
  if (rows === 0) return undefined;
  putOpcode(writer, LNS.advancePc, end - address);
  for (const byte of [0, 1, LNE.endSequence]) writer.u8(byte);
  return [...program, writer.finish()];
}

/** Writes the opcode up to the name, which the caller adds unless there is none. */
function putInlined(writer: ByteWriter, context: number, isNameless: boolean): void {
  const row = new ByteWriter(16);
  writeVarU(row, context);
  writer.u8(0);
  writer.u8(1 + row.length + (isNameless ? 1 : typeBytes(LEB)));
  writer.u8(LNE.inlinedCall);
  writer.put(row.finish());
  if (isNameless) writer.u8(0);
}

function putOpcode(writer: ByteWriter, opcode: number, operand: number): void {
  writer.u8(opcode);
  writeVarU(writer, operand);
}

/** Writes a row that is so many bytes and lines after the previous one. */
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

/** Writes SLEB128. */
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
