// Code actions: a diagnostic's "did you mean", applied.

import type { TextDocument } from "vscode-languageserver-textdocument";
import type { CodeAction, Diagnostic } from "vscode-languageserver-protocol";

/** Of each diagnostic with replacements, one action for each, the likeliest preferred. */
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

/** The client sends back what it was sent, or anything else. */
function replacementsOf(data: unknown): readonly string[] {
  const given = (data as { readonly replacements?: unknown } | null | undefined)?.replacements;
  return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
}
