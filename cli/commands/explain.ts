// ptxkit explain: explains a diagnostic's code, or lists all codes.

import { codes, type CodeName } from "../../lib/diag/codes.table.js";
import { codesText, explainJson, explainText } from "../../lib/report/explain.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { inSession, type CommonOptions } from "../options/common.js";
import type { Host } from "../files/host.js";
import { status, UsageError, type Status } from "../base/status.js";
import { codeHint } from "../options/warnings.js";

export interface ExplainOptions extends CommonOptions {
  readonly json?: boolean;
}

/** Columns of text at most: wider prose is hard to read, however wide the terminal. */
const widest = 100;

export function explain(name: string | undefined, options: ExplainOptions, host: Host): Promise<Status> {
  return inSession(host, options, ({ outColor }) => {
    const code = name === undefined ? undefined : codeNamed(name);
    const layout = { style: outColor ? ansiStyler : plainStyler, width: Math.min(host.outColumns ?? widest, widest) };
    if (options.json === true) host.out(explainJson(code));
    else host.out(code === undefined ? codesText(layout) : explainText(code, layout));
    return status.done;
  });
}

/** A diagnostic code, with or without the brackets that messages put around it. */
function codeNamed(name: string): CodeName {
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  if (Object.hasOwn(codes, bare)) return bare as CodeName;
  throw new UsageError(`there is no code '${bare}'`, codeHint(bare));
}
