// Requests that read: hover, navigation, outline, completion, tokens.

import type { Hover, HoverParams } from "vscode-languageserver";
import { completionsAt } from "../../lib/language/completion.js";
import { hoverAt, opcodeText } from "../../lib/language/hover.js";
import { definitionsAt, isShared, referencesAt, sharedSymbol } from "../../lib/language/navigate.js";
import { outlineOf } from "../../lib/language/outline.js";
import { completionItem, documentSymbol, rangeOf } from "./convert.js";
import { pathOf } from "./folder.js";
import { answerAt, documentOf, otherDocuments, locationOf, type LanguageServer } from "./open-documents.js";
import { semanticTokens } from "./tokens.js";

export function answerQueries(server: LanguageServer): void {
  answerNavigation(server);
  answerCompletion(server);
  answerTokens(server);
}

function answerNavigation(server: LanguageServer): void {
  const { connection } = server;
  connection.onHover((params) => hover(server, params));
  connection.onDefinition((params) =>
    answerAt(server, params, (ptx, offset) =>
      definitionsAt(ptx, offset, otherDocuments(server, ptx)).map((one) => locationOf(server, one)),
    ),
  );
  connection.onReferences((params) =>
    answerAt(server, params, (ptx, offset) =>
      referencesAt(ptx, offset, params.context.includeDeclaration, otherDocuments(server, ptx)).map((one) =>
        locationOf(server, one),
      ),
    ),
  );
  connection.onDocumentHighlight((params) =>
    answerAt(server, params, (ptx, offset, text) =>
      referencesAt(ptx, offset, true, () => []).map((one) => ({ range: rangeOf(text, one) })),
    ),
  );
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const found = documentOf(server, uri);
    return found === undefined ? null : outlineOf(found.ptx).map((entry) => documentSymbol(found.text, entry));
  });
}

/** Describes the name at a position. For a symbol that modules share, also lists where other modules define it. */
const hover = (server: LanguageServer, params: HoverParams): Hover | null =>
  answerAt(server, params, (ptx, offset, text): Hover | null => {
    const found = hoverAt(ptx, offset, (symbol) => {
      if (!isShared(symbol)) return [];
      return Array.from(otherDocuments(server, ptx)(symbol.text)).flatMap((other) => {
        const theirs = sharedSymbol(other, symbol.text);
        const definition = theirs?.declarations.find(({ isDefinition }) => isDefinition);
        if (definition === undefined) return [];
        const { range } = locationOf(server, { document: other, ...definition.name });
        return [`defined in ${pathOf(other.name) ?? other.name}:${range.start.line + 1}`];
      });
    });
    return found === undefined
      ? null
      : { contents: { kind: "markdown", value: found.markdown }, range: rangeOf(text, found) };
  });

function answerCompletion(server: LanguageServer): void {
  server.connection.onCompletion((params) =>
    answerAt(server, params, (ptx, offset, text) => {
      const { start, items } = completionsAt(ptx, offset);
      const range = rangeOf(text, { start, end: offset });
      return items.map((one) => completionItem(one, range));
    }),
  );
  server.connection.onCompletionResolve((item) => {
    const documentation = opcodeText(item.label);
    return documentation === undefined ? item : { ...item, documentation: { kind: "markdown", value: documentation } };
  });
}

function answerTokens(server: LanguageServer): void {
  const { semanticTokens: tokens } = server.connection.languages;
  tokens.on(({ textDocument: { uri } }) => {
    const found = documentOf(server, uri);
    return { data: found === undefined ? [] : semanticTokens(found.ptx, found.text) };
  });
  tokens.onRange(({ textDocument: { uri }, range }) => {
    const found = documentOf(server, uri);
    if (found === undefined) return { data: [] };
    const [start, end] = [found.text.offsetAt(range.start), found.text.offsetAt(range.end)];
    return { data: semanticTokens(found.ptx, found.text, { start, end }) };
  });
}
