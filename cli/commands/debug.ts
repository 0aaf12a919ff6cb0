// ptxkit debug: a debugger over standard input and output, for clients of the Debug Adapter Protocol.

import { serveDebugger } from "../debug/server.js";
import type { Host } from "../files/host.js";
import type { Status } from "../base/status.js";

/** Serves one client until it goes away. */
export function debug(host: Host): Promise<Status> {
  return serveDebugger(host);
}
