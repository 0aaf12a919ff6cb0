// A client of ptxkit lsp, as an editor is one. The server runs in this process, or as the program in one of its own.

import { spawn } from "node:child_process";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { ExecutionContext } from "ava";
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from "vscode-languageserver-protocol/node";

import { nodeHost } from "../../cli/files/host.js";
import { runProgram } from "../../cli/program.js";

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

export interface LspClient {
  readonly connection: ProtocolConnection;
  readonly open: (uri: string, text: string) => Promise<void>;
  /** Replaces the whole text. */
  readonly change: (uri: string, version: number, text: string) => Promise<void>;
  /** The next diagnostics of a document, of that version or later. */
  readonly diagnostics: (uri: string, version: number) => Promise<PublishDiagnosticsParams>;
  /** All diagnostics received. */
  readonly published: readonly PublishDiagnosticsParams[];
  /** Shuts the server down, and returns its exit status. */
  readonly close: () => Promise<number | null>;
  /** Closes the connection without a request. */
  readonly hangUp: () => Promise<number | null>;
}

interface Server {
  /** The server's standard input and output, seen from here. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The exit status. */
  readonly exited: Promise<number | null>;
}

/** The program as a child process, which ends with the test, whatever becomes of it. */
export function serverProcess(t: ExecutionContext): Server {
  const child = spawn(process.execPath, [program, "lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  t.teardown(() => child.kill());
  return { stdin: child.stdin, stdout: child.stdout, exited: new Promise((resolve) => child.once("exit", resolve)) };
}

/** The command in this process, where it takes a third of the time to start. */
export function serverHere(t: ExecutionContext): Server {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  t.teardown(() => stdin.end());
  const exited = runProgram(["lsp"], { ...nodeHost(), connect: () => ({ input: stdin, output: stdout }) });
  return { stdin, stdout, exited };
}

/** Opens a session with a server. `folders` are the URIs of the folders that the editor has open. */
export async function startClient(
  t: ExecutionContext,
  folders: readonly string[] = [],
  server = serverHere(t),
): Promise<LspClient> {
  const { stdin, stdout, exited } = server;
  const connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
  const published: PublishDiagnosticsParams[] = [];
  const listeners = new Set<() => void>();
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    for (const listener of [...listeners]) listener();
  });
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    workspaceFolders: folders.map((uri) => ({ uri, name: uri })),
  });
  await connection.sendNotification(InitializedNotification.type, {});
  return {
    connection,
    published,
    open: (uri, text) =>
      connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri, languageId: "ptx", version: 1, text },
      }),
    change: (uri, version, text) =>
      connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      }),
    diagnostics: (uri, version) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = published.find((one) => one.uri === uri && (one.version ?? 0) >= version);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    async close() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      return exited;
    },
    hangUp() {
      stdin.end();
      return exited;
    },
  };
}

/** The text without its `|`, and the position of that. */
export function marked(text: string): { readonly text: string; readonly position: Position } {
  const at = text.indexOf("|");
  const before = text.slice(0, at).split("\n");
  const position = { line: before.length - 1, character: before.at(-1)!.length };
  return { text: text.slice(0, at) + text.slice(at + 1), position };
}
