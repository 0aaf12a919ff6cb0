// The outline of a document: its functions and variables, and in functions the parameters, variables and labels.

import type { Ranged } from "../ptx/source-text.js";
import type { Statement } from "../ptx/tree.js";
import type { AnyFunction, LanguageDocument } from "./document.js";
import { declarationText } from "./hover.js";
import { moduleSymbols, type SymbolKind } from "./names.js";

export interface OutlineEntry extends Ranged {
  readonly text: string;
  readonly kind: SymbolKind;
  readonly detail: string;
  /** The range of the name. */
  readonly selection: Ranged;
  readonly children: readonly OutlineEntry[];
}

/** Largest document, in bytes, whose bodies are searched for labels and variables. */
const MAX_WITH_BODIES = 1 << 20;

export function outlineOf(document: LanguageDocument): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const withBodies = document.source.bytes.length <= MAX_WITH_BODIES;
  for (const { text, kind, declarations } of moduleSymbols(document).values()) {
    for (const declaration of declarations) {
      const { syntax, name } = declaration;
      const isFunction = syntax.kind === "function";
      const range = isFunction ? syntax.declaration : syntax.kind === "variable" ? syntax.declarator : name;
      entries.push({
        text,
        kind,
        detail: declarationText(declaration),
        start: range.start,
        end: Math.max(range.end, name.end),
        selection: { start: name.start, end: name.end },
        children: isFunction ? childrenOf(document, syntax.declaration, withBodies) : [],
      });
    }
  }
  return entries.sort((a, b) => a.start - b.start);
}

function childrenOf(document: LanguageDocument, declaration: AnyFunction, withBody: boolean): readonly OutlineEntry[] {
  const found: OutlineEntry[] = [];
  for (const among of [declaration.returns, declaration.parameters]) {
    for (const parameter of among) {
      const { name } = parameter.declarator;
      const syntax = { kind: "parameter" as const, parameter, among };
      add(found, name, parameter, "parameter", declarationText({ name, isDefinition: true, syntax }));
    }
  }
  const body = withBody ? document.bodyOf(declaration) : undefined;
  if (body !== undefined) addStatements(found, body.statements);
  return found;
}

function addStatements(found: OutlineEntry[], statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (statement.kind === "block") addStatements(found, statement.statements);
    else if (statement.kind === "label") add(found, statement.name, statement, "label", "");
    else if (statement.kind === "variable" && statement.type.space !== "reg") {
      for (const declarator of statement.declarators) {
        const syntax = { kind: "variable" as const, type: statement.type, declarator };
        const detail = declarationText({ name: declarator.name, isDefinition: true, syntax });
        add(found, declarator.name, declarator, statement.type.space === "param" ? "parameter" : "variable", detail);
      }
    }
  }
}

function add(
  found: OutlineEntry[],
  name: Ranged & { readonly text: string },
  range: Ranged,
  kind: SymbolKind,
  detail: string,
): void {
  if (name.text === "_" || name.text === "") return;
  const selection = { start: name.start, end: name.end };
  const { start } = range;
  found.push({ text: name.text, kind, detail, start, end: Math.max(range.end, name.end), selection, children: [] });
}
