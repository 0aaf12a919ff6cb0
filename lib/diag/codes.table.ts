// Every code a Diagnostic can carry: its severity, a title, and a longer explanation. Grouped by the stage that reports
// it. Warnings can be raised to errors; errors can never be lowered, because they leave nothing to go on with.

interface CodeRow {
  readonly severity: "error" | "warning";
  readonly title: string;
  readonly explanation: string;
}

const table = {
  // files
  "unknown-format": {
    severity: "error",
    title: "the file is of no known format",
    explanation:
      "Inputs are recognised by content: PTX text begins with .version (after comments), an object with the ELF magic.",
  },
  "malformed-file": {
    severity: "error",
    title: "a binary file contradicts itself",
    explanation: "A count, size or offset in the file points outside it or at something of another kind.",
  },
  // ptx: lexing and parsing
  syntax: {
    severity: "error",
    title: "the text is not PTX here",
    explanation: "The PTX grammar allows something else at this place; the message names what was expected.",
  },
} as const satisfies Record<string, CodeRow>;

export type CodeName = keyof typeof table;

export const codes: { readonly [Name in CodeName]: CodeRow } = table;
