// The numbers with which `.ptxkit.decl` (docs/format.md, "Declarations") and the columns (columns.ts) encode symbols and
// sections.

/** Roles of sections; the index is the role's code in .ptxkit.decl. */
export const roleNames = [
  "text",
  "global",
  "global-init",
  "constant",
  "module-shared",
  "shared",
  "module-local",
] as const;
export const ROLE = { text: 0, global: 1, globalInit: 2, constant: 3, moduleShared: 4, shared: 5, local: 6 } as const;

/** The roles of data sections. */
export type DataRole = 1 | 2 | 3 | 6;

export const isDataRole = (role: number): role is DataRole =>
  (role >= ROLE.global && role <= ROLE.constant) || role === ROLE.local;
