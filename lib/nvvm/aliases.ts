// Aliases of functions (NVVM IR 1.0 section 3.7) become `.alias`. In its own module an alias of a variable is replaced by the variable
// (globals/fold.ts); the linker resolves it for other modules (variable-aliases.ts).

import type { CompileContext } from "./compile-context.js";
import { headOf } from "./functions.js";
import { linkages } from "./globals/linkage.table.js";
import type { Alias, Function } from "./ir/global.js";
import type { Constant } from "./ir/value.js";
import type { MadeText } from "./ptx-writer.js";

export interface AliasTexts {
  /** Before the functions, which may refer to them. */
  readonly prototypes: readonly MadeText[];
  /** After the functions. */
  readonly directives: readonly MadeText[];
}

export function compileAliases(context: CompileContext): AliasTexts {
  const { module, nameOf, needVersion } = context;
  const prototypes: MadeText[] = [];
  const directives: MadeText[] = [];
  for (const alias of module.aliases) {
    const { start: at, linkage } = alias;
    const aliasee = aliasedFunction(alias);
    if (aliasee === undefined) continue;
    needVersion(63);
    const head = headOf(aliasee, linkages[linkage].defined, context, nameOf(alias));
    prototypes.push({ text: `${head.join("\n")};`, at });
    directives.push({ text: `.alias ${nameOf(alias)}, ${nameOf(aliasee)};`, at });
  }
  return { prototypes, directives };
}

/** Limit of aliases of aliases; a longer chain is a cycle. */
const DEEPEST = 64;

/** The aliased function, through casts and other aliases. */
function aliasedFunction({ aliasee }: Alias): Function | undefined {
  let at: Constant | undefined = aliasee;
  for (let depth = 0; at !== undefined && depth < DEEPEST; depth++) {
    if (at.kind === "function") return at;
    if (at.kind === "alias") at = at.aliasee;
    else if (at.kind === "expression" && (at.opcode === "bitcast" || at.opcode === "addrspacecast"))
      at = at.operands[0];
    else return undefined;
  }
  return undefined;
}
