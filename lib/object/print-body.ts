// The instructions of a function as PTX text, with what stands between them: labels, pragmas and source positions (PTX ISA
// 9.0 sections 11.4.7 and 11.5.4).

import type { Code, SourceLocation } from "../isa/code.js";
import { printInstruction, type CodeNames } from "./print-code.js";

/** How .loc positions are written. */
export interface Positions {
  fileNumber(file: number): number;
  /** Whether to say where code was inlined: it names a text in .debug_str. */
  readonly isInlined: boolean;
}

function printPosition(position: SourceLocation, { fileNumber, isInlined }: Positions): string {
  const { file, line, column, functionName, inlinedAt } = position;
  const place = `.loc ${fileNumber(file)} ${line} ${column}`;
  if (!isInlined || functionName === undefined || inlinedAt === undefined) return place;
  const offset = functionName.offset === 0 ? "" : `+${functionName.offset}`;
  const at = `${fileNumber(inlinedAt.file)} ${inlinedAt.line} ${inlinedAt.column}`;
  return `${place}, function_name ${functionName.label}${offset}, inlined_at ${at}`;
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
    const last = instruction === undefined ? code.locations.length - 1 : instruction.location;
    for (; location < last; location++) {
      lines.push(`\t${printPosition(code.locations[location + 1]!, positions)}`);
    }
    if (instruction !== undefined) lines.push(`\t${printInstruction(code, i, names)}`);
  }
  return lines;
}
