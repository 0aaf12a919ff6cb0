// Yields to the host's event loop, so that timers, signals and Ctrl-C are handled during long work.

interface Port {
  onmessage: (() => void) | null;
  postMessage(message: undefined): void;
  close(): void;
}

interface Host {
  setImmediate?(callback: () => void): unknown;
  readonly MessageChannel: new () => { readonly port1: Port; readonly port2: Port };
}

const host = globalThis as unknown as Host;

/** Resolves after the event loop has run. Browsers have no setImmediate; a message arrives there without a timer's delay. */
export function hostTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (host.setImmediate !== undefined) {
      host.setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new host.MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
