// A client of ptxkit debug: the Debug Adapter Protocol's own test client. The adapter runs in this process, or as the program in one of
// its own.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { ExecutionContext } from "ava";
import { nodeHost } from "../../cli/files/host.js";
import { runProgram } from "../../cli/program.js";

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** Milliseconds that an event may take: the machine may be busy. */
const PATIENCE = 100_000;

export type Stopped = DebugProtocol.StoppedEvent["body"];

export interface Debugging {
  readonly client: DebugClient;
  readonly folder: string;
  /** The absolute path of one of the files. */
  readonly file: (name: string) => string;
  /** Loads the configuration's program; afterwards breakpoints can be set. */
  readonly launch: (configuration: object) => Promise<void>;
  /** The stop event after a request. */
  readonly stopAfter: (request: () => Promise<unknown>) => Promise<Stopped>;
  readonly start: () => Promise<Stopped>;
  readonly go: () => Promise<Stopped>;
  readonly finish: (request: () => Promise<unknown>) => Promise<void>;
  readonly evaluate: (expression: string, context?: string) => Promise<string>;
  readonly threads: () => Promise<readonly string[]>;
  /** "function:line", the innermost first. */
  readonly stack: (threadId: number) => Promise<readonly string[]>;
  /** Variables of a scope of the innermost frame. */
  readonly scope: (threadId: number, name: string) => Promise<readonly DebugProtocol.Variable[]>;
  readonly break: (
    name: string,
    ...breakpoints: readonly (DebugProtocol.SourceBreakpoint | number)[]
  ) => Promise<readonly DebugProtocol.Breakpoint[]>;
  /** A request that the test client has no method for. */
  readonly ask: <T>(command: string, given: object) => Promise<T>;
  /** Console output of a category. */
  readonly output: (category: string) => string;
}

interface Connected {
  connect(output: NodeJS.ReadableStream, input: NodeJS.WritableStream): void;
}

/** The adapter's standard input and output, seen from here. */
interface Adapter {
  readonly stdin: Writable;
  readonly stdout: Readable;
  end(): void | Promise<unknown>;
}

/** The program as a child process. */
function adapterProcess(folder: string): Adapter {
  const child = spawn(process.execPath, [program, "debug"], { stdio: ["pipe", "pipe", "inherit"], cwd: folder });
  return { stdin: child.stdin, stdout: child.stdout, end: () => void child.kill() };
}

/** The command in this process, where it takes half of the time to start. */
function adapterHere(): Adapter {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = runProgram(["debug"], { ...nodeHost(), connect: () => ({ input: stdin, output: stdout }) });
  return { stdin, stdout, end: () => (stdin.end(), ended) };
}

/**
 * Starts a session on these files, in a folder of their own. The adapter ends with the test, whatever becomes of it. As a process it
 * runs in that folder; otherwise configurations name it (`cwd`).
 */
export async function startDebugger(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  isProcess = false,
): Promise<Debugging> {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-debug-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const adapter = isProcess ? adapterProcess(folder) : adapterHere();
  t.teardown(async () => {
    await adapter.end();
    rmSync(folder, { recursive: true });
  });
  const client = new DebugClient(process.execPath, program, "ptxkit");
  client.defaultTimeout = PATIENCE;
  // DebugClient's own start passes no arguments to the program.
  (client as unknown as Connected).connect(adapter.stdout, adapter.stdin);
  const said: DebugProtocol.OutputEvent["body"][] = [];
  client.on("output", (event: DebugProtocol.OutputEvent) => said.push(event.body));
  await client.initializeRequest();
  const file = (name: string): string => path.join(folder, name);
  const after = async <T>(event: string, request: () => Promise<unknown>): Promise<T> => {
    const [found] = await Promise.all([client.waitForEvent(event, PATIENCE), request()]);
    return found.body as T;
  };
  const stopAfter = (request: () => Promise<unknown>): Promise<Stopped> => after("stopped", request);
  return {
    client,
    folder,
    file,
    launch: (configuration) =>
      after("initialized", () => client.launchRequest(isProcess ? configuration : { cwd: folder, ...configuration })),
    stopAfter,
    start: () => stopAfter(() => client.configurationDoneRequest()),
    go: () => stopAfter(() => client.continueRequest({ threadId: 1 })),
    finish: (request) => after("terminated", request),
    evaluate: async (expression, context = "watch") =>
      (await client.evaluateRequest({ expression, context })).body.result,
    threads: async () => (await client.threadsRequest()).body.threads.map(({ name }) => name),
    stack: async (threadId) =>
      (await client.stackTraceRequest({ threadId })).body.stackFrames.map(({ name, line }) => `${name}:${line}`),
    async scope(threadId, name) {
      const { stackFrames } = (await client.stackTraceRequest({ threadId })).body;
      const { scopes } = (await client.scopesRequest({ frameId: stackFrames[0]!.id })).body;
      const { variablesReference } = scopes.find((each) => each.name === name)!;
      return (await client.variablesRequest({ variablesReference })).body.variables;
    },
    break: async (name, ...breakpoints) =>
      (
        await client.setBreakpointsRequest({
          source: { path: file(name) },
          breakpoints: breakpoints.map((each) => (typeof each === "number" ? { line: each } : each)),
        })
      ).body.breakpoints,
    ask: async <T>(command: string, given: object) => (await client.customRequest(command, given)).body as T,
    output: (category) =>
      said
        .filter((each) => each.category === category)
        .map((each) => each.output)
        .join(""),
  };
}
