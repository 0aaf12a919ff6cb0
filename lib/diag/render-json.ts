// Diagnostics for programs: one JSON document with every diagnostic in the order found, keys in a fixed order. Nothing is
// limited or shortened here, and nothing escaped beyond what JSON asks.

import { allNotes, type Diagnostic, type Note } from "./diagnostic.js";

/** `{"diagnostics": [...]}`, ended with a line feed. Lines and columns count from 1, offsets in bytes from 0. */
export function renderJson(diagnostics: readonly Diagnostic[]): string {
  return `${JSON.stringify({ diagnostics: diagnostics.map(describe) }, undefined, 2)}\n`;
}

function describe(diagnostic: Diagnostic): object {
  const { code, severity, raised, message, place, remedy } = diagnostic;
  return {
    severity,
    ...(raised && { raised }),
    code,
    message,
    ...(place && { place }),
    notes: allNotes(diagnostic).map(describeNote),
    ...(remedy && { remedy }),
  };
}

function describeNote({ message, place }: Note): object {
  return { message, ...(place && { place }) };
}
