// A definition of --defsym, or of an alias of a variable in NVVM IR.

/** NAME=BASE+OFFSET in bytes; without a base, OFFSET is an address in the state space that modules declare NAME in. */
export interface SymbolDefinition {
  readonly name: string;
  readonly base?: string;
  readonly offset: bigint;
  /** The module that declares this alias of a variable; undefined for --defsym. */
  readonly module?: string;
  /** For an alias: any other definition overrides it. */
  readonly isWeak?: boolean;
}
