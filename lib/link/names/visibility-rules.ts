// What --export and --localize say of a name (visibility.ts): of the rules that fit the last one counts. Kernels stay as they are
// unless a rule without wildcards names them, because a host launches them by name.

import { compileGlob, isGlob } from "../../base/glob.js";

export interface VisibilityRule {
  readonly to: "export" | "localize";
  /** A name, or a pattern of base/glob. */
  readonly pattern: string;
}

/** A rule, and whether it is about a definition of that name. */
export interface CompiledRule {
  readonly rule: VisibilityRule;
  applies(name: string, isKernel: boolean): boolean;
}

export function compileRules(rules: readonly VisibilityRule[]): readonly CompiledRule[] {
  return rules.map((rule) => {
    const test = compileGlob(rule.pattern);
    const isName = !isGlob(rule.pattern);
    return { rule, applies: (name, isKernel) => (isName || !isKernel) && test(name) };
  });
}

/** The linkage that the rules give a definition; undefined where it has that already. */
export function linkageBy(
  rules: readonly CompiledRule[],
  name: string,
  isKernel: boolean,
  isLocal: boolean,
): "visible" | "static" | undefined {
  const to = rules.findLast(({ applies }) => applies(name, isKernel))?.rule.to;
  if (to === undefined || isLocal === (to === "localize")) return undefined;
  return to === "export" ? "visible" : "static";
}
