// Instructions as the protocol's addresses: numbers beyond all memory that encode function and instruction. Disassembly is PTX.

import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Lines } from "../../lib/debug/lines.js";
import { createInstructionText } from "../../lib/exec/machine/instruction-text.js";
import type { LoadedFunction } from "../../lib/load/process.js";
import { RequestError, type Handler } from "./request.js";

const BASE = 2n ** 56n;
const STRIDE = 2n ** 24n;

export function addressOfInstruction({ functions }: Lines, fn: LoadedFunction, pc: number): string {
  const index = functions.findIndex(({ address }) => address === fn.address);
  return hex(BASE + STRIDE * BigInt(index) + BigInt(pc));
}

const hex = (address: bigint): string => `0x${address.toString(16)}`;

/** The instruction at an address; undefined if the address is not an instruction's. */
export function instructionAt(
  { functions }: Lines,
  reference: string,
  offset = 0,
): { readonly index: number; readonly fn: LoadedFunction; readonly pc: number } | undefined {
  if (!/^0x[0-9a-f]{1,16}$/i.test(reference)) return undefined;
  const at = BigInt(reference) + BigInt(offset) - BASE;
  const index = Number(at / STRIDE);
  const fn = at < 0n ? undefined : functions[index];
  return fn && { index, fn, pc: Number(at % STRIDE) };
}

export const disassemble: Handler<DebugProtocol.DisassembleArguments> = (
  { debuggee, linesStartAt },
  { memoryReference, offset = 0, instructionOffset = 0, instructionCount },
) => {
  if (debuggee === undefined) throw new RequestError("no program is being debugged");
  const { lines, sources, process } = debuggee;
  const at = instructionAt(lines, memoryReference, offset);
  if (at === undefined) throw new RequestError(`'${memoryReference}' is not an instruction`);
  const textOf = createInstructionText(process);
  const { fn, index } = at;
  const count = Math.max(0, Math.min(instructionCount, 10_000));
  const instructions = Array.from({ length: count }, (_, i): DebugProtocol.DisassembledInstruction => {
    const pc = at.pc + instructionOffset + i;
    const address = hex(BASE + STRIDE * BigInt(index) + BigInt(Math.max(0, pc)));
    if (pc < 0 || pc >= fn.code.instructions.length)
      return { address: pc < 0 ? hex(BASE - BigInt(-pc)) : address, instruction: "", presentationHint: "invalid" };
    const label = fn.code.labels.find(({ target }) => target === pc);
    const { source, line } = sources.placeOf(fn, pc);
    return {
      address,
      instruction: textOf(fn, pc),
      ...(pc === 0 ? { symbol: fn.name } : label === undefined ? {} : { symbol: label.name }),
      location: source,
      line: line - 1 + linesStartAt,
    };
  });
  return { instructions };
};
