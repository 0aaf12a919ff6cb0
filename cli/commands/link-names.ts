// What the options about names (cli/name-options.ts) ask of the linker.

import type { LinkOptions } from "../../lib/link/options.js";
import type { CommonOptions } from "../common.js";
import type { NameOptions } from "../name-options.js";
import { definitionsIn } from "../nvvm-plan.js";
import { sectionOrderOptions } from "../order-options.js";
import { unresolvedOptions } from "../unresolved-names.js";

export function nameOptions(options: NameOptions & CommonOptions): LinkOptions {
  const { wrap, visibility } = options;
  const defsym = definitionsIn(options);
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
    ...sectionOrderOptions(options),
  };
}
