// What the kernels of an image have of the functions that they reach, as nvlink tells it in `.nv.info.<kernel>`: barriers,
// %ctaid.z and undefined functions of all that they may call, and whether calls may come back to a function that has not
// returned, so that no size of stack is known. docs/format.md, "Attributes, call graph, prototypes". In time linear in calls,
// but for undefined functions, each of which takes as much.

import { formatPrototype } from "../../formats/cuda/index.js";
import { inSymbolOrder, NO_FACTS } from "./code-facts.js";
import type { CodeFacts, ObjectSymbol } from "./object.js";
import { prototypeSignature } from "./signature.js";

/** Who calls whom; functions by number. */
export interface Program {
  readonly symbols: { readonly length: number; readonly [symbol: number]: ObjectSymbol };
  readonly kernels: readonly { readonly symbol: number }[];
  readonly calls: readonly { readonly caller: number; readonly callee: number }[];
  /** Their symbols are looked at, and no others. */
  readonly addressTaken: readonly number[];
}

/** `facts` are each function's own; kernels get those of what they reach. */
export function reachedFacts(facts: readonly CodeFacts[], program: Program): readonly CodeFacts[] {
  const barriers = facts.filter((each) => each.barriers > 0).sort((a, b) => b.barriers - a.barriers);
  const readers = facts.filter(({ readsBlockZ }) => readsBlockZ);
  const isAny = barriers.length + readers.length > 0;
  const callersOf = isAny ? callers(program, mayCall(facts, program)) : [];
  const most = new Map<number, number>();
  // Those with the most come first, so that each function is settled once.
  for (const { symbol, barriers: count } of barriers) spread(callersOf, symbol, count, most);
  const readsZ = new Map<number, true>();
  for (const { symbol } of readers) spread(callersOf, symbol, true, readsZ);
  const endless = returning(facts, program);

  const known = new Map(facts.map((each) => [each.symbol, each]));
  for (const { symbol } of program.kernels) {
    const [count = 0, readsBlockZ = false, isRecursive] = [most.get(symbol), readsZ.get(symbol), endless(symbol)];
    if (count === 0 && !readsBlockZ && !isRecursive) continue;
    known.set(symbol, { ...(known.get(symbol) ?? { ...NO_FACTS, symbol }), barriers: count, readsBlockZ, isRecursive });
  }
  return inSymbolOrder([...known.values()]);
}

/**
 * The undefined functions that each function calls, and in an image each kernel through direct calls of others: numbers of
 * the program's, by number.
 */
export function undefinedCallees(
  program: Program,
  isUndefined: (symbol: number) => boolean,
  type: "relocatable" | "executable",
): ReadonlyMap<number, readonly number[]> {
  const { calls } = program;
  const found = new Map<number, number[]>();
  const add = (caller: number, callee: number): void => {
    const list = found.get(caller);
    if (list === undefined) found.set(caller, [callee]);
    else list.push(callee);
  };
  const missing = calls.filter(({ callee }) => isUndefined(callee));
  for (const { caller, callee } of missing) add(caller, callee);
  if (type === "relocatable" || missing.length === 0) return found;
  const callersOf = callers(program, []);
  for (const callee of new Set(missing.map((call) => call.callee))) {
    const reaching = new Map<number, true>();
    spread(callersOf, callee, true, reaching);
    for (const { symbol } of program.kernels)
      if (reaching.has(symbol) && found.get(symbol)?.includes(callee) !== true) add(symbol, callee);
  }
  return found;
}

/** Callers by callee. */
type Callers = readonly (readonly number[] | undefined)[];
type Edge = readonly [caller: number, callee: number];

function callers({ calls }: Program, more: readonly Edge[]): Callers {
  const lists: number[][] = [];
  for (const { caller, callee } of calls) (lists[callee] ??= []).push(caller);
  for (const [caller, callee] of more) (lists[callee] ??= []).push(caller);
  return lists;
}

/** Beside direct calls: functions whose address it takes, and by a call through a register all whose address is taken. */
function mayCall(facts: readonly CodeFacts[], { symbols, addressTaken }: Program): readonly Edge[] {
  const anywhere = symbols.length;
  return [
    ...addressTaken.map((target): Edge => [anywhere, target]),
    ...facts.flatMap(({ symbol, addressUses, indirectCalls }) => [
      ...addressUses.map((target): Edge => [symbol, target]),
      ...(indirectCalls.length === 0 ? [] : [[symbol, anywhere] as const]),
    ]),
  ];
}

/** Gives `value` to a function and all that reach it, but where one is already. */
function spread<T>(callersOf: Callers, from: number, value: T, values: Map<number, T>): void {
  if (values.has(from)) return;
  values.set(from, value);
  const open = [from];
  for (const at of open)
    for (const caller of callersOf[at] ?? [])
      if (!values.has(caller)) {
        values.set(caller, value);
        open.push(caller);
      }
}

/**
 * Which functions reach a cycle of calls: those left when one after another is taken away that calls only what has been. A
 * call through a register reaches the functions of its prototype whose address is taken.
 */
function returning(facts: readonly CodeFacts[], program: Program): (symbol: number) => boolean {
  const byPrototype = new Map<string, number>();
  const node = (prototype: string): number => {
    const known = byPrototype.get(prototype) ?? program.symbols.length + byPrototype.size;
    byPrototype.set(prototype, known);
    return known;
  };
  const indirect = facts.flatMap(({ symbol, indirectCalls }) =>
    indirectCalls.map((prototype): Edge => [symbol, node(prototype)]),
  );
  const targets = program.addressTaken.flatMap((target): Edge[] => {
    const symbol = program.symbols[target]!;
    if (symbol.kind !== "function" || symbol.entry || indirect.length === 0) return [];
    return [[node(formatPrototype(prototypeSignature(symbol.prototype))), target]];
  });
  const more = [...indirect, ...targets];
  const callersOf = callers(program, more);
  const left = new Int32Array(program.symbols.length + byPrototype.size);
  for (const { caller } of program.calls) left[caller]!++;
  for (const [caller] of more) left[caller]!++;
  const done: number[] = [];
  left.forEach((count, symbol) => {
    if (count === 0) done.push(symbol);
  });
  for (const at of done) for (const caller of callersOf[at] ?? []) if (--left[caller]! === 0) done.push(caller);
  return (symbol) => left[symbol]! > 0;
}
