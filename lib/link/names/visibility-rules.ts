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
  idle(): readonly IdleRule[];
}

export interface IdleRule extends VisibilityRule {
  /** It would fit kernels, if patterns were about them. */
  readonly fitsKernels: boolean;
}

/** What a rule fitted. */
const FITS = { kernel: 1, definition: 2 } as const;

export function compileRules(rules: readonly VisibilityRule[]): CompiledRules {
  const isName = rules.map(({ pattern }) => !isGlob(pattern));
  // Of rules with one pattern the last is asked for, and all have fitted what that one fits.
  const lasts = new Map<string, number>();
  rules.forEach(({ pattern }, i) => lasts.set(pattern, i));
  const patterns = [...lasts.keys()];
  const numbers = [...lasts.values()];
  const fitting = compileGlobList(patterns);
  const fitted = new Uint8Array(patterns.length);
  return {
    linkageOf(name, isKernel, isLocal) {
      let last = -1;
      for (const each of fitting(name)) {
        const number = numbers[each]!;
        const isMeant = isName[number]! || !isKernel;
        fitted[each]! |= isMeant ? FITS.definition : FITS.kernel;
        if (isMeant && number > last) last = number;
      }
      const to = rules[last]?.to;
      if (to === undefined || isLocal === (to === "localize")) return undefined;
      return to === "export" ? "visible" : "static";
    },
    idle() {
      const byPattern = new Map(patterns.map((pattern, i) => [pattern, fitted[i]!]));
      const fitOf = ({ pattern }: VisibilityRule): number => byPattern.get(pattern)!;
      return rules.flatMap((rule) =>
        (fitOf(rule) & FITS.definition) !== 0 ? [] : [{ ...rule, fitsKernels: (fitOf(rule) & FITS.kernel) !== 0 }],
      );
    },
  };
}
