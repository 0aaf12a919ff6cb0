// Semantic tokens in the protocol's form: five numbers each, relative to the previous token.

import type { TextDocument } from "vscode-languageserver-textdocument";
import type { SemanticTokensLegend } from "vscode-languageserver-protocol";
import type { LanguageDocument } from "../../lib/language/document.js";
import { nameTokens, type NameToken } from "../../lib/language/tokens.js";
import type { Ranged } from "../../lib/ptx/source-text.js";

const types: Readonly<Record<NameToken["kind"], string>> = {
  kernel: "function",
  function: "function",
  variable: "variable",
  parameter: "parameter",
  register: "property",
  label: "label",
  prototype: "interface",
  targets: "label",
  "special register": "macro",
};

const tokenTypes = [...new Set(Object.values(types))];

export const legend: SemanticTokensLegend = { tokenTypes, tokenModifiers: ["declaration"] };

export function semanticTokens(ptx: LanguageDocument, text: TextDocument, range?: Ranged): number[] {
  const data: number[] = [];
  let line = 0;
  let column = 0;
  for (const { start, end, kind, isDeclaration } of nameTokens(ptx, range)) {
    const at = text.positionAt(start);
    const sameLine = at.line === line;
    data.push(at.line - line, sameLine ? at.character - column : at.character, end - start);
    data.push(tokenTypes.indexOf(types[kind]), isDeclaration ? 1 : 0);
    line = at.line;
    column = at.character;
  }
  return data;
}
