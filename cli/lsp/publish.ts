// Pushes diagnostics shortly after the last change of a document. They come from a thread of their own (checker.ts).

import type { CommonOptions } from "../options/common.js";
import { nvvmOptions } from "../options/nvvm-options.js";
import { warningOptions } from "../options/warnings.js";
import { fixesFor } from "./actions.js";
import { createChecker } from "./checker.js";
import { protocolDiagnostic } from "./convert.js";
import type { LanguageServer } from "./open-documents.js";

/** Milliseconds without a change after which a document is checked. */
const PAUSE = 150;

interface Publisher {
  readonly server: LanguageServer;
  readonly checker: ReturnType<typeof createChecker>;
  readonly timers: Map<string, NodeJS.Timeout>;
}

/** Checks documents when they are opened and changed; `close` of the result ends that. */
export function publishDiagnostics(server: LanguageServer, options: CommonOptions): { close(): Promise<void> } {
  const { connection, documents, parsed } = server;
  const checker = createChecker(jobOptions(options), (uri, error) => {
    connection.console.error(`checking ${uri} failed: ${error.message}`);
  });
  const timers = new Map<string, NodeJS.Timeout>();
  const publisher: Publisher = { server, checker, timers };
  /** Documents just opened, whose first change event is part of the opening. */
  const fresh = new Set<string>();
  documents.onDidOpen(({ document }) => {
    server.folders.changed();
    fresh.add(document.uri);
    schedule(publisher, document.uri, 0);
  });
  documents.onDidChangeContent(({ document: { uri } }) => {
    if (!fresh.delete(uri)) schedule(publisher, uri, PAUSE);
  });
  documents.onDidSave(() => server.folders.changed());
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    checker.cancel(uri);
    parsed.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });
  connection.onCodeAction(({ textDocument: { uri }, context }) => {
    const text = documents.get(uri);
    return text === undefined ? [] : fixesFor(text, context.diagnostics);
  });
  return {
    async close() {
      for (const timer of timers.values()) clearTimeout(timer);
      await checker.close();
    },
  };
}

function schedule(publisher: Publisher, uri: string, pause: number): void {
  const { checker, timers } = publisher;
  clearTimeout(timers.get(uri));
  checker.cancel(uri);
  timers.set(
    uri,
    setTimeout(() => void check(publisher, uri), pause),
  );
}

async function check({ server: { connection, documents }, checker }: Publisher, uri: string): Promise<void> {
  const document = documents.get(uri);
  if (document === undefined) return;
  const checked = document.version;
  const found = await checker.check(uri, document.getText());
  const now = documents.get(uri);
  if (found === undefined || now?.version !== checked) return;
  const diagnostics = found.map((one) => protocolDiagnostic(now, one, uri));
  await connection.sendDiagnostics({ uri, version: checked, diagnostics });
}

function jobOptions(options: CommonOptions): Parameters<typeof createChecker>[0] {
  const nvvm = nvvmOptions(options, true);
  return {
    sink: warningOptions(options.W ?? []),
    nvvm: typeof nvvm === "function" ? nvvm() : nvvm,
    ...(options.maxImageSize === undefined ? {} : { maxImageBytes: options.maxImageSize }),
    ...(options.assumeVersion === true ? { assumeVersion: true } : {}),
  };
}
