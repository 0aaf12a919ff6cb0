// The documents that a client has open, parsed in their current version, and those of its folders.

import { TextDocuments, type Connection, type Location, type TextDocumentPositionParams } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { openDocument, type LanguageDocument } from "../../lib/language/document.js";
import type { Location as Found } from "../../lib/language/navigate.js";
import { isNvvm } from "../../lib/nvvm/recognise.js";
import type { Host } from "../files/host.js";
import { rangeOf } from "./convert.js";
import { createFolders, type Folders } from "./folder.js";

/** The state from which requests are answered. */
export interface LanguageServer {
  readonly connection: Connection;
  readonly host: Host;
  readonly documents: TextDocuments<TextDocument>;
  /** Documents by URI, as last parsed. */
  readonly parsed: Map<string, { readonly version: number; readonly document: LanguageDocument }>;
  /** Files of the workspace; replaced when the client names its folders. */
  folders: Folders;
}

export function createLanguageServer(connection: Connection, host: Host): LanguageServer {
  const server: LanguageServer = {
    connection,
    host,
    documents: new TextDocuments(TextDocument),
    parsed: new Map(),
    folders: createFolders([], host, () => openDocuments(server)),
  };
  return server;
}

export interface ParsedDocument {
  readonly text: TextDocument;
  readonly ptx: LanguageDocument;
}

/** The current document; undefined if it is not open, or is NVVM IR. */
export function documentOf({ documents, parsed }: LanguageServer, uri: string): ParsedDocument | undefined {
  const text = documents.get(uri);
  if (text === undefined) return undefined;
  const known = parsed.get(uri);
  const ptx = known?.version === text.version ? known.document : openDocument(uri, text.getText());
  parsed.set(uri, { version: text.version, document: ptx });
  return isNvvm(ptx.source.bytes) ? undefined : { text, ptx };
}

export function openDocuments(server: LanguageServer): ReadonlyMap<string, LanguageDocument> {
  const open = new Map<string, LanguageDocument>();
  for (const { uri } of server.documents.all()) {
    const found = documentOf(server, uri);
    if (found !== undefined) open.set(uri, found.ptx);
  }
  return open;
}

/** Other documents of the folders that mention a text. */
export const otherDocuments =
  ({ folders }: LanguageServer, { name }: LanguageDocument) =>
  (text: string): Iterable<LanguageDocument> =>
    folders.mentioning(text, name);

/** Answers a request at a position; null if there is no document. */
export function answerAt<T>(
  server: LanguageServer,
  { textDocument: { uri }, position }: TextDocumentPositionParams,
  answer: (ptx: LanguageDocument, offset: number, text: TextDocument) => T,
): T | null {
  const found = documentOf(server, uri);
  return found === undefined ? null : answer(found.ptx, found.text.offsetAt(position), found.text);
}

/** A range of any document, open or not. */
export function locationOf({ documents }: LanguageServer, { document, start, end }: Found): Location {
  const text = documents.get(document.name) ?? textOf(document);
  return { uri: document.name, range: rangeOf(text, { start, end }) };
}

/** The text of a document that is not open, for its lines; cached with the document. */
function textOf(document: LanguageDocument): TextDocument {
  const known = texts.get(document);
  if (known !== undefined) return known;
  const text = TextDocument.create(document.name, "ptx", 0, document.text);
  texts.set(document, text);
  return text;
}

const texts = new WeakMap<LanguageDocument, TextDocument>();
