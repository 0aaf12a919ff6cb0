// ptxkit lsp as an editor sees it, over two streams. One session is with the program as a child process.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import test from "ava";
import {
  CodeActionRequest,
  CompletionRequest,
  CompletionResolveRequest,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentSymbolRequest,
  HoverRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SemanticTokensRequest,
  type CompletionItem,
  type DocumentSymbol,
  type Location,
  type MarkupContent,
} from "vscode-languageserver-protocol/node";
import { marked, serverProcess, startClient } from "./lsp-client.js";

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const walk = fileURLToPath(new URL("../../../testdata/walk/", import.meta.url));
const scale = readFileSync(path.join(walk, "scale.ptx"), "utf8");
const uri = "file:///work/a.ptx";
const textDocument = { uri };

test.serial("diagnostics come with fixes, and disappear when the text is fixed", async (t) => {
  const client = await startClient(t);
  await client.open(uri, scale.replace("mul.f32", "mull.f32").replace("[data]", "[dta]"));
  const { diagnostics } = await client.diagnostics(uri, 1);
  t.deepEqual(
    diagnostics.map(({ code, range }) => [code, range.start.line, range.start.character, range.end.character]),
    [
      ["unknown-name", 10, 20, 23],
      ["unknown-instruction", 27, 1, 5],
    ],
  );
  const context = { diagnostics };
  const range = diagnostics[0]!.range;
  const actions = await client.connection.sendRequest(CodeActionRequest.type, { textDocument, range, context });
  t.deepEqual(
    actions?.map(({ title }) => title),
    ["Change 'dta' to 'data'", "Change 'mull' to 'mul'"],
  );
  await client.change(uri, 2, scale);
  t.deepEqual((await client.diagnostics(uri, 2)).diagnostics, []);
  t.is(await client.close(), 0);
});

test.serial("only the last of quick changes is checked", async (t) => {
  const client = await startClient(t);
  await client.open(uri, scale);
  await client.diagnostics(uri, 1);
  for (let version = 2; version <= 12; version++) await client.change(uri, version, scale + "x".repeat(version));
  const { diagnostics } = await client.diagnostics(uri, 12);
  t.is(diagnostics[0]?.code, "syntax");
  const versions = client.published.map(({ version }) => version!);
  t.true(versions.length <= 4, versions.join(" "));
  t.is(await client.close(), 0);
});

test.serial("hover, definition, references, highlights, outline, colours", async (t) => {
  const client = await startClient(t);
  const { text, position } = marked(scale.replace("mad.wide.u32 %a2", "mad.w|ide.u32 %a2"));
  await client.open(uri, text);
  const { connection } = client;
  const hover = await connection.sendRequest(HoverRequest.type, { textDocument, position });
  t.regex((hover!.contents as MarkupContent).value, /mad\.wide\.type d, a, b, c;/);
  const use = marked(scale.replace("[data]", "[da|ta]")).position;
  const definition = await connection.sendRequest(DefinitionRequest.type, { textDocument, position: use });
  t.deepEqual((definition as Location[])[0]?.range.start, { line: 7, character: 34 });
  const context = { includeDeclaration: true };
  const references = await connection.sendRequest(ReferencesRequest.type, { textDocument, position: use, context });
  t.is(references?.length, 2);
  const highlights = await connection.sendRequest(DocumentHighlightRequest.type, { textDocument, position: use });
  t.is(highlights?.length, 2);
  const outline = await connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
  t.deepEqual(
    (outline as DocumentSymbol[]).map(({ name }) => name),
    ["factor", "shape", "scale"],
  );
  const tokens = await connection.sendRequest(SemanticTokensRequest.type, { textDocument });
  t.true(tokens!.data.length > 100 && tokens!.data.length % 5 === 0);
  t.is(await client.close(), 0);
});

test.serial("completion of modifiers and names, with an opcode's forms when it is looked at", async (t) => {
  const client = await startClient(t);
  const { text, position } = marked(scale.replace("mul.f32 %f2", "mul.|f32 %f2"));
  await client.open(uri, text);
  const items = (await client.connection.sendRequest(CompletionRequest.type, {
    textDocument,
    position,
  })) as CompletionItem[];
  t.true(items.some(({ label }) => label === "wide"));
  t.deepEqual(items[0]!.textEdit, { newText: items[0]!.label, range: { start: position, end: position } });
  const resolved = await client.connection.sendRequest(CompletionResolveRequest.type, { label: "mul" });
  t.regex((resolved.documentation as MarkupContent).value, /mul\.wide/);
  t.is(await client.close(), 0);
});

test.serial("formatting gives one edit, or says why it cannot", async (t) => {
  const client = await startClient(t);
  const options = { tabSize: 2, insertSpaces: true };
  await client.open(uri, ".version 8.0\n.target sm_80\n.func f(){// why\nret;}\n");
  const edits = await client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options });
  t.deepEqual(
    edits?.map(({ newText }) => newText),
    [".version 8.0\n.target sm_80\n.func f()\n{ // why\n  ret;\n}\n"],
  );
  await client.change(uri, 2, ".version 8.0\n.target sm_80\n.func f(){ ret\n");
  await t.throwsAsync(client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options }), {
    message: /^not formatted: the file has a syntax error/,
  });
  t.is(await client.close(), 0);
});

test.serial("names are resolved and renamed across the files of a folder", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "lsp-"));
  try {
    cpSync(walk, folder, { recursive: true });
    mkdirSync(path.join(folder, "sub"));
    writeFileSync(path.join(folder, "sub/other.ptx"), ".version 8.0\n.target sm_80\n.global .f32 factor;\n");
    const client = await startClient(t, [pathToFileURL(folder).href]);
    const [own, table] = ["scale.ptx", "table.ptx"].map((name) => pathToFileURL(path.join(folder, name)).href);
    await client.open(own!, scale);
    const { connection } = client;
    const at = { textDocument: { uri: own! }, position: marked(scale.replace("[factor]", "[fac|tor]")).position };
    const definition = (await connection.sendRequest(DefinitionRequest.type, at)) as Location[];
    t.deepEqual(
      definition.map((one) => one.uri),
      [table],
    );
    const hover = await connection.sendRequest(HoverRequest.type, at);
    t.regex((hover!.contents as MarkupContent).value, /defined in .*table\.ptx:\d+/);
    const prepared = await connection.sendRequest(PrepareRenameRequest.type, at);
    t.is((prepared as { placeholder: string }).placeholder, "factor");
    const edit = await connection.sendRequest(RenameRequest.type, { ...at, newName: "weight" });
    t.deepEqual(Object.keys(edit!.changes!).sort(), [own, table].sort());
    await t.throwsAsync(connection.sendRequest(RenameRequest.type, { ...at, newName: "ld" }), {
      message: /'ld' is a word of PTX/,
    });
    t.is(await client.close(), 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.serial("NVVM IR gets diagnostics, too", async (t) => {
  const client = await startClient(t);
  const ir = "file:///work/a.ll";
  await client.open(ir, 'target triple = "nvptx64-nvidia-cuda"\n\n@g = global i99x 5\n');
  const { diagnostics } = await client.diagnostics(ir, 1);
  t.deepEqual(
    diagnostics.map(({ severity, range }) => [severity, range.start.line]),
    [[1, 2]],
  );
  t.is(await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri: ir }, position: { line: 2, character: 6 } }), null); // prettier-ignore
  t.is(await client.close(), 0);
});

test.serial("no text crashes the server", async (t) => {
  const client = await startClient(t);
  const texts = [
    "",
    "{".repeat(100_000),
    "\u0000\ud800é𝄞",
    "/*",
    '"',
    ".func f() {".repeat(500),
    scale.slice(0, 400),
    "@",
    ".reg .b32 %r<",
  ];
  await client.open(uri, "");
  const options = { tabSize: 4, insertSpaces: false };
  for (const [i, text] of texts.entries()) {
    await client.change(uri, i + 2, text);
    const position = { line: 0, character: Math.min(5, text.length) };
    await client.connection.sendRequest(HoverRequest.type, { textDocument, position });
    await client.connection.sendRequest(CompletionRequest.type, { textDocument, position });
    await client.connection.sendRequest(DefinitionRequest.type, { textDocument, position });
    await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
    await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument });
    await client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options }).catch(() => null);
    await client.diagnostics(uri, i + 2);
  }
  // An edit with positions outside of the text.
  await client.connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 50 },
    contentChanges: [{ range: { start: { line: 99, character: 9 }, end: { line: 999, character: 9 } }, text: scale }],
  });
  t.truthy(await client.diagnostics(uri, 50));
  t.is(await client.close(), 0);
});

test.serial("offsets after non-ASCII characters are UTF-16 units, as the editor counts", async (t) => {
  const client = await startClient(t);
  await client.open(uri, ".version 8.0\n.target sm_80\n// 𝄞 é\n/* é */ .global .u32 9;\n");
  const { diagnostics } = await client.diagnostics(uri, 1);
  const ranges = diagnostics.map(({ range: { start, end } }) => [start.line, start.character, end.character]);
  t.deepEqual(ranges.sort(), [
    [2, 3, 5],
    [3, 21, 22],
  ]);
  t.is(await client.close(), 0);
});

test.serial("the server exits with its client", async (t) => {
  const client = await startClient(t, [], serverProcess(t));
  await client.open(uri, scale);
  t.is(await client.hangUp(), 0);
  const child = spawn(process.execPath, [program, "lsp", "--stdio"], { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end('Content-Length: 43\r\n\r\n{"jsonrpc":"2.0","method":"exit","params":1}');
  t.not(await new Promise((resolve) => child.once("exit", resolve)), null);
});
