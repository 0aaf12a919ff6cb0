// How --export and --localize change the visibility of a name (visibility.ts): the last rule that matches applies. Kernels stay visible
// unless a rule without wildcards names them, because a host launches them by name.

import { compileGlobList } from "../../base/glob-list.js";
import { isGlob } from "../../base/glob.js";

export interface VisibilityRule {
  readonly to: "export" | "localize";
  /** A name, or a pattern of base/glob. */
  readonly pattern: string;
}

/** The compiled rules, and which of them have matched nothing so far. */
export interface CompiledRules {
  /** The linkage that the rules give a definition; undefined if they do not change it. */
  linkageOf(name: string, isKernel: boolean, isLocal: boolean): "visible" | "static" | undefined;
  /** The rules without a match so far. */
  idle(): IdleRules;
}

export interface IdleRules {
  /** In command-line order. */
  readonly rules: readonly VisibilityRule[];
  /** Whether a rule would match kernels, if patterns applied to them. */
  readonly fitsKernels: (rule: VisibilityRule) => boolean;
}

export const NO_IDLE_RULES: IdleRules = { rules: [], fitsKernels: () => false };

/** The kinds of symbols that a rule has matched. */
const FITS = { kernel: 1, definition: 2 } as const;

export function compileRules(rules: readonly VisibilityRule[]): CompiledRules {
  // In reverse order: the last of several rules with the same pattern wins, and if it has matched, so have the others.
  const { fitting, numberOf } = compileGlobList(rules.map((_, i) => rules[rules.length - 1 - i]!.pattern));
  const fitted = new Uint8Array(rules.length);
  const fits = ({ pattern }: VisibilityRule, what: number): boolean => (fitted[numberOf(pattern)!]! & what) !== 0;
  return {
    linkageOf(name, isKernel, isLocal) {
      let last = rules.length;
      for (const each of fitting(name)) {
        const isMeant = !isKernel || !isGlob(rules[rules.length - 1 - each]!.pattern);
        fitted[each]! |= isMeant ? FITS.definition : FITS.kernel;
        if (isMeant && each < last) last = each;
      }
      const to = rules[rules.length - 1 - last]?.to;
      if (to === undefined || isLocal === (to === "localize")) return undefined;
      return to === "export" ? "visible" : "static";
    },
    idle: () => ({
      rules: rules.filter((rule) => !fits(rule, FITS.definition)),
      fitsKernels: (rule) => fits(rule, FITS.kernel),
    }),
  };
}
