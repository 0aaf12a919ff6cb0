// Instructions as PTX text, and the callers of a frame, for messages.

import { handleOf } from "../../load/address-space.js";
import { codeNames, printInstruction, type CodeNames } from "../../object/print/print-code.js";
import type { LoadedFunction, Process } from "../../load/process.js";
import { sourcePlace } from "./source-places.js";
import type { Frame } from "../state/frame.js";

/** Creates a printer of a process's instructions. */
export function createInstructionText(process: Process): (fn: LoadedFunction, pc: number) => string {
  const names = new Map<LoadedFunction, CodeNames>();
  return (fn, pc) => {
    let known = names.get(fn);
    if (known === undefined)
      names.set(fn, (known = codeNames(fn.code, (slot) => ({ name: slotName(process, fn, slot), offset: 0n }))));
    return printInstruction(fn.code, pc, known);
  };
}

/** Name of the symbol in a function's slot. */
function slotName(process: Process, fn: LoadedFunction, slot: number): string {
  const { space, value } = fn.slots[slot] ?? { space: "global", value: 0 };
  if (space === "function") return process.functionAt(value)?.name ?? "?";
  for (const [index, symbol] of process.image.symbols.entries()) {
    // References to textures, samplers and surfaces have handles instead of addresses.
    if (value === handleOf("reference", index)) return symbol.name;
    if (symbol.kind !== "variable" || symbol.placement.kind !== "section" || symbol.space !== space) continue;
    const base = process.sectionBases[symbol.placement.section] ?? 0;
    if (base + symbol.placement.offset === value && (symbol.scope === undefined || symbol.scope === fn.name))
      return symbol.name;
  }
  return (
    process.image.symbols.find(
      (symbol) => symbol.kind === "variable" && symbol.space === space && symbol.layout.size === 0,
    )?.name ?? "?"
  );
}

/** The callers of a frame, nearest first. */
export function callersOf(frame: Frame): readonly string[] {
  const callers: string[] = [];
  for (let each: Frame | undefined = frame; each?.parent !== undefined && callers.length < 16; each = each.parent) {
    const { fn } = each.parent.program;
    const instruction = fn.code.instructions[each.returnPc - 1];
    const at = instruction === undefined ? undefined : sourcePlace(fn, instruction);
    callers.push(at === undefined ? fn.name : `${fn.name} (${at.file}:${at.line})`);
  }
  return callers;
}
