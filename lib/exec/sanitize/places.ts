// Places of findings: instructions as sites with their text, threads as coordinates.

import { codeNames, printInstruction, type CodeNames } from "../../object/print/print-code.js";
import type { LoadedFunction, Process } from "../../load/process.js";
import { inliningPlaces, sourcePlace } from "../bind.js";
import type { Frame } from "../frame.js";
import type { AccessName, Party, Site } from "./finding.js";

/** Column of the first instruction in a line of PTX, from 1; undefined where its text is not at hand. */
export type ColumnOf = (file: string, line: number) => number | undefined;

export interface Sites {
  of(fn: LoadedFunction, pc: number): Site;
  at(index: number): Site;
  place(site: Site): Pick<Party, "file" | "line" | "ptx" | "inlinedAt">;
}

export function createSites(process: Process, columnOf: ColumnOf | undefined): Sites {
  const sites: Site[] = [];
  const byFunction = new Map<LoadedFunction, Site[]>();
  const names = new Map<LoadedFunction, CodeNames>();
  const namesOf = (fn: LoadedFunction): CodeNames => {
    let known = names.get(fn);
    if (known === undefined)
      names.set(fn, (known = codeNames(fn.code, (slot) => ({ name: slotName(process, fn, slot), offset: 0n }))));
    return known;
  };
  return {
    of(fn, pc) {
      let ofFunction = byFunction.get(fn);
      if (ofFunction === undefined) byFunction.set(fn, (ofFunction = []));
      let site = ofFunction[pc];
      if (site === undefined) {
        site = { index: sites.length, fn, pc };
        ofFunction[pc] = site;
        sites.push(site);
      }
      return site;
    },
    at: (index) => sites[index]!,
    place({ fn, pc }) {
      const instruction = fn.code.instructions[pc];
      if (instruction === undefined)
        return { file: fn.file, line: 1, ptx: { file: fn.file, line: 1, column: 1, instruction: "" } };
      const { file, line } = sourcePlace(fn, instruction);
      const column = columnOf?.(fn.file, instruction.line) ?? 1;
      const text = printInstruction(fn.code, pc, namesOf(fn));
      const inlinedAt = inliningPlaces(fn, instruction);
      return {
        file,
        line,
        ...(inlinedAt.length === 0 ? {} : { inlinedAt }),
        ptx: { file: fn.file, line: instruction.line, column, instruction: text },
      };
    },
  };
}

/** What a function's symbol is called. */
function slotName(process: Process, fn: LoadedFunction, slot: number): string {
  const { space, value } = fn.slots[slot] ?? { space: "global", value: 0 };
  if (space === "function") return process.functionAt(value)?.name ?? "?";
  for (const symbol of process.image.symbols) {
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

export interface Shape {
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
}

const inSize = (index: number, [x, y]: readonly [number, number, number]): readonly [number, number, number] => [
  index % x,
  Math.floor(index / x) % y,
  Math.floor(index / (x * y)),
];

/** Block and thread by number. */
export function threadPlace(
  { grid, block }: Shape,
  blockIndex: number,
  thread: number,
): Pick<Party, "block" | "thread"> {
  return { block: inSize(blockIndex, grid), thread: inSize(thread, block) };
}

/** A thread at a site. */
export function partyOf(
  sites: Sites,
  shape: Shape,
  blockIndex: number,
  thread: number,
  site: Site,
  access: AccessName | undefined,
): Party {
  return {
    ...threadPlace(shape, blockIndex, thread),
    ...sites.place(site),
    ...(access === undefined ? {} : { access }),
  };
}

/** The callers of a frame, the nearest first. */
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
