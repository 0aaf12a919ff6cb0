// The order in which ptxas 13.0 -O0 processes a module's functions with code, which decides ties between their shared variables
// (shared-order.ts; docs/linking.md, "Shared memory"). It is the order of declarations, static functions last. If the module
// takes a function's address, in code or in an initial value, that order is sorted: functions that deal with addresses come
// before the others, and equal ones are ordered like equal items in lib/object/place.ts, from the end. A function deals with
// addresses if it takes one, calls through a register, or is the first to name a variable whose initial value contains one, or
// the address of such a variable. "First" refers to a walk from each function in order to its callees, the last callee first. All
// observed: test/oracle/link.ts.

import type { Layout } from "../../isa/code.js";
import { decodeFunction } from "../../object/code/decode.js";
import {
  type CodeSymbol,
  type ReferenceSymbol,
  type RelocObject,
  type SectionRole,
  type VariableSymbol,
  isLocal,
} from "../../object/object.js";
import { placementOrder } from "../../object/place.js";
import { firstFrom } from "../../base/first-from.js";

/** The properties of an object on which the orders of functions and shared variables depend. Names are only compared. */
export interface OrderedObject extends Pick<RelocObject, "codeProperties"> {
  readonly symbols: readonly OrderedSymbol[];
  /** Functions whose address the object takes, or the larger object that it is a part of. */
  readonly addressTaken: { readonly length: number };
  readonly modules: { readonly length: number };
  readonly sections: readonly OrderedSection[];
}

type Common = "kind" | "name" | "linkage" | "placement" | "origin";
export type OrderedSymbol = OrderedVariable | Pick<CodeSymbol, Common | "entry"> | Pick<ReferenceSymbol, Common>;

export interface OrderedVariable extends Pick<VariableSymbol, Common | "space" | "scope"> {
  readonly layout: Pick<Layout, "size">;
}

export interface OrderedSection {
  readonly role: SectionRole;
  /** Offsets, and the bytes of code, are needed only if the object takes the address of a function. */
  readonly relocations: readonly { readonly symbol: number; readonly offset?: number }[];
  readonly data?: Uint8Array;
}

/** Sort key in modules that do not contain the kernel. */
const NO_KERNEL = -1;

/** Indices of the functions with code, for an object with one module. */
export function functionOrder(object: OrderedObject): readonly number[] {
  // Found by sections, because some symbols are aliases.
  const defined = object.sections
    .flatMap(({ role }) => (role.kind === "text" ? [role.symbol] : []))
    .sort((a, b) => a - b);
  const isStatic = (i: number): boolean => isLocal(object.symbols[i]!);
  const listed = [...defined.filter((i) => !isStatic(i)), ...defined.filter(isStatic)];
  const addresses = dealingWithAddresses(object, listed);
  if (addresses === undefined) return listed;
  const hasKernel = listed.some((i) => isKernel(object, i));
  const items = (hasKernel ? listed : [...listed, NO_KERNEL]).map((index) => ({
    index,
    align: 1,
    size: addresses.has(index) ? 1 : 0,
  }));
  const sorted = placementOrder(items.toReversed()).toReversed();
  return sorted.flatMap(({ index }) => (index === NO_KERNEL ? [] : [index]));
}

const isKernel = ({ symbols }: OrderedObject, index: number): boolean => {
  const symbol = symbols[index]!;
  return symbol.kind === "function" && symbol.entry;
};

/** The functions that deal with addresses of functions; undefined if the module takes none. Kernels do not count. */
function dealingWithAddresses(object: OrderedObject, listed: readonly number[]): ReadonlySet<number> | undefined {
  const counts = (i: number): boolean => !isKernel(object, i);
  if (object.addressTaken.length === 0) return undefined;
  const addressTakers = object.codeProperties
    .filter(({ addressUses }) => addressUses.some(counts))
    .map(({ symbol }) => symbol);
  const values = initialValues(object);
  const users = usersOf(object, values);
  const isTaken = addressTakers.length > 0 || [...values.holders].some((v) => isOfModule(object, v) || users.has(v));
  if (!isTaken) return undefined;
  const callers = object.codeProperties
    .filter(({ indirectCalls }) => indirectCalls.length > 0)
    .map(({ symbol }) => symbol);
  return new Set([...addressTakers, ...callers, ...firstUsers(object, listed, values, users)]);
}

const isOfModule = ({ symbols }: OrderedObject, index: number): boolean => {
  const symbol = symbols[index]!;
  return symbol.kind === "variable" && symbol.scope === undefined;
};

interface InitialValues {
  /** Variables whose initial value contains the address of a function. */
  readonly holders: ReadonlySet<number>;
  /** For each variable, the variables whose addresses its initial value contains. */
  readonly pointed: ReadonlyMap<number, readonly number[]>;
}

function initialValues({ sections, symbols }: OrderedObject): InitialValues {
  const placed = sections.map(({ role, relocations }) =>
    role.kind === "text"
      ? []
      : relocations
          .flatMap(({ symbol, offset }) => (offset === undefined ? [] : [{ symbol, offset }]))
          .sort((a, b) => a.offset - b.offset),
  );
  const holders = new Set<number>();
  const pointed = new Map<number, readonly number[]>();
  symbols.forEach(({ placement, ...symbol }, i) => {
    if (symbol.kind !== "variable" || placement.kind !== "section") return;
    const all = placed[placement.section]!;
    if (all.length === 0) return;
    const inside = (bound: number): number => firstFrom(all, ({ offset }) => offset >= bound);
    const own = all.slice(inside(placement.offset), inside(placement.offset + symbol.layout.size));
    const variables: number[] = [];
    for (const { symbol: index } of own) {
      const target = symbols[index]!;
      if (target.kind === "variable") variables.push(index);
      else if (target.kind === "function" && !target.entry) holders.add(i);
    }
    if (variables.length > 0) pointed.set(i, variables);
  });
  return { holders, pointed };
}

const SEVERAL = -1;

/**
 * The function whose code leads to each variable, by name or through initial values of other variables; `SEVERAL` for more than
 * one.
 */
function usersOf(object: OrderedObject, { holders, pointed }: InitialValues): ReadonlyMap<number, number> {
  const users = new Map<number, number>();
  for (const { role, relocations } of holders.size === 0 ? [] : object.sections) {
    if (role.kind !== "text") continue;
    const stack = relocations.map(({ symbol }) => symbol).filter((symbol) => isVariable(object, symbol));
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const known = users.get(at);
      if (known === role.symbol || known === SEVERAL) continue;
      users.set(at, known === undefined ? role.symbol : SEVERAL);
      for (const next of pointed.get(at) ?? []) stack.push(next);
    }
  }
  return users;
}

const isVariable = ({ symbols }: OrderedObject, index: number): boolean => symbols[index]!.kind === "variable";

/** For each holder, the first of its users on the walk. */
function firstUsers(
  object: OrderedObject,
  listed: readonly number[],
  { holders, pointed }: InitialValues,
  users: ReadonlyMap<number, number>,
): ReadonlySet<number> {
  const used = [...holders].map((holder) => users.get(holder)).filter((user) => user !== undefined);
  if (!used.includes(SEVERAL)) return new Set(used);
  const first = new Set<number>();
  const seen = new Set<number>();
  for (const { symbol, relocations } of walkOrder(object, listed)) {
    const stack = relocations.map((each) => each.symbol).filter((each) => isVariable(object, each));
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (holders.has(at)) first.add(symbol);
      for (const next of pointed.get(at) ?? []) stack.push(next);
    }
  }
  return first;
}

interface WalkedText {
  readonly symbol: number;
  readonly relocations: OrderedSection["relocations"];
}

/** The functions with code in depth-first pre-order of calls; the last callee comes first. */
function walkOrder(object: OrderedObject, listed: readonly number[]): readonly WalkedText[] {
  const texts = new Map(
    object.sections.flatMap((section) => (section.role.kind === "text" ? [[section.role.symbol, section]] : [])),
  );
  const walked: WalkedText[] = [];
  const seen = new Set<number>();
  const stack = listed.toReversed();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const text = texts.get(at);
    if (text === undefined || seen.has(at)) continue;
    seen.add(at);
    walked.push({ symbol: at, relocations: text.relocations });
    for (const callee of calledIn(text)) stack.push(callee);
  }
  return walked;
}

/** The callees that code names, call by call. */
export function calledIn({ data, relocations }: OrderedSection): readonly number[] {
  const decoded = decodeFunction(data ?? new Uint8Array());
  if (!decoded.ok) return [];
  const { code, slots } = decoded.value;
  const symbolAt = new Map(relocations.map(({ offset, symbol }) => [offset, symbol]));
  return code.instructions.flatMap(({ opcode, operands }) =>
    operands.flatMap((operand, i) => {
      if (opcode.form.operands[i]?.kind !== "callee" || operand?.kind !== "address-of") return [];
      const symbol = operand.base.kind === "symbol" ? symbolAt.get(slots[operand.base.symbol]!.offset) : undefined;
      return symbol === undefined ? [] : [symbol];
    }),
  );
}
