// Prints the body of a function as PTX: registers, variables of its frame and tables of targets (PTX ISA 9.0 sections 5.4.1 and
// 11.3), and its instructions with labels, pragmas and source positions (11.4.7 and 11.5.4).

import type { Code, Parameter, Register, SourceLocation } from "../../isa/code.js";
import { printInstruction, type CodeNames } from "./print-code.js";
import { printLayout, printParameter } from "./print-data.js";

/** Data for printing .loc positions. */
export interface Positions {
  fileNumber(file: number): number;
  /** The name of a string's label in .debug_str, for inlined code; undefined if there is none. */
  textLabel(label: string): string | undefined;
}

function printPosition(position: SourceLocation, { fileNumber, textLabel }: Positions): string {
  const { file, line, column, functionName, inlinedAt } = position;
  const place = `.loc ${fileNumber(file)} ${line} ${column}`;
  const label = functionName === undefined ? undefined : textLabel(functionName.label);
  if (label === undefined || functionName === undefined || inlinedAt === undefined) return place;
  const offset = functionName.offset === 0 ? "" : `+${functionName.offset}`;
  const at = `${fileNumber(inlinedAt.file)} ${inlinedAt.line} ${inlinedAt.column}`;
  return `${place}, function_name ${label}${offset}, inlined_at ${at}`;
}

/** Instructions with the labels, pragmas and source positions before them. */
export function printBody(code: Code, names: CodeNames, positions: Positions): readonly string[] {
  const lines: string[] = [];
  const pragmas = new Map<number, string[]>();
  for (const { before, text } of code.pragmas) pragmas.set(before, [...(pragmas.get(before) ?? []), text]);
  let location = -1;
  for (let i = 0; i <= code.instructions.length; i++) {
    for (const label of names.labelsAt(i)) lines.push(`${label}:`);
    for (const text of pragmas.get(i) ?? []) lines.push(`\t.pragma "${text}";`);
    const instruction = code.instructions[i];
    // Stripped code has no locations, whatever its instructions contain.
    const last = Math.min(instruction?.location ?? Infinity, code.locations.length - 1);
    for (; location < last; location++) {
      lines.push(`\t${printPosition(code.locations[location + 1]!, positions)}`);
    }
    if (instruction !== undefined) lines.push(`\t${printInstruction(code, i, names)}`);
  }
  return lines;
}

/**
 * Registers by type, each with its own name. Formal parameters in registers are declared in the head, and those of the module in
 * the module.
 */
export function printRegisters(code: Code): readonly string[] {
  const formals = new Set([
    ...code.variables.flatMap(({ register }) => (register === undefined ? [] : [register])),
    ...(code.moduleRegisters ?? []).map(({ register }) => register),
  ]);
  const groups = new Map<string, Register[]>();
  code.registers.forEach((register, i) => {
    if (formals.has(i)) return;
    const head = `.reg ${register.vector === 1 ? "" : `.v${register.vector} `}.${register.type.name}`;
    const group = groups.get(head) ?? [];
    groups.set(head, group);
    group.push(register);
  });
  return [...groups].map(([head, registers]) => `${head} ${registers.map(({ name }) => name).join(", ")};`);
}

export function printFrame(code: Code, withParameters: boolean): readonly string[] {
  return code.variables
    .filter(({ kind }) => kind === "param" || kind === "local" || (withParameters && kind === "parameter"))
    .map(({ kind, layout, name }) => `.${kind === "local" ? kind : "param"} ${printLayout(layout, name)};`);
}

export function printTables(code: Code, names: CodeNames): readonly string[] {
  const list = (items: readonly Parameter[]): string => items.map((item) => printParameter(item, "_")).join(", ");
  return [
    ...code.branchTargets.map(({ name, targets }) => `${name}: .branchtargets ${targets.map(names.label).join(", ")};`),
    ...code.callTargets.map(
      ({ name, symbols }) => `${name}: .calltargets ${symbols.map((s) => names.symbol(s).name).join(", ")};`,
    ),
    ...code.prototypes.map(({ name, prototype }) => {
      const returns = prototype.returns.length === 0 ? "" : `(${list(prototype.returns)}) `;
      return `${name}: .callprototype ${returns}_ (${list(prototype.parameters)})${prototype.noreturn ? " .noreturn" : ""};`;
    }),
  ];
}
