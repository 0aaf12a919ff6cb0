// Requests that change a text: rename and formatting.

import { ErrorCodes, ResponseError, type WorkspaceEdit } from "vscode-languageserver";
import { formatDocument } from "../../lib/language/format.js";
import { renamableAt, renameAt } from "../../lib/language/navigate.js";
import { rangeOf } from "./convert.js";
import { answerAt, documentOf, otherDocuments, locationOf, type LanguageServer } from "./open-documents.js";

/** Limit of spaces for an indent. */
const MAX_INDENT = 16;

export function answerEdits(server: LanguageServer): void {
  const { connection } = server;
  connection.onPrepareRename((params) =>
    answerAt(server, params, (ptx, offset, text) => {
      const found = renamableAt(ptx, offset);
      if (typeof found === "string") throw new ResponseError(ErrorCodes.InvalidRequest, found);
      return { range: rangeOf(text, found.range), placeholder: found.symbol.text };
    }),
  );
  connection.onRenameRequest((params) =>
    answerAt(server, params, (ptx, offset): WorkspaceEdit => {
      const result = renameAt(ptx, offset, params.newName, otherDocuments(server, ptx));
      if (result.kind === "refused") throw new ResponseError(ErrorCodes.InvalidRequest, result.why);
      const changes: NonNullable<WorkspaceEdit["changes"]> = {};
      for (const edit of result.edits) {
        const { uri, range } = locationOf(server, edit);
        (changes[uri] ??= []).push({ range, newText: params.newName });
      }
      return { changes };
    }),
  );
  connection.onDocumentFormatting(({ textDocument: { uri }, options: { insertSpaces, tabSize } }) => {
    const found = documentOf(server, uri);
    if (found === undefined) return null;
    const indent = insertSpaces ? { indent: " ".repeat(Math.min(tabSize, MAX_INDENT)) } : {};
    const result = formatDocument(found.ptx, indent);
    if (result.kind === "refused") throw new ResponseError(ErrorCodes.InvalidRequest, `not formatted: ${result.why}`);
    if (result.text === found.ptx.text) return [];
    return [{ range: rangeOf(found.text, { start: 0, end: found.ptx.text.length }), newText: result.text }];
  });
}
