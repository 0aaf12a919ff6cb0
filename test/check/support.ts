// PTX text through the checker.

import { checkSource } from "../../lib/check/check.js";
import type { CheckedModule, ModuleSymbol } from "../../lib/check/module.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { createSink } from "../../lib/diag/sink.js";

export interface Checked {
  readonly module: CheckedModule;
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
}

export function check(text: string): Checked {
  const sink = createSink();
  const module = checkSource({ name: "m.ptx", bytes: new TextEncoder().encode(text) }, sink);
  return { module, diagnostics: sink.all, errors: sink.all.filter(({ severity }) => severity === "error") };
}

/** Three lines, so that what follows begins on line 4. */
export const head = (version = "8.5", target = "sm_75"): string =>
  `.version ${version}\n.target ${target}\n.address_size 64\n`;

export function symbolOf({ module }: Checked, name: string): ModuleSymbol {
  const symbol = module.symbols.find((one) => one.name === name);
  if (symbol === undefined) throw new Error(`no symbol ${name}`);
  return symbol;
}

/** "code line:column" of a diagnostic in a text. */
export function where({ code, place }: Diagnostic): string {
  return place?.kind === "text" ? `${code} ${place.line}:${place.column}` : code;
}
