// The language server: the connection to one client, and the server's capabilities. Positions are UTF-16 on both sides.

import { createConnection, TextDocumentSyncKind, type InitializeResult } from "vscode-languageserver";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import type { CommonOptions } from "../options/common.js";
import type { Host } from "../files/host.js";
import { version } from "../version.js";
import { answerEdits } from "./answer-edits.js";
import { answerQueries } from "./answer-queries.js";
import { createFolders, pathOf } from "./folder.js";
import { createLanguageServer, openDocuments, type LanguageServer } from "./open-documents.js";
import { publishDiagnostics } from "./publish.js";
import { legend } from "./tokens.js";

/** Serves one client; resolves to the exit status that the protocol requires. */
export async function serve(options: CommonOptions, host: Host): Promise<number> {
  const { input, output } = host.connect();
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => (end = resolve));
  // Does not call process.exit: the command line ends the process.
  const watchDog = { shutdownReceived: false, initialize: () => {}, exit: (code: number) => end(code) };
  const connection = createConnection(
    (logger) => createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
    watchDog,
  );
  input.on("end", () => end(0));
  input.on("close", () => end(0));
  const server = createLanguageServer(connection, host);
  answerLifecycle(server);
  const diagnostics = publishDiagnostics(server, options);
  answerQueries(server);
  answerEdits(server);
  server.documents.listen(connection);
  connection.listen();
  const code = await ended;
  await diagnostics.close();
  connection.dispose();
  input.destroy();
  return code;
}

function answerLifecycle(server: LanguageServer): void {
  const { connection, host } = server;
  connection.onInitialize((params): InitializeResult => {
    const uris = params.workspaceFolders?.map(({ uri }) => uri) ?? [];
    const roots = uris.flatMap((uri) => pathOf(uri) ?? []);
    server.folders = createFolders(roots, host, () => openDocuments(server));
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
  connection.onDidChangeWatchedFiles(() => server.folders.changed());
}
