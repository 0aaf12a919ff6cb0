// Reads `.debug_line` by its specification alone: DWARF 2 section 6.2, and DW_LNE_NVIDIA_inlined_call (0x90: ULEB128
// row of the call in the sequence, from 1, ULEB128 offset of the function's name in `.debug_str`; 0 and 0 for code that
// is not inlined).

export interface Row {
  readonly address: number;
  readonly file: number;
  readonly line: number;
  readonly column: number;
  /** Row of the call that the code is inlined at, from 1; 0 if it is not inlined. */
  readonly call: number;
  /** Offset in `.debug_str` of the name of the inlined function. */
  readonly name: number;
}

export interface Sequence {
  /** Offset in the section of the function's address, which a relocation sets; undefined if there is none. */
  readonly place: number | undefined;
  readonly rows: readonly Row[];
  /** Address after its last instruction. */
  readonly end: number;
}

export interface LineProgram {
  readonly files: readonly string[];
  readonly sequences: readonly Sequence[];
  /** Offset in the section of the next program. */
  readonly end: number;
}

const FRESH: Row = { address: 0, file: 1, line: 1, column: 0, call: 0, name: 0 };

/** Of the program at an offset of the section. */
export function lineProgramAt(data: Uint8Array, begin: number): LineProgram {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const end = begin + 4 + view.getUint32(begin, true);
  const programs = begin + 10 + view.getUint32(begin + 6, true);
  let at = begin + 10 + 2;
  const u8 = (): number => data[at++]!;
  const leb = (isSigned = false): number => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = u8();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return isSigned && byte >= 64 ? value - 2 ** (shift + 7) : value;
    }
  };
  const text = (): string => {
    const from = at;
    while (u8() !== 0);
    return Buffer.from(data.subarray(from, at - 1)).toString();
  };
  const [base, range, opcodes] = [(u8() << 24) >> 24, u8(), u8()];
  at += opcodes - 1;
  const folders: string[] = [];
  while (data[at] !== 0) folders.push(text());
  at++;
  const files: string[] = [];
  while (data[at] !== 0) {
    const name = text();
    const folder = leb();
    files.push(folder === 0 ? name : `${folders[folder - 1]}/${name}`);
    leb();
    leb();
  }

  const sequences: Sequence[] = [];
  let rows: Row[] = [];
  let state = FRESH;
  let place: number | undefined;
  const extended = (): void => {
    const next = leb() + at;
    const opcode = u8();
    if (opcode === 1) {
      sequences.push({ place, rows, end: state.address });
      [rows, state, place] = [[], FRESH, undefined];
    } else if (opcode === 2) {
      place = at;
      state = { ...state, address: Number(view.getBigUint64(at, true)) };
    } else if (opcode === 0x90) state = { ...state, call: leb(), name: leb() };
    at = next;
  };
  const steps: Readonly<Record<number, () => void>> = {
    0: extended,
    1: () => void rows.push(state),
    2: () => void (state = { ...state, address: state.address + leb() }),
    3: () => void (state = { ...state, line: state.line + leb(true) }),
    4: () => void (state = { ...state, file: leb() }),
    5: () => void (state = { ...state, column: leb() }),
  };
  for (at = programs; at < end;) {
    const opcode = u8();
    const special = opcode - opcodes;
    if (special < 0) {
      steps[opcode]!();
      continue;
    }
    const address = state.address + Math.floor(special / range);
    state = { ...state, address, line: state.line + base + (special % range) };
    rows.push(state);
  }
  return { files, sequences, end };
}

/** All programs of a section. */
export function linePrograms(data: Uint8Array): readonly LineProgram[] {
  const programs: LineProgram[] = [];
  for (let at = 0; at < data.length; at = programs.at(-1)!.end) programs.push(lineProgramAt(data, at));
  return programs;
}
