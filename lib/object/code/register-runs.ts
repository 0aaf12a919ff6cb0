// Encodes the registers of a function as runs of one type whose names count up. docs/format.md, "Encoded functions". decode.ts
// reads them.

import { writeVarU } from "../../../formats/bytes/varint.js";
import type { ByteWriter } from "../../../formats/bytes/writer.js";
import type { Register } from "../../isa/code.js";
import type { StringPool } from "./string-pool.js";

/** Limit of the digits of the number at a name's end. */
const MAX_DIGITS = 9;
const ZERO = 48;

/** The index of the number at a name's end, without leading zeros: of `%r12`, that of 12; the name's length if there is none. */
function numberStart(name: string): number {
  let start = name.length;
  const least = Math.max(0, name.length - MAX_DIGITS);
  for (let at = name.length - 1; at >= least; at--) {
    const digit = name.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) break;
    if (digit > 0 || start === name.length) start = at;
  }
  return start;
}

/** The number at that index; -1 if there is none. */
function numberAt(name: string, start: number): number {
  if (start === name.length) return -1;
  let number = 0;
  for (let at = start; at < name.length; at++) number = 10 * number + name.charCodeAt(at) - ZERO;
  return number;
}

/** Registers of one type whose names count up, as `.reg .b32 %r<5>` declares them. */
interface Run {
  readonly register: Register;
  readonly stem: string;
  /** The number of the first name; -1 if it has none. */
  readonly first: number;
  count: number;
}

export function writeRegisters(
  writer: ByteWriter,
  pool: StringPool,
  registers: readonly Register[],
  names: boolean,
): void {
  const runs = runsOf(registers, names);
  writeVarU(writer, runs.length);
  for (let i = 0; i < runs.length; i++) {
    const { register, stem, first, count } = runs[i]!;
    writeVarU(writer, pool.index(register.type.name));
    writeVarU(writer, count * 4 + 31 - Math.clz32(register.vector));
    if (!names) continue;
    writeVarU(writer, pool.index(stem));
    writeVarU(writer, first + 1);
  }
}

function runsOf(registers: readonly Register[], names: boolean): readonly Run[] {
  const runs: Run[] = [];
  let last: Run | undefined;
  for (let i = 0; i < registers.length; i++) {
    const register = registers[i]!;
    const { name } = register;
    const digits = names ? numberStart(name) : 0;
    const number = names ? numberAt(name, digits) : -1;
    if (last !== undefined && continues(last, register, digits, number, names)) last.count++;
    else runs.push((last = { register, stem: name.slice(0, digits), first: number, count: 1 }));
  }
  return runs;
}

/** Whether a register is the next one of the run. */
function continues(
  run: Run,
  { name, type, vector }: Register,
  digits: number,
  number: number,
  names: boolean,
): boolean {
  if (run.register.type !== type || run.register.vector !== vector) return false;
  if (!names) return true;
  return run.first >= 0 && number === run.first + run.count && digits === run.stem.length && name.startsWith(run.stem);
}
