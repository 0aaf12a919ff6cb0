// ptxkit check: parse and verify.

import { checkModule } from "../../lib/check/check.js";
import { notText } from "../../lib/link/recognise.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { inSession, type CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import { checkOptions, readSource } from "../inputs.js";
import { status, type Status } from "../status.js";

export function check(files: readonly string[], options: CommonOptions, host: Host): Promise<Status> {
  return inSession(host, options, (session) => {
    for (const file of files) {
      const source = readSource(file, session);
      if (notText(source, session.sink)) continue;
      checkModule(parseModule(source, session.sink), session.sink, checkOptions(options));
    }
    return status.done;
  });
}
