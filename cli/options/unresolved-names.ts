// Decides which symbols the options about undefined symbols (link-options.table.ts) allow to stay undefined.

import { compileGlobs } from "../../lib/base/glob-list.js";
import type { UnresolvedOptions } from "../../lib/link/messages/unresolved.js";
import type { LinkOptionValues } from "./link-options.table.js";

export function unresolvedOptions({
  unresolvedSymbols: how,
  ignoreUnresolvedSymbol: ignored = [],
}: LinkOptionValues): Pick<UnresolvedOptions, "allowUndefined"> {
  const ignoresAll = how === "ignore-all" || how === "ignore-in-object-files";
  if (!ignoresAll && ignored.length === 0) return {};
  const isIgnored = compileGlobs(ignored);
  return { allowUndefined: (name) => ignoresAll || isIgnored(name) };
}
