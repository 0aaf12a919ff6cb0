// What --export and --localize say of a name (visibility.ts): of the rules that fit the last one counts. Kernels stay as they are
// unless a rule without wildcards names them, because a host launches them by name.

import { compileGlobList } from "../../base/glob-list.js";
import { isGlob } from "../../base/glob.js";

export interface VisibilityRule {
  readonly to: "export" | "localize";
  /** A name, or a pattern of base/glob. */
  readonly pattern: string;
}

/** What the rules say, and which of them have had nothing to say so far. */
export interface CompiledRules {
  /** The linkage of a definition; undefined where it has that already. */
  linkageOf(name: string, isKernel: boolean, isLocal: boolean): "visible" | "static" | undefined;
  /** Those that fitted no definition that was asked for. */
  idle(): IdleRules;
}

export interface IdleRules {
  /** In their order. */
  readonly rules: readonly VisibilityRule[];
  /** Whether one would fit kernels, if patterns were about them. */
  readonly fitsKernels: (rule: VisibilityRule) => boolean;
}

export const NO_IDLE_RULES: IdleRules = { rules: [], fitsKernels: () => false };

/** What a rule fitted. */
const FITS = { kernel: 1, definition: 2 } as const;

export function compileRules(rules: readonly VisibilityRule[]): CompiledRules {
  // From the last on: of rules with one pattern the last is asked for, and all have fitted what that one fits.
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
