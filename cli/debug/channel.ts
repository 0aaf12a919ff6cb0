// The channel between the thread that speaks the protocol and the thread that runs kernels. The latter is busy, or asleep while a
// run is stopped, so requests wait in a port. A shared word counts them: polling it is cheap, and changing it wakes a sleeping
// thread.

import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";

/** A request of the Debug Adapter Protocol. */
export interface Request {
  readonly seq: number;
  readonly command: string;
  readonly arguments: unknown;
}

/** Messages from the thread that runs kernels. */
export type Message =
  | {
      readonly kind: "response";
      readonly seq: number;
      readonly command: string;
      readonly body?: unknown;
      readonly error?: string;
    }
  | { readonly kind: "event"; readonly event: string; readonly body?: unknown };

/** The data that the thread which runs kernels starts with. */
export interface ChannelEnds {
  readonly port: MessagePort;
  /** One shared word: the number of waiting requests. */
  readonly waiting: Int32Array;
}

export interface Channel {
  readonly send: (message: Message) => void;
  /** Whether requests wait. */
  readonly isDue: () => boolean;
  /** Serves the waiting requests. */
  serve(): void;
  /** Sleeps until a request arrives, and serves it. */
  sleep(): void;
}

/** Opens the end of the thread that runs kernels. */
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

/** Sends a request to the thread that runs kernels, from the other end. */
export function post({ port, waiting }: ChannelEnds, request: Request): void {
  port.postMessage(request);
  Atomics.add(waiting, 0, 1);
  Atomics.notify(waiting, 0);
}
