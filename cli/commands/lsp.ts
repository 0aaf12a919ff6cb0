// ptxkit lsp: a language server over standard input and output.

import type { CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import { serve } from "../lsp/server.js";
import { status, type Status } from "../status.js";

/** Serves one client until it ends the session or disconnects. */
export async function lsp(options: CommonOptions, host: Host): Promise<Status> {
  return (await serve(options, host)) === 0 ? status.done : status.wrongInput;
}
