// Between the thread that speaks the protocol and the one that runs kernels. The latter is busy or asleep while a run is stopped, so
// that requests wait in a port; a shared word counts them, which is cheap to poll and wakes a sleeping thread.

import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";

/** A request of the protocol. */
export interface Request {
  readonly seq: number;
  readonly command: string;
  readonly arguments: unknown;
}

/** Messages of the engine's thread. */
export type Message =
  | {
      readonly kind: "response";
      readonly seq: number;
      readonly command: string;
      readonly body?: unknown;
      readonly error?: string;
    }
  | { readonly kind: "event"; readonly event: string; readonly body?: unknown };

/** The data that this thread starts with. */
export interface ChannelEnds {
  readonly port: MessagePort;
  /** One word: requests that wait. */
  readonly waiting: Int32Array;
}

export interface Channel {
  readonly send: (message: Message) => void;
  /** Whether requests wait. */
  readonly isDue: () => boolean;
  /** Serves those that wait. */
  serve(): void;
  /** Sleeps until one comes, and serves it. */
  sleep(): void;
}

/** The engine's end. */
export function openChannel({ port, waiting }: ChannelEnds, serve: (request: Request) => void): Channel {
  const take = (request: Request): void => {
    Atomics.sub(waiting, 0, 1);
    serve(request);
  };
  const serveAll = (): void => {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      take((next as { readonly message: Request }).message);
  };
  port.on("message", take);
  return {
    send: (message) => port.postMessage(message),
    isDue: () => Atomics.load(waiting, 0) > 0,
    serve: serveAll,
    sleep() {
      Atomics.wait(waiting, 0, 0);
      serveAll();
    },
  };
}

/** The other end: puts a request where the engine finds it. */
export function post({ port, waiting }: ChannelEnds, request: Request): void {
  port.postMessage(request);
  Atomics.add(waiting, 0, 1);
  Atomics.notify(waiting, 0);
}
