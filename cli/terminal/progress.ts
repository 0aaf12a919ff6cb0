// A progress line on standard error for long runs; only on a terminal.

import { isDumb } from "../base/color.js";
import type { Host } from "../files/host.js";

export interface Progress {
  update(what: string, done: number, all: number): void;
  clear(): void;
}

/** Milliseconds before the line first appears, and between changes. */
const patience = 500;
const pause = 100;

/** `unit`: what `done` and `all` count. */
export function createProgress(host: Host, unit: string, now: () => number = Date.now): Progress {
  const columns = host.errColumns;
  if (columns === undefined || isDumb(host.environment)) return { update: () => {}, clear: () => {} };
  let due = now() + patience;
  let shown = false;
  return {
    update(what, done, all) {
      const time = now();
      if (time < due) return;
      due = time + pause;
      shown = true;
      const width = Math.max(10, Math.min(30, columns - what.length - 30));
      const filled = Math.floor((width * done) / Math.max(1, all));
      const line = `${what} ${"█".repeat(filled)}${"░".repeat(width - filled)} ${done} of ${all} ${unit}`;
      host.err(`\r${line.slice(0, columns - 1)}\u001b[K`);
    },
    clear() {
      if (shown) host.err("\r\u001b[K");
      shown = false;
    },
  };
}
