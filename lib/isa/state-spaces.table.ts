// State spaces: PTX ISA 9.0 section 5.1. Where variables of each can be declared, and the names that instructions use.

export interface StateSpace {
  /** Name without the dot. */
  readonly name: string;
  /** Whether variables can be declared at module scope, in a function's body, or as parameters. */
  readonly module: boolean;
  readonly body: boolean;
  readonly parameter: boolean;
  /** Kernels can write it with stores. */
  readonly writable: boolean;
  /** Can hold an initial value. */
  readonly initialized: boolean;
  /** Has a window in the generic address space (section 6.4.1.1). */
  readonly generic: boolean;
  /** The threads that share a variable. */
  readonly sharedBy: "thread" | "block" | "grid";
  /** Qualified names in instructions: shared::cta, shared::cluster, param::entry, param::func. */
  readonly qualifiers: readonly string[];
  readonly section: string;
}

export const stateSpaces: readonly StateSpace[] = [
  { name: "reg", module: false, body: true, parameter: true, writable: true, initialized: false, generic: false, sharedBy: "thread", qualifiers: [], section: "5.1.1" },
  { name: "sreg", module: false, body: false, parameter: false, writable: false, initialized: false, generic: false, sharedBy: "thread", qualifiers: [], section: "5.1.2" },
  { name: "const", module: true, body: false, parameter: false, writable: false, initialized: true, generic: true, sharedBy: "grid", qualifiers: [], section: "5.1.3" },
  { name: "global", module: true, body: true, parameter: false, writable: true, initialized: true, generic: true, sharedBy: "grid", qualifiers: [], section: "5.1.4" },
  { name: "local", module: true, body: true, parameter: false, writable: true, initialized: false, generic: true, sharedBy: "thread", qualifiers: [], section: "5.1.5" },
  { name: "param", module: false, body: true, parameter: true, writable: true, initialized: false, generic: true, sharedBy: "grid", qualifiers: ["param::entry", "param::func"], section: "5.1.6" },
  { name: "shared", module: true, body: true, parameter: false, writable: true, initialized: false, generic: true, sharedBy: "block", qualifiers: ["shared::cta", "shared::cluster"], section: "5.1.7" },
  { name: "tex", module: true, body: false, parameter: false, writable: false, initialized: false, generic: false, sharedBy: "grid", qualifiers: [], section: "5.1.8" },
]; // prettier-ignore

/** A constant bank that a driver fills (section 5.1.3.1, PTX 1.5 to 2.1): `.const[1]` to `.const[10]`. */
export type ConstantBank = `const[${number}]`;

export const constantBanks: readonly ConstantBank[] = Array.from(
  { length: 10 },
  (_, i): ConstantBank => `const[${i + 1}]`,
);

/** Size in bytes of each of those banks. */
export const CONSTANT_BANK_BYTES = 65536;

/** Offset of a bank in the constant window: bank 0, the module's own, is at 0, and the others follow in order. */
export const bankOffset = (bank: ConstantBank): number => Number(bank.slice("const[".length, -1)) * CONSTANT_BANK_BYTES;

export const isConstantBank = (space: string): space is ConstantBank => space.startsWith("const[");

/** Names of the banks in ld; bank 0 is `.const`. */
const banks: readonly string[] = ["const[0]", ...constantBanks];

const names: ReadonlySet<string> = new Set([
  ...stateSpaces.flatMap((space) => [space.name, ...space.qualifiers]),
  ...banks,
]);

/** Whether an instruction's modifier names a state space: "global", "shared::cta". */
export function isStateSpace(modifier: string): boolean {
  return names.has(modifier);
}
