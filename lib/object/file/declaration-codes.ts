// The numbers in `.ptxkit.decl` for kinds, linkages, state spaces and roles, and the flags of symbols. docs/format.md,
// "Declarations".

import type { Linkage, VariableSpace } from "../../check/module.js";
import { constantBanks } from "../../isa/state-spaces.table.js";
import type { ObjectSymbol, ReferenceSymbol, SectionRole } from "../object.js";

export const LINKAGES: readonly Linkage[] = ["static", "visible", "weak", "common", "extern"];
export const SPACES: readonly VariableSpace[] = ["global", "const", "shared", "local", "reg", ...constantBanks];
export const REFERENCES: readonly ReferenceSymbol["type"][] = ["texref", "samplerref", "surfref"];
export const ROLES: readonly SectionRole["kind"][] = [
  "text",
  "global",
  "global-init",
  "constant",
  "shared-module",
  "shared",
  "local",
];
export const KINDS: readonly ObjectSymbol["kind"][] = ["variable", "function", "reference"];

export const MANAGED = 1;
export const INITIALISED = 2;
export const HAS_SCOPE = 4;
export const IS_UNIFIED = 8;
export const IS_ENTRY = 1;
/** Flag in the code of a symbol, next to the linkage. */
export const IS_ALIAS = 8;

export type WithoutPlace<T> = T extends ObjectSymbol ? Omit<T, "name" | "placement"> : never;

/** The code of a symbol: kind and linkage. */
export function codeOf(symbol: WithoutPlace<ObjectSymbol>): number {
  const isAlias = symbol.kind === "variable" && (symbol.alias === true || symbol.aliasOf !== undefined);
  const alias = isAlias ? IS_ALIAS : 0;
  return KINDS.indexOf(symbol.kind) * 16 + LINKAGES.indexOf(symbol.linkage) + alias;
}

/** The flags of a symbol, the byte after the origin. */
export function flagsOf(symbol: WithoutPlace<ObjectSymbol>): number {
  if (symbol.kind === "reference") return REFERENCES.indexOf(symbol.type);
  const isUnified = symbol.unified === undefined ? 0 : IS_UNIFIED;
  if (symbol.kind === "function") return (symbol.entry ? IS_ENTRY : 0) | isUnified;
  const { space, managed, initialised, scope } = symbol;
  const flags = (managed ? MANAGED : 0) | (initialised ? INITIALISED : 0) | (scope === undefined ? 0 : HAS_SCOPE);
  return SPACES.indexOf(space) * 16 + (flags | isUnified);
}

/** The code of a section's role. */
export const roleCode = (kind: SectionRole["kind"]): number => ROLES.indexOf(kind);
