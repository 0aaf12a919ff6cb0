// The PTX that ptxkit makes of a module's text.

import { createSink } from "../../../lib/diag/sink.js";
import { renderText } from "../../../lib/diag/render-text.js";
import { compileModule } from "../../../lib/nvvm/compile.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";

export function ptxOfModule(text: string, arch = "sm_80"): string {
  const sink = createSink();
  const module = parseModule({ name: "module.ll", bytes: Buffer.from(text) }, sink);
  const made = module && compileModule(module, { arch }, sink);
  if (made === undefined) throw new Error(renderText(sink.all));
  return Buffer.from(made.bytes).toString("utf8");
}
