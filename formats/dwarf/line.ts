// Reads `.debug_line`, which maps addresses to files and lines. DWARF 2 to 4, section 6.2, with NVIDIA's extended opcode for
// inlined code. DW_LNE 0x90 has two operands: the row of the call in its sequence, from 1, and the offset of the function's name
// in `.debug_str` (measured on ptxas 13.0). Unsupported: DWARF 5, which NVIDIA's tools do not write; the error names the version.
import { listing, type Listing } from "../bytes/listing.js";
import { malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import { readSleb128, readVarU } from "../bytes/varint.js";

export interface LineFile {
  /** Number in the line program, from 1. */
  readonly index: number;
  /** With its folder, if the table has one. */
  readonly path: string;
}

export interface LineRow {
  /** Address in bytes from the start of the sequence. */
  readonly address: number;
  /** Number of the file; see LineFile. */
  readonly file: number;
  readonly line: number;
  /** 0 if unknown. */
  readonly column: number;
  /** For inlined code: the row of the call in this sequence, from 0. */
  readonly callRow?: number;
  /** Offset of the inlined function's name in `.debug_str`. */
  readonly nameOffset?: number;
}

/** The rows of one function. */
export interface LineSequence {
  /** Offset of its address in the section; the relocation there names the function. */
  readonly addressAt: number;
  readonly address: bigint;
  /** Size in bytes, if the end is known. */
  readonly size: number;
  readonly rows: readonly LineRow[];
}

export interface LineUnit {
  /** Offset in bytes from the start of the section. */
  readonly offset: number;
  readonly version: number;
  readonly files: readonly LineFile[];
  readonly sequences: readonly LineSequence[];
}

const NEWEST = 4;
const LNS = { copy: 1, advancePc: 2, advanceLine: 3, setFile: 4, setColumn: 5, constAddPc: 8, fixedAdvancePc: 9 };
const LNE = { endSequence: 1, setAddress: 2, defineFile: 3, inlinedCall: 0x90 };

/** The units of a section, up to the first error. `base`: offset of `bytes` in the file. Linear in the section's size. */
export function readLineUnits(bytes: Uint8Array, base = 0): Listing<LineUnit> {
  return listing(function* () {
    const reader = new ByteReader(bytes, base);
    while (reader.remaining > 0) {
      const offset = reader.offset;
      const size = reader.u32("length of a line program");
      if (size >= 0xffff_fff0)
        malformed("unsupported", reader.position - 4, "64-bit DWARF: only the 32-bit form is read");
      yield readUnit(reader.window(size, "line program"), offset, base);
    }
  });
}

interface Header {
  readonly leastLength: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Number of operands of each standard opcode, from opcode 1. */
  readonly operands: readonly number[];
}

/** `base`: offset of the section in the file. */
function readUnit(reader: ByteReader, offset: number, base: number): LineUnit {
  const version = reader.u16("version of a line program");
  if (version < 2 || version > NEWEST)
    malformed("unsupported", reader.position - 2, `line program of DWARF ${version}: versions 2 to ${NEWEST} are read`);
  const headerSize = reader.u32("header of a line program");
  const start = reader.offset + headerSize;
  const leastLength = reader.u8("minimum instruction length");
  if (version >= 4) reader.u8("maximum operations per instruction");
  reader.u8("default_is_stmt");
  const lineBase = reader.i8("line_base");
  const lineRange = reader.u8("line_range");
  const opcodeBase = reader.u8("opcode_base");
  if (lineRange === 0) malformed("malformed", reader.position - 2, "line program: line_range is 0");
  const operands = Array.from({ length: Math.max(0, opcodeBase - 1) }, () => reader.u8("operands of an opcode"));
  const folders: string[] = [];
  for (let folder = reader.cstring("folder"); folder !== ""; folder = reader.cstring("folder")) folders.push(folder);
  const files: LineFile[] = [];
  for (let name = reader.cstring("file name"); name !== ""; name = reader.cstring("file name"))
    files.push(fileOf(reader, name, files.length + 1, folders));
  reader.seek(start, "line program");
  const header = { leastLength, lineBase, lineRange, opcodeBase, operands };
  const sequences = runProgram(reader, header, base, (name) =>
    files.push(fileOf(reader, name, files.length + 1, folders)),
  );
  return { offset, version, files, sequences };
}

/** Reads the fields after a file's name: folder, time and size. */
function fileOf(reader: ByteReader, name: string, index: number, folders: readonly string[]): LineFile {
  const folder = folders[readVarU(reader, "folder of a file") - 1];
  readVarU(reader, "time of a file");
  readVarU(reader, "size of a file");
  return { index, path: folder === undefined || name.startsWith("/") ? name : `${folder}/${name}` };
}

/** Runs DWARF's state machine, reduced to the registers that rows need. */
function runProgram(
  reader: ByteReader,
  header: Header,
  base: number,
  defineFile: (name: string) => void,
): readonly LineSequence[] {
  const { leastLength, lineBase, lineRange, opcodeBase, operands } = header;
  const sequences: LineSequence[] = [];
  let rows: LineRow[] = [];
  let [addressAt, start, address, file, line, column, context, name] = [0, 0n, 0, 1, 1, 0, 0, 0];
  const row = (): void => {
    const inlined = context === 0 ? {} : { callRow: context - 1, nameOffset: name };
    rows.push({ address, file, line, column, ...inlined });
  };
  const end = (): void => {
    sequences.push({ addressAt, address: start, size: address, rows });
    rows = [];
    [addressAt, start, address, file, line, column, context, name] = [0, 0n, 0, 1, 1, 0, 0, 0];
  };
  while (reader.remaining > 0) {
    const opcode = reader.u8("opcode of a line program");
    if (opcode >= opcodeBase) {
      const special = opcode - opcodeBase;
      address += leastLength * Math.floor(special / lineRange);
      line += lineBase + (special % lineRange);
      row();
    } else if (opcode === 0) {
      const size = readVarU(reader, "length of an extended opcode");
      const inner = reader.window(size, "extended opcode");
      if (size === 0) continue;
      const extended = inner.u8("extended opcode");
      if (extended === LNE.endSequence) end();
      else if (extended === LNE.setAddress) {
        if (inner.remaining !== 8) malformed("unsupported", inner.position, "addresses of 64 bits are read");
        addressAt = inner.position - base;
        start = inner.u64("address");
        address = 0;
      } else if (extended === LNE.defineFile) defineFile(inner.cstring("file name"));
      else if (extended === LNE.inlinedCall) {
        context = readVarU(inner, "row of a call");
        name = readVarU(inner, "name of an inlined function");
      }
    } else if (opcode === LNS.copy) row();
    else if (opcode === LNS.advancePc) address += leastLength * readVarU(reader, "advance of the address");
    else if (opcode === LNS.advanceLine) line += Number(readSleb128(reader, "advance of the line"));
    else if (opcode === LNS.setFile) file = readVarU(reader, "number of a file");
    else if (opcode === LNS.setColumn) column = readVarU(reader, "column");
    else if (opcode === LNS.constAddPc) address += leastLength * Math.floor((255 - opcodeBase) / lineRange);
    else if (opcode === LNS.fixedAdvancePc) address += reader.u16("advance of the address");
    else for (let i = 0; i < operands[opcode - 1]!; i++) readVarU(reader, "operand of an opcode");
  }
  if (rows.length > 0) end();
  return sequences;
}
