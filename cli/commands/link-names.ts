// What the options about names (cli/name-options.ts) ask of the linker.

import type { LinkOptions } from "../../lib/link/options.js";
import { parseOrder } from "../../lib/link/symbol-order.js";
import type { Host } from "../host.js";
import type { NameOptions } from "../name-options.js";
import { unresolvedOptions } from "../unresolved-names.js";

export function nameOptions(options: NameOptions): LinkOptions {
  const { defsym, wrap, visibility } = options;
  return {
    ...unresolvedOptions(options),
    ...(defsym === undefined ? {} : { define: defsym }),
    ...(wrap === undefined ? {} : { wrap }),
    ...(visibility === undefined ? {} : { visibility }),
    warnUndefined: options.warnUnresolvedSymbols === true,
    allowDuplicates: options.allowMultipleDefinition === true,
    warnCommon: options.warnCommon === true,
    stripDebug: options.stripDebug === true || options.stripAll === true,
    discardLocals: options.discardAll === true || options.stripAll === true,
    emitRelocations: options.emitRelocs === true,
    lineTables: options.debugLine === true,
    ...(options.reverseSections === true ? { sectionOrder: { kind: "reversed" } } : {}),
    ...(options.shuffleSections === undefined
      ? {}
      : { sectionOrder: { kind: "shuffled", seed: options.shuffleSections } }),
  };
}

/** Reads the file of the order. */
export function symbolOrderOptions({ symbolOrderingFile: file, sortSection }: NameOptions, host: Host): LinkOptions {
  if (file === undefined && sortSection === undefined) return {};
  return {
    symbolOrder: {
      ...(file === undefined ? {} : { names: parseOrder(file, new TextDecoder().decode(host.read(file))) }),
      ...(sortSection === undefined ? {} : { sort: sortSection }),
    },
  };
}
