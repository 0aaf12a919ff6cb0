// Times and memory of ptxkit lsp for a module of 5 MB. Run by hand: node dist/test/cli/lsp-large.js

import { readFileSync } from "node:fs";
import {
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  HoverRequest,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ReferencesRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const functions = 100;
const pairs = 900;
const pair = "\tadd.s32 %r3, %r1, %r2;\n\tld.global.u32 %r1, [%rd1+16];\n";
const one = (i: number): string =>
  `.visible .entry k${i}(.param .u64 p)\n{\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<2>;\n\tld.param.u64 %rd1, [p];\n` +
  `\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %tid.x;\n${pair.repeat(pairs)}\tret;\n}\n`;
const text = `.version 8.5\n.target sm_90\n.address_size 64\n${Array.from({ length: functions }, (_, i) => one(i)).join("")}`;
const lines = text.split("\n").length;

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const child = spawn(process.execPath, [program, "lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = createProtocolConnection(
  new StreamMessageReader(child.stdout),
  new StreamMessageWriter(child.stdin),
);
const uri = "file:///large.ptx";
const textDocument = { uri };
const position = { line: lines - 20, character: 11 };

const memory = (): string =>
  `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024)} MB`;

async function time(what: string, work: () => Promise<unknown>): Promise<void> {
  const before = performance.now();
  await work();
  process.stdout.write(`${what.padEnd(32)}${(performance.now() - before).toFixed(0).padStart(7)} ms  ${memory()}\n`);
}

const diagnosed = (version: number): Promise<void> =>
  new Promise((resolve) => {
    connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      if (params.version === version) resolve();
    });
  });

connection.listen();
await connection.sendRequest(InitializeRequest.type, { processId: null, rootUri: null, capabilities: {} });
process.stdout.write(`${(text.length / 1e6).toFixed(1)} MB, ${lines} lines\n`);
await time("open to first diagnostics", async () => {
  const done = diagnosed(1);
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "ptx", version: 1, text },
  });
  await time("hover meanwhile", () => connection.sendRequest(HoverRequest.type, { textDocument, position }));
  await done;
});
await time("hover", () => connection.sendRequest(HoverRequest.type, { textDocument, position }));
await time("definition", () => connection.sendRequest(DefinitionRequest.type, { textDocument, position }));
const context = { includeDeclaration: true };
await time("references", () => connection.sendRequest(ReferencesRequest.type, { textDocument, position, context }));
await time("outline", () => connection.sendRequest(DocumentSymbolRequest.type, { textDocument }));
await time("edit and completion", async () => {
  await connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: position, end: position }, text: "x" }],
  });
  await connection.sendRequest(CompletionRequest.type, { textDocument, position });
});
await time("edit to diagnostics", () => diagnosed(2));
const options = { tabSize: 4, insertSpaces: false };
await time("formatting", () =>
  connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options }).catch(() => undefined),
);
child.kill();
