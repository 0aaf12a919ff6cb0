// Labels of a module's code as places in its encoded functions, for DWARF that refers to them; and the line program of its
// `.loc` lines (debug-line.ts), to which DW_AT_stmt_list refers and which ptxas makes as well. Only modules with debug sections come here:
// their functions are decoded once more, so that assembling the others keeps no places.

import type { CheckedModule } from "../check/module.js";
import type { Code } from "../isa/code.js";
import { decodeFunction } from "./decode.js";
import { LINE_SECTION, lineProgram } from "./debug-line.js";
import { encodeDebugSection, type CodePlace, type DebugSection } from "./debug-sections.js";

/** An encoded function with its places. */
export interface PlacedCode {
  readonly name: string;
  readonly code: Code;
  /** Where each instruction begins, in bytes from the start of the section, and behind them where the last one ends. */
  readonly starts: readonly number[];
}

/** The debug sections of a module whose functions, in the order of their declaration, are these. */
export function debugSectionsOf(
  { debugSections, files }: Pick<CheckedModule, "debugSections" | "files">,
  functions: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): readonly DebugSection[] {
  if (debugSections.length === 0) return [];
  const placed = functions.flatMap(placedCode);
  const labels = new Map<string, CodePlace>();
  for (const { name, code, starts } of placed)
    for (const label of code.labels)
      if (!labels.has(label.name)) labels.set(label.name, { function: name, offset: starts[label.target]! });
  const own = debugSections.map((section) => encodeDebugSection(section, 0, { placeOf: (name) => labels.get(name) }));
  const made = debugSections.some(({ name }) => name === LINE_SECTION) ? undefined : lineProgram(files, placed);
  if (made === undefined) return own;
  const placeOf = (name: string): CodePlace => ({ function: name, offset: 0 });
  return [encodeDebugSection(made, 0, { placeOf, isMade: true }), ...own];
}

/** None where it cannot be read: whoever runs it says what is wrong with it. */
export function placedCode({
  name,
  bytes,
}: {
  readonly name: string;
  readonly bytes: Uint8Array;
}): readonly PlacedCode[] {
  const starts: number[] = [];
  const decoded = decodeFunction(bytes, 0, (at) => void starts.push(at));
  return decoded.ok ? [{ name, code: decoded.value.code, starts }] : [];
}
