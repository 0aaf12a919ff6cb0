// Places of findings: instructions as sites with their text, threads as coordinates.

import type { Dimensions } from "../../base/dimensions.js";
import type { LoadedFunction, Process } from "../../load/process.js";
import { createInstructionText } from "../machine/instruction-text.js";
import { inliningPlaces, sourcePlace } from "../machine/source-places.js";
import type { AccessName, Party, Site } from "./finding.js";

/** Column of the first instruction in a line of PTX, from 1; undefined if its text is not available. */
export type ColumnOf = (file: string, line: number) => number | undefined;

export interface Sites {
  of(fn: LoadedFunction, pc: number): Site;
  at(index: number): Site;
  place(site: Site): Pick<Party, "file" | "line" | "column" | "ptx" | "inlinedAt">;
}

export function createSites(process: Process, columnOf: ColumnOf | undefined): Sites {
  const sites: Site[] = [];
  const byFunction = new Map<LoadedFunction, Site[]>();
  const textOf = createInstructionText(process);
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
      const sourceColumn = fn.code.locations[instruction.location]?.column ?? 0;
      const text = textOf(fn, pc);
      const inlinedAt = inliningPlaces(fn, instruction);
      return {
        file,
        line,
        ...(sourceColumn === 0 ? {} : { column: sourceColumn }),
        ...(inlinedAt.length === 0 ? {} : { inlinedAt }),
        ptx: { file: fn.file, line: instruction.line, column, instruction: text },
      };
    },
  };
}

export interface Shape {
  readonly grid: Dimensions;
  readonly block: Dimensions;
}

const inSize = (index: number, [x, y]: Dimensions): Dimensions => [
  index % x,
  Math.floor(index / x) % y,
  Math.floor(index / (x * y)),
];

/** Block and thread by number. */
function threadPlace({ grid, block }: Shape, blockIndex: number, thread: number): Pick<Party, "block" | "thread"> {
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
