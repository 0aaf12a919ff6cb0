// ptxkit lsp: a language server over standard input and output.

import type { CommonOptions } from "../options/common.js";
import type { Host } from "../files/host.js";
import { serve } from "../lsp/server.js";
import { status, type Status } from "../base/status.js";

/** Serves one client until it ends the session or disconnects. */
export async function lsp(options: CommonOptions, host: Host): Promise<Status> {
  return (await serve(options, host)) === 0 ? status.done : status.wrongInput;
}
