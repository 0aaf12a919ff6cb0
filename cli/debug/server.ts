// The Debug Adapter Protocol over two streams. This thread only reads and writes messages. The thread that runs kernels
// (debug-worker.ts) answers all requests, so that a client is heard even while that thread is busy.

import { MessageChannel, Worker } from "node:worker_threads";
import { Event, Response } from "@vscode/debugadapter";
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Host } from "../files/host.js";
import { status, type Status } from "../base/status.js";
import { post, type ChannelEnds, type Message } from "./channel.js";
import { capabilities } from "./capabilities.table.js";

/** Milliseconds that the worker has to end by itself. */
const END_TIMEOUT = 1000;

/** One client, and the worker that answers it. */
interface Served {
  readonly server: ProtocolServer;
  readonly ends: ChannelEnds;
  /** Unanswered requests, by sequence number. */
  readonly asked: Map<number, DebugProtocol.Request>;
  /** Ends the session with that status; only the first call counts. */
  readonly end: (code: Status) => void;
}

/** Serves one client until it disconnects. */
export function serveDebugger(host: Host): Promise<Status> {
  const { input, output } = host.connect();
  const server = new ProtocolServer();
  const { port1: port, port2 } = new MessageChannel();
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./debug-worker.js", import.meta.url), {
    workerData: { port: port2, waiting },
    transferList: [port2],
  });
  return new Promise((resolve) => {
    let isEnding = false;
    const end = (code: Status): void => {
      if (isEnding) return;
      isEnding = true;
      port.close();
      void worker.terminate().then(() => {
        input.destroy();
        resolve(code);
      });
    };
    const served: Served = { server, ends: { port, waiting }, asked: new Map(), end };
    server.handleMessage = (message) => {
      if (message.type === "request") passRequest(served, message as DebugProtocol.Request);
    };
    port.on("message", (message: Message) => forwardMessage(served, message));
    worker.on("error", (error: Error) => reportDefect(served, error));
    // Malformed JSON has no request to respond to, so report it as output.
    server.on("error", ({ body }: DebugProtocol.Event) => sendError(served, `ptxkit: ${String(body)}\n`));
    input.on("end", () => end(status.done));
    input.on("close", () => end(status.done));
    server.start(input, output);
  });
}

function answer({ server }: Served, request: DebugProtocol.Request, body: unknown, error?: string): void {
  const response: DebugProtocol.Response = new Response(request, error);
  if (error !== undefined) response.body = { error: { id: 1, format: error.replaceAll(/[{}]/g, "'"), showUser: true } };
  else if (body !== undefined) response.body = body;
  server.sendResponse(response);
}

const sendError = ({ server }: Served, text: string): void =>
  server.sendEvent(new Event("output", { category: "stderr", output: text }));

function passRequest(served: Served, request: DebugProtocol.Request): void {
  const { ends, asked, end } = served;
  const { seq, command } = request;
  if (command === "initialize") answer(served, request, capabilities);
  else asked.set(seq, request);
  post(ends, { seq, command, arguments: request.arguments });
  if (command !== "disconnect") return;
  // The worker may be in a call that cannot be interrupted.
  const timer = setTimeout(() => {
    if (asked.delete(seq)) answer(served, request, undefined);
    end(status.done);
  }, END_TIMEOUT);
  timer.unref();
}

function forwardMessage(served: Served, message: Message): void {
  const { server, asked, end } = served;
  if (message.kind === "event") {
    server.sendEvent(new Event(message.event, message.body));
    return;
  }
  const request = asked.get(message.seq);
  asked.delete(message.seq);
  if (request === undefined) return;
  answer(served, request, message.body, message.error);
  if (request.command === "disconnect") end(status.done);
}

/** Reports an error of the worker, which is a defect of the program. */
function reportDefect(served: Served, error: Error): void {
  sendError(served, `ptxkit: defect: ${error.stack ?? error.message}\n`);
  for (const request of served.asked.values())
    answer(served, request, undefined, `a fault in ptxkit itself: ${error.message}`);
  served.server.sendEvent(new Event("terminated"));
  served.end(status.defect);
}
