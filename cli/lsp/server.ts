// The language server: the protocol's requests to functions of lib/language. Positions are UTF-16 on both sides. Diagnostics
// are pushed a moment after the last change, from a thread of their own (checker.ts).

import {
  createConnection,
  ErrorCodes,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  type Location,
  type TextDocumentPositionParams,
  type WorkspaceEdit,
} from "vscode-languageserver";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { completionsAt } from "../../lib/language/completion.js";
import { openDocument, type LanguageDocument } from "../../lib/language/document.js";
import { formatDocument } from "../../lib/language/format.js";
import { hoverAt, opcodeText } from "../../lib/language/hover.js";
import {
  definitionsAt,
  referencesAt,
  renamableAt,
  renameAt,
  isShared,
  sharedSymbol,
  type Location as Found,
} from "../../lib/language/navigate.js";
import { outlineOf } from "../../lib/language/outline.js";
import { isNvvm } from "../../lib/nvvm/recognise.js";
import type { CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import { nvvmOptions } from "../nvvm-options.js";
import { version } from "../version.js";
import { warningOptions } from "../warnings.js";
import { fixesFor } from "./actions.js";
import { createChecker } from "./checker.js";
import { completionItem, documentSymbol, protocolDiagnostic, rangeOf } from "./convert.js";
import { createFolders, pathOf, type Folders } from "./folder.js";
import { legend, semanticTokens } from "./tokens.js";

/** Milliseconds without a change before a document is checked. */
const PAUSE = 150;

/** Serves one client; the exit status that the protocol asks for. */
export async function serve(options: CommonOptions, host: Host): Promise<number> {
  const { input, output } = host.connect();
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => (end = resolve));
  // No process.exit: that is the command line's to do.
  const watchDog = { shutdownReceived: false, initialize: () => {}, exit: (code: number) => end(code) };
  const connection = createConnection(
    (logger) => createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
    watchDog,
  );
  input.on("end", () => end(0));
  input.on("close", () => end(0));
  const server = createServer(connection, options, host);
  connection.listen();
  const code = await ended;
  await server.close();
  connection.dispose();
  input.destroy();
  return code;
}

function createServer(connection: Connection, options: CommonOptions, host: Host): { close(): Promise<void> } {
  const documents = new TextDocuments(TextDocument);
  const opened = new Map<string, { readonly version: number; readonly document: LanguageDocument }>();
  /** Opened just now. */
  const fresh = new Set<string>();
  const timers = new Map<string, NodeJS.Timeout>();
  const checker = createChecker(jobOptions(options), (uri, error) => {
    connection.console.error(`checking ${uri} failed: ${error.message}`);
  });
  let folders: Folders = createFolders([], host, openDocuments);

  /** The document as it is now; undefined of one that is not open, or that is NVVM IR. */
  function documentOf(uri: string): { readonly text: TextDocument; readonly ptx: LanguageDocument } | undefined {
    const text = documents.get(uri);
    if (text === undefined) return undefined;
    const known = opened.get(uri);
    const ptx = known?.version === text.version ? known.document : openDocument(uri, text.getText());
    opened.set(uri, { version: text.version, document: ptx });
    return isNvvm(ptx.source.bytes) ? undefined : { text, ptx };
  }

  function openDocuments(): ReadonlyMap<string, LanguageDocument> {
    const all = documents.all().map(({ uri }) => [uri, documentOf(uri)?.ptx] as const);
    return new Map(all.filter((one): one is readonly [string, LanguageDocument] => one[1] !== undefined));
  }

  const others = (current: string) => (text: string) => folders.mentioning(text, current);

  /** Answers a request at a position with what a function says; null where there is no document. */
  function at<T>(
    { textDocument: { uri }, position }: TextDocumentPositionParams,
    answer: (ptx: LanguageDocument, offset: number, text: TextDocument) => T,
  ): T | null {
    const found = documentOf(uri);
    return found === undefined ? null : answer(found.ptx, found.text.offsetAt(position), found.text);
  }

  /** A place in any document, open or not. */
  function locationOf({ document, start, end }: Found): Location {
    const text = documents.get(document.name) ?? textOf(document);
    return { uri: document.name, range: rangeOf(text, { start, end }) };
  }

  // ----------------------------------------------------------------------------------------------------------- lifecycle

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    const uris = params.workspaceFolders?.map(({ uri }) => uri) ?? [];
    const roots = uris.flatMap((uri) => pathOf(uri) ?? []);
    folders = createFolders(roots, host, openDocuments);
    return {
      serverInfo: { name: "ptxkit", version: version() },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        documentSymbolProvider: true,
        completionProvider: { triggerCharacters: [".", "%", "@"], resolveProvider: true },
        renameProvider: { prepareProvider: true },
        documentFormattingProvider: true,
        codeActionProvider: { codeActionKinds: ["quickfix"] },
        semanticTokensProvider: { legend, full: true, range: true },
        workspace: { workspaceFolders: { supported: true } },
      },
    };
  });
  connection.onDidChangeWatchedFiles(() => folders.changed());

  // --------------------------------------------------------------------------------------------------------- diagnostics

  documents.onDidOpen(({ document }) => {
    folders.changed();
    fresh.add(document.uri);
    schedule(document.uri, 0);
  });
  // Opening a document also fires this event.
  documents.onDidChangeContent(({ document: { uri } }) => {
    if (!fresh.delete(uri)) schedule(uri, PAUSE);
  });
  documents.onDidSave(() => folders.changed());
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    checker.cancel(uri);
    opened.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  function schedule(uri: string, pause: number): void {
    clearTimeout(timers.get(uri));
    checker.cancel(uri);
    timers.set(
      uri,
      setTimeout(() => void check(uri), pause),
    );
  }

  async function check(uri: string): Promise<void> {
    const document = documents.get(uri);
    if (document === undefined) return;
    const checked = document.version;
    const found = await checker.check(uri, document.getText());
    const now = documents.get(uri);
    if (found === undefined || now?.version !== checked) return;
    const diagnostics = found.map((one) => protocolDiagnostic(now, one, uri));
    await connection.sendDiagnostics({ uri, version: checked, diagnostics });
  }

  connection.onCodeAction(({ textDocument: { uri }, context }) => {
    const text = documents.get(uri);
    return text === undefined ? [] : fixesFor(text, context.diagnostics);
  });

  // ----------------------------------------------------------------------------------------------------------- questions

  connection.onHover((params) =>
    at(params, (ptx, offset, text) => {
      const hover = hoverAt(ptx, offset, (symbol) => {
        if (!isShared(symbol)) return [];
        return [...others(ptx.name)(symbol.text)].flatMap((other) => {
          const theirs = sharedSymbol(other, symbol.text);
          const definition = theirs?.declarations.find(({ isDefinition }) => isDefinition);
          if (definition === undefined) return [];
          const { range } = locationOf({ document: other, ...definition.name });
          return [`defined in ${pathOf(other.name) ?? other.name}:${range.start.line + 1}`];
        });
      });
      return hover && { contents: { kind: "markdown", value: hover.markdown }, range: rangeOf(text, hover) };
    }),
  );

  connection.onDefinition((params) =>
    at(params, (ptx, offset) => definitionsAt(ptx, offset, others(ptx.name)).map(locationOf)),
  );

  connection.onReferences((params) =>
    at(params, (ptx, offset) =>
      referencesAt(ptx, offset, params.context.includeDeclaration, others(ptx.name)).map(locationOf),
    ),
  );

  connection.onDocumentHighlight((params) =>
    at(params, (ptx, offset, text) =>
      referencesAt(ptx, offset, true, () => []).map((one) => ({ range: rangeOf(text, one) })),
    ),
  );

  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const found = documentOf(uri);
    return found === undefined ? null : outlineOf(found.ptx).map((entry) => documentSymbol(found.text, entry));
  });

  connection.onCompletion((params) =>
    at(params, (ptx, offset, text) => {
      const { start, items } = completionsAt(ptx, offset);
      const range = rangeOf(text, { start, end: offset });
      return items.map((one) => completionItem(one, range));
    }),
  );

  connection.onCompletionResolve((item) => {
    const documentation = opcodeText(item.label);
    return documentation === undefined ? item : { ...item, documentation: { kind: "markdown", value: documentation } };
  });

  // --------------------------------------------------------------------------------------------------------------- edits

  connection.onPrepareRename((params) =>
    at(params, (ptx, offset, text) => {
      const found = renamableAt(ptx, offset);
      if (typeof found === "string") throw new ResponseError(ErrorCodes.InvalidRequest, found);
      return { range: rangeOf(text, found.range), placeholder: found.symbol.text };
    }),
  );

  connection.onRenameRequest((params) =>
    at(params, (ptx, offset): WorkspaceEdit => {
      const result = renameAt(ptx, offset, params.newName, others(ptx.name));
      if (result.kind === "refused") throw new ResponseError(ErrorCodes.InvalidRequest, result.why);
      const changes: NonNullable<WorkspaceEdit["changes"]> = {};
      for (const edit of result.edits) {
        const { uri, range } = locationOf(edit);
        (changes[uri] ??= []).push({ range, newText: params.newName });
      }
      return { changes };
    }),
  );

  connection.onDocumentFormatting(({ textDocument: { uri }, options: { insertSpaces, tabSize } }) => {
    const found = documentOf(uri);
    if (found === undefined) return null;
    const result = formatDocument(found.ptx, insertSpaces ? { indent: " ".repeat(Math.min(tabSize, 16)) } : {});
    if (result.kind === "refused") throw new ResponseError(ErrorCodes.InvalidRequest, `not formatted: ${result.why}`);
    if (result.text === found.ptx.text) return [];
    return [{ range: rangeOf(found.text, { start: 0, end: found.ptx.text.length }), newText: result.text }];
  });

  connection.languages.semanticTokens.on(({ textDocument: { uri } }) => {
    const found = documentOf(uri);
    return { data: found === undefined ? [] : semanticTokens(found.ptx, found.text) };
  });
  connection.languages.semanticTokens.onRange(({ textDocument: { uri }, range }) => {
    const found = documentOf(uri);
    if (found === undefined) return { data: [] };
    const [start, end] = [found.text.offsetAt(range.start), found.text.offsetAt(range.end)];
    return { data: semanticTokens(found.ptx, found.text, { start, end }) };
  });

  documents.listen(connection);
  return {
    async close() {
      for (const timer of timers.values()) clearTimeout(timer);
      await checker.close();
    },
  };
}

/** The text of a document that is not open, for its lines; kept with it. */
function textOf(document: LanguageDocument): TextDocument {
  const known = texts.get(document);
  if (known !== undefined) return known;
  const text = TextDocument.create(document.name, "ptx", 0, document.text);
  texts.set(document, text);
  return text;
}

const texts = new WeakMap<LanguageDocument, TextDocument>();

function jobOptions(options: CommonOptions): Parameters<typeof createChecker>[0] {
  const nvvm = nvvmOptions(options, true);
  return {
    sink: warningOptions(options.W ?? []),
    nvvm: typeof nvvm === "function" ? nvvm() : nvvm,
    ...(options.maxImageSize === undefined ? {} : { maxImageBytes: options.maxImageSize }),
    ...(options.assumeVersion === true ? { assumeVersion: true } : {}),
  };
}
