// Finds labels of a module's code as places in its encoded functions, for DWARF that refers to them, and makes the line program
// of its `.loc` lines (debug-line.ts), to which DW_AT_stmt_list refers and which ptxas makes as well. The encoder provides the
// places of functions with `.loc` lines; other functions, and those of objects, are decoded for them.

import type { CheckedModule } from "../../check/module.js";
import { codePlaces, type CodePlaces, type PlacedCode } from "../code/code-places.js";
import { decodeFunction } from "../code/decode.js";
import { LINE_SECTION, lineProgram } from "./debug-line.js";
import { createDebugEncoder, encodeDebugSection, type CodePlace, type DebugSection } from "./debug-sections.js";

/** An encoded function. */
interface EncodedFunction {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly places?: CodePlaces | undefined;
}

/** The debug sections of a module. `functions`: its functions in the order of their declaration. */
export function debugSectionsOf(
  { debugSections, files }: Pick<CheckedModule, "debugSections" | "files">,
  functions: readonly EncodedFunction[],
): readonly DebugSection[] {
  if (debugSections.length === 0) return [];
  const labels = new Map<string, CodePlace>();
  const placed = labelled(functions, labels);
  const hasLines = debugSections.some(({ name }) => name === LINE_SECTION);
  const made = hasLines ? undefined : lineProgram(files, placed);
  // All functions must be visited before their labels are known.
  if (hasLines) for (const each of placed) void each;
  const placeOf = (name: string): CodePlace | undefined => labels.get(name);
  const own = debugSections.map(createDebugEncoder(0, { placeOf }));
  if (made === undefined) return own;
  return [
    encodeDebugSection(made, 0, { placeOf: (name) => ({ function: name, offset: 0 }), isGenerated: true }),
    ...own,
  ];
}

/** Yields the functions with their places, and adds their labels to `labels`. */
function* labelled(
  functions: readonly EncodedFunction[],
  labels: Map<string, CodePlace>,
): Generator<PlacedCode, void, undefined> {
  for (const each of placedFunctions(functions)) {
    for (const { name, offset } of each.labels)
      if (!labels.has(name)) labels.set(name, { function: each.name, offset });
    yield each;
  }
}

/**
 * Yields the functions with their places, one at a time: decoded code takes many times its bytes. Unreadable functions are
 * omitted: running them reports the error.
 */
export function* placedFunctions(functions: Iterable<EncodedFunction>): Generator<PlacedCode, void, undefined> {
  for (const { name, bytes, places = decodedPlaces(bytes) } of functions)
    if (places !== undefined) yield { name, ...places };
}

function decodedPlaces(bytes: Uint8Array): CodePlaces | undefined {
  const starts: number[] = [];
  const decoded = decodeFunction(bytes, 0, (at) => void starts.push(at));
  return decoded.value && codePlaces(decoded.value.code, starts, 0);
}
