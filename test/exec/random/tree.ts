// A random kernel as a tree that prints as PTX and as C: every line has both forms. The nodes of a body are what
// minimise.ts may remove. Lines between bodies, such as the head of a loop, stay as long as their node.

import { WARM_UP } from "./crew.js";
import type { Platform } from "./builder.js";
import type { Shape } from "./shape.js";

export interface Line {
  readonly ptx: string;
  readonly c: string;
}

export interface Body {
  readonly nodes: readonly Node[];
}

export type Node = Line | Compound;

export interface Compound {
  readonly parts: readonly (Line | Body)[];
}

export const line = (ptx: string, c: string): Line => ({ ptx, c });
export const label = (name: string): Line => line(`${name}:`, `${name}:;`);
export const compound = (...parts: readonly (Line | Body)[]): Compound => ({ parts });
export const body = (nodes: readonly Node[]): Body => ({ nodes });

/** All lines of a tree, in order. */
export function linesOf(part: Node | Body): readonly Line[] {
  if ("nodes" in part) return part.nodes.flatMap(linesOf);
  return "parts" in part ? part.parts.flatMap(linesOf) : [part];
}

/** A function, with the text around its body in both languages. */
export interface FunctionTree {
  readonly name: string;
  readonly open: Line;
  readonly body: Body;
  readonly close: Line;
  /** Prototypes, because functions may call each other. */
  readonly declaration: Line;
}

export interface KernelTree extends Shape {
  readonly seed: number;
  /** Texts of instructions whose C meaning is in testdata/exec/meanings.c. */
  readonly rows: readonly string[];
  readonly functions: readonly FunctionTree[];
  readonly platform: Platform;
  /** Module-scope variables, in both languages. */
  readonly variables: Line;
}

const text = (functions: readonly FunctionTree[], language: keyof Line): readonly string[] =>
  functions.flatMap(({ open, body: inside, close }) => [
    open[language],
    ...linesOf(inside).map((each) => `  ${each[language]}`),
    close[language],
  ]);

export function ptxOf(kernel: KernelTree): string {
  const { functions, variables, platform } = kernel;
  const { version, target } = platform;
  const head = [`.version ${version}`, `.target ${target}`, ".address_size 64", variables.ptx, WARM_UP];
  return [...head, ...functions.map(({ declaration }) => declaration.ptx), ...text(functions, "ptx"), ""].join("\n");
}

export function cOf(kernel: KernelTree): string {
  const { functions, variables, rows, grid, block, launches } = kernel;
  const constants = [
    `enum { GX = ${grid[0]}, GY = ${grid[1]}, GZ = ${grid[2]}, LAUNCHES = ${launches} };`,
    `enum { BX = ${block[0]}, BY = ${block[1]}, BZ = ${block[2]} };`,
    `static const char *const rows[] = { ${rows.map((row) => JSON.stringify(row)).join(", ")}, 0 };`,
    '#include "random-kernels.h"',
  ];
  const declared = functions.map(({ declaration }) => declaration.c);
  return [...constants, variables.c, ...declared, ...text(functions, "c"), ""].join("\n");
}
