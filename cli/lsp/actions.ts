// Code actions that apply a diagnostic's "did you mean".

import type { TextDocument } from "vscode-languageserver-textdocument";
import type { CodeAction, Diagnostic } from "vscode-languageserver-protocol";

/** One action for each replacement of a diagnostic; the likeliest is preferred. */
export function fixesFor(document: TextDocument, diagnostics: readonly Diagnostic[]): CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    const replacements = replacementsOf(diagnostic.data);
    return replacements.map((newText, i): CodeAction => {
      const { range } = diagnostic;
      return {
        title: `Change '${document.getText(range)}' to '${newText}'`,
        kind: "quickfix",
        diagnostics: [diagnostic],
        ...(i === 0 ? { isPreferred: true } : {}),
        edit: { changes: { [document.uri]: [{ range, newText }] } },
      };
    });
  });
}

/** Reads the replacements from a diagnostic's `data`. Clients should send it back unchanged, but may send anything. */
function replacementsOf(data: unknown): readonly string[] {
  const given = (data as { readonly replacements?: unknown } | null | undefined)?.replacements;
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
}
