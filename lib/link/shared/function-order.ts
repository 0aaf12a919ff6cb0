// In which order ptxas 13.0 -O0 has a module's functions with code, which decides ties between their shared variables
// (shared-order.ts; docs/linking.md, "Shared memory"). By declaration, static ones last; where the module takes a function's
// address, in code or in an initial value, that order is sorted: functions that deal with addresses come before the others,
// and equals fall as lib/object/place.ts has them, from the end. A function deals with addresses when it takes one, calls
// through a register, or is the first to name a variable whose initial value has one; first on a walk from each function in
// order, on to what it calls, the last called first. All observed: test/oracle/link.ts.

import type { Layout } from "../../isa/code.js";
import { decodeFunction } from "../../object/code/decode.js";
import type { CodeSymbol, ReferenceSymbol, RelocObject, SectionRole, VariableSymbol } from "../../object/object.js";
import { placementOrder } from "../../object/place.js";
import { isLocal } from "../inputs.js";
import { firstFrom } from "../live/live.js";

/** What the orders of functions and shared variables depend on, of an object. Names are only compared. */
export interface OrderedObject extends Pick<RelocObject, "codeFacts"> {
  readonly symbols: readonly OrderedSymbol[];
  /** How many functions' addresses it takes, or a larger object that it is a part of. */
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
  /** Offsets, and the bytes of code, are asked for where the object takes the address of a function. */
  readonly relocations: readonly { readonly symbol: number; readonly offset?: number }[];
  readonly data?: Uint8Array;
}

/** What stands for a kernel in the sort where a module has none. */
const NO_KERNEL = -1;

/** Indices of functions with code of an object of one module. */
export function functionOrder(object: OrderedObject): readonly number[] {
  // Not by their symbols, of which some are second names.
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

/** The functions that deal with addresses of functions; undefined where the module takes none. Kernels' do not count. */
function dealingWithAddresses(object: OrderedObject, listed: readonly number[]): ReadonlySet<number> | undefined {
  const counts = (i: number): boolean => !isKernel(object, i);
  if (object.addressTaken.length === 0) return undefined;
  const takers = object.codeFacts.filter(({ addressUses }) => addressUses.some(counts)).map(({ symbol }) => symbol);
  const holders = addressHolders(object);
  const users = usersOf(object, holders);
  const isTaken = takers.length > 0 || [...holders].some((v) => isOfModule(object, v) || users.has(v));
  if (!isTaken) return undefined;
  const callers = object.codeFacts.filter(({ indirectCalls }) => indirectCalls.length > 0).map(({ symbol }) => symbol);
  return new Set([...takers, ...callers, ...firstUsers(object, listed, users)]);
}

const isOfModule = ({ symbols }: OrderedObject, index: number): boolean => {
  const symbol = symbols[index]!;
  return symbol.kind === "variable" && symbol.scope === undefined;
};

/** Variables whose initial value has the address of a function. */
function addressHolders({ sections, symbols }: OrderedObject): ReadonlySet<number> {
  const places = sections.map(({ role, relocations }) =>
    role.kind === "text"
      ? []
      : relocations.flatMap(({ symbol, offset }) => {
          const target = symbols[symbol]!;
          return target.kind === "function" && !target.entry && offset !== undefined ? [offset] : [];
        }),
  );
  for (const offsets of places) offsets.sort((a, b) => a - b);
  const holders = new Set<number>();
  symbols.forEach(({ placement, ...symbol }, i) => {
    if (symbol.kind !== "variable" || placement.kind !== "section") return;
    const offsets = places[placement.section]!;
    if (offsets.length === 0) return;
    const next = offsets[firstFrom(offsets, (offset) => offset >= placement.offset)];
    if (next !== undefined && next < placement.offset + symbol.layout.size) holders.add(i);
  });
  return holders;
}

/** The functions whose code names each of the variables. */
function usersOf({ sections }: OrderedObject, variables: ReadonlySet<number>): ReadonlyMap<number, readonly number[]> {
  const users = new Map<number, number[]>();
  for (const { role, relocations } of variables.size === 0 ? [] : sections) {
    if (role.kind !== "text") continue;
    for (const { symbol } of relocations) {
      if (!variables.has(symbol)) continue;
      const known = users.get(symbol);
      if (known === undefined) users.set(symbol, [role.symbol]);
      else if (known.at(-1) !== role.symbol) known.push(role.symbol);
    }
  }
  return users;
}

/** Of each variable's users the first on the walk. */
function firstUsers(
  object: OrderedObject,
  listed: readonly number[],
  users: ReadonlyMap<number, readonly number[]>,
): readonly number[] {
  const isPlain = [...users.values()].every((all) => all.length === 1);
  const rank = new Map(isPlain ? [] : walkOrder(object, listed).map((symbol, i) => [symbol, i]));
  const rankOf = (symbol: number): number => rank.get(symbol) ?? 0;
  return [...users.values()].map((all) => all.reduce((first, each) => (rankOf(each) < rankOf(first) ? each : first)));
}

/** The functions with code, each before what it calls and that before the next; what is called last comes first. */
function walkOrder(object: OrderedObject, listed: readonly number[]): readonly number[] {
  const texts = new Map(
    object.sections.flatMap((section) => (section.role.kind === "text" ? [[section.role.symbol, section]] : [])),
  );
  const seen = new Set<number>();
  const stack = listed.toReversed();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const text = texts.get(at);
    if (text === undefined || seen.has(at)) continue;
    seen.add(at);
    for (const callee of calledIn(text)) stack.push(callee);
  }
  return [...seen];
}

/** What the code calls by name, call by call. */
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
