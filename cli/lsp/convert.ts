// Converts types of lib/language to those of the protocol: kinds, ranges, diagnostics.

import type { TextDocument } from "vscode-languageserver-textdocument";
import {
  CompletionItemKind,
  CompletionItemTag,
  DiagnosticSeverity,
  SymbolKind,
  type CompletionItem,
  type Diagnostic as ProtocolDiagnostic,
  type DocumentSymbol,
  type Range,
} from "vscode-languageserver-protocol";
import { allNotes, noteText, type Diagnostic, type Place } from "../../lib/diag/diagnostic.js";
import type { Completion, CompletionKind } from "../../lib/language/completion.js";
import type { OutlineEntry } from "../../lib/language/outline.js";
import type { Ranged } from "../../lib/ptx/source-text.js";

export const rangeOf = (document: TextDocument, { start, end }: Ranged): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

// ------------------------------------------------------------------------------------------------------------ completion

const completionKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  opcode: CompletionItemKind.Keyword,
  modifier: CompletionItemKind.EnumMember,
  directive: CompletionItemKind.Keyword,
  "special register": CompletionItemKind.Constant,
  target: CompletionItemKind.EnumMember,
  kernel: CompletionItemKind.Function,
  function: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  parameter: CompletionItemKind.Field,
  register: CompletionItemKind.Variable,
  label: CompletionItemKind.Reference,
  prototype: CompletionItemKind.Interface,
  targets: CompletionItemKind.Reference,
};

export function completionItem({ text, kind, detail, isUnavailable }: Completion, range: Range): CompletionItem {
  return {
    label: text,
    kind: completionKinds[kind],
    textEdit: { range, newText: text },
    filterText: text,
    // Unavailable completions come last.
    sortText: `${isUnavailable === true ? "z" : kind === "special register" ? "m" : "a"}${text}`,
    ...(detail === undefined ? {} : { detail }),
    ...(isUnavailable === true ? { tags: [CompletionItemTag.Deprecated] } : {}),
  };
}

// --------------------------------------------------------------------------------------------------------------- outline

const symbolKinds: Readonly<Record<OutlineEntry["kind"], SymbolKind>> = {
  kernel: SymbolKind.Function,
  function: SymbolKind.Function,
  variable: SymbolKind.Variable,
  parameter: SymbolKind.Field,
  register: SymbolKind.Variable,
  label: SymbolKind.Key,
  prototype: SymbolKind.Interface,
  targets: SymbolKind.Array,
  "special register": SymbolKind.Constant,
};

export const documentSymbol = (document: TextDocument, entry: OutlineEntry): DocumentSymbol => ({
  name: entry.text,
  kind: symbolKinds[entry.kind],
  ...(entry.detail === "" ? {} : { detail: entry.detail }),
  range: rangeOf(document, entry),
  selectionRange: rangeOf(document, entry.selection),
  children: entry.children.map((child) => documentSymbol(document, child)),
});

// ----------------------------------------------------------------------------------------------------------- diagnostics

/** The data of a diagnostic that code actions need, stored in its `data`. */
export interface DiagnosticData {
  readonly replacements: readonly string[];
}

export function protocolDiagnostic(document: TextDocument, diagnostic: Diagnostic, name: string): ProtocolDiagnostic {
  const { code, severity, message, place, remedy, replacements } = diagnostic;
  const related = allNotes(diagnostic).flatMap((note) =>
    note.place === undefined
      ? []
      : [
          {
            location: { uri: document.uri, range: placeRange(document, note.place, name) },
            message: noteText(note),
          },
        ],
  );
  return {
    range: placeRange(document, place, name),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: "ptxkit",
    message: remedy === undefined ? message : `${message}\n${remedy}`,
    ...(related.length === 0 ? {} : { relatedInformation: related }),
    ...(replacements === undefined ? {} : { data: { replacements } satisfies DiagnosticData }),
  };
}

/** The range of a place; the document's first line if the place is not in its text. */
function placeRange(document: TextDocument, place: Place | undefined, name: string): Range {
  if (place?.kind === "text" && place.file === name) return rangeOf(document, place);
  const line = place?.kind === "line" && place.file === name ? place.line - 1 : 0;
  return { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
}
