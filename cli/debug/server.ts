// The Debug Adapter Protocol over two streams. This thread only reads and writes messages; all that is asked is answered by the
// thread that runs kernels (debug-worker.ts), so that a client is heard whatever that one does.

import { MessageChannel, Worker } from "node:worker_threads";
import { Event, Response } from "@vscode/debugadapter";
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Host } from "../host.js";
import { status, type Status } from "../status.js";
import { post, type ChannelEnds, type Message } from "./channel.js";
import { capabilities } from "./capabilities.table.js";

/** Milliseconds that the engine has to end by itself. */
const PATIENCE = 1000;

/** Serves one client until it disconnects. */
export function serveDebugger(host: Host): Promise<Status> {
  const { input, output } = host.connect();
  const server = new ProtocolServer();
  const { port1: port, port2 } = new MessageChannel();
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  const ends: ChannelEnds = { port, waiting };
  const worker = new Worker(new URL("./debug-worker.js", import.meta.url), {
    workerData: { port: port2, waiting },
    transferList: [port2],
  });
  const asked = new Map<number, DebugProtocol.Request>();

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
    const answer = (request: DebugProtocol.Request, body: unknown, error?: string): void => {
      const response: DebugProtocol.Response = new Response(request, error);
      if (error !== undefined)
        response.body = { error: { id: 1, format: error.replaceAll(/[{}]/g, "'"), showUser: true } };
      else if (body !== undefined) response.body = body;
      server.sendResponse(response);
    };

    server.handleMessage = (message) => {
      if (message.type !== "request") return;
      const request = message as DebugProtocol.Request;
      if (request.command === "initialize") {
        answer(request, capabilities);
        post(ends, { seq: request.seq, command: "initialize", arguments: request.arguments });
        return;
      }
      asked.set(request.seq, request);
      post(ends, { seq: request.seq, command: request.command, arguments: request.arguments });
      if (request.command !== "disconnect") return;
      // It may be busy with what it cannot be woken from.
      const timer = setTimeout(() => finish(request), PATIENCE);
      timer.unref();
    };
    const finish = (request: DebugProtocol.Request): void => {
      if (asked.delete(request.seq)) answer(request, undefined);
      end(status.done);
    };
    port.on("message", (message: Message) => {
      if (message.kind === "event") {
        server.sendEvent(new Event(message.event, message.body));
        return;
      }
      const request = asked.get(message.seq);
      asked.delete(message.seq);
      if (request === undefined) return;
      answer(request, message.body, message.error);
      if (request.command === "disconnect") end(status.done);
    });
    worker.on("error", (error: Error) => {
      server.sendEvent(
        new Event("output", { category: "stderr", output: `ptxkit: defect: ${error.stack ?? error.message}\n` }),
      );
      for (const request of asked.values()) answer(request, undefined, `a fault in ptxkit itself: ${error.message}`);
      server.sendEvent(new Event("terminated"));
      end(status.defect);
    });
    // Malformed JSON has no request to respond to, so report it as output.
    server.on("error", ({ body }: DebugProtocol.Event) => {
      server.sendEvent(new Event("output", { category: "stderr", output: `ptxkit: ${String(body)}\n` }));
    });
    input.on("end", () => end(status.done));
    input.on("close", () => end(status.done));
    server.start(input, output);
  });
}
