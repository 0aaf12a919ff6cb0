// Pass: which kernel reaches which shared variable. A function reaches what its code refers to, functions whose address it
// takes among them; one with an indirect call reaches every function whose address is taken anywhere, as nvlink has it,
// because an address may come from memory that another kernel wrote. Recursion needs no care: a walk marks what it has seen.
// Linear in references, except for the walk from each kernel, which visits only what leads to shared memory.
// All numbers here are indices of merged symbols.

import { decodeFunction } from "../object/decode.js";
import { isDynamicShared, isLocal, type Inputs } from "./inputs.js";
import { bodyOrder } from "./shared-order.js";
import type { Merged, Resolution } from "./resolve.js";
import type { KeptText, KeptTexts } from "./texts.js";

export interface SharedUses {
  /** For each kernel: the shared variables that it reaches, those of its own body always among them, ascending. */
  readonly byKernel: ReadonlyMap<number, readonly number[]>;
  /** The shared variables that code names; some may be in functions that no kernel reaches. */
  readonly named: ReadonlySet<number>;
  /** What is named only in static functions that nothing refers to, which NVIDIA's assembler leaves out. */
  readonly spare: readonly number[];
  /** For each function whose code names dynamic shared memory: the kernels that reach the function. */
  readonly dynamicUsers: ReadonlyMap<number, readonly number[]>;
  /** For each kernel whose body declares shared variables: these, used or not, in nvlink's order. */
  readonly bodies: ReadonlyMap<number, readonly number[]>;
}

/** What each function refers to. */
type References = Map<number, readonly number[]>;

export function isShared({ chosen: { symbol } }: Merged): boolean {
  return symbol.kind === "variable" && symbol.space === "shared";
}

export function findSharedUses(inputs: Inputs, { merged, mergedOf }: Resolution, texts: KeptTexts): SharedUses {
  const bodies = findBodies(inputs, { merged, mergedOf });
  const references: References = new Map(
    texts.map(({ object, section, symbol }) => {
      const { relocations } = inputs[object]!.sections[section]!;
      const named = relocations.map((r) => mergedOf[object]![r.symbol]!);
      return [symbol, [...new Set([...(bodies.get(symbol) ?? []), ...named])]];
    }),
  );
  const taken = new Set(inputs.flatMap((input, object) => input.addressTaken.map((f) => mergedOf[object]![f]!)));
  const direct = leadingToShared(merged, references);
  const takenAndLeading = [...taken].filter((f) => direct.has(f));
  if (takenAndLeading.length > 0) {
    for (const text of texts.filter((t) => callsIndirectly(inputs, t)))
      references.set(text.symbol, [...new Set([...references.get(text.symbol)!, ...takenAndLeading])]);
  }
  const leading = takenAndLeading.length > 0 ? leadingToShared(merged, references) : direct;

  const byKernel = new Map<number, readonly number[]>();
  const dynamicUsers = new Map<number, number[]>();
  merged.forEach(({ chosen: { symbol } }, kernel) => {
    if (symbol.kind !== "function" || !symbol.entry || !references.has(kernel)) return;
    const reached = [...walk([kernel], references, leading)];
    byKernel.set(
      kernel,
      reached.filter((at) => isShared(merged[at]!)).sort((a, b) => a - b),
    );
    for (const at of reached) {
      if (references.get(at)?.some((to) => isDynamicShared(merged[to]!.chosen.symbol)) === true)
        listIn(dynamicUsers, at).push(kernel);
    }
  });
  const isPresent = ([from]: readonly [number, unknown]): boolean => {
    const { symbol } = merged[from]!.chosen;
    return !isLocal(symbol) || (symbol.kind === "function" && symbol.entry) || taken.has(from);
  };
  const present = [...references].filter(isPresent).map(([from]) => from);
  const reachable = walk(present, references, leading);
  const namedBy = (functions: Iterable<number>): ReadonlySet<number> =>
    new Set([...functions].flatMap((from) => references.get(from)?.filter((to) => isShared(merged[to]!)) ?? []));
  const named = namedBy(reachable);
  const spare = [...namedBy(references.keys())].filter((symbol) => !named.has(symbol));
  return { byKernel, named, spare, dynamicUsers, bodies };
}

/** For each kernel whose body declares shared variables: these, in nvlink's order. */
function findBodies(inputs: Inputs, { merged, mergedOf }: Resolution): ReadonlyMap<number, readonly number[]> {
  const bodies = new Map<number, readonly number[]>();
  inputs.forEach((input, object) => {
    for (const [kernel, own] of bodyOrder(input)) {
      const of = mergedOf[object]![kernel]!;
      const { chosen } = merged[of]!;
      if (chosen.object === object && chosen.index === kernel)
        bodies.set(
          of,
          own.map((index) => mergedOf[object]![index]!),
        );
    }
  });
  return bodies;
}

/** What can be reached from `starts` inside `leading`. A set that is added to while it is walked is visited to its end. */
function walk(starts: readonly number[], references: References, leading: ReadonlySet<number>): ReadonlySet<number> {
  const seen = new Set(starts);
  for (const at of seen) for (const to of references.get(at) ?? []) if (leading.has(to)) seen.add(to);
  return seen;
}

/** The shared variables, and every function from which one can be reached. */
function leadingToShared(merged: readonly Merged[], references: References): ReadonlySet<number> {
  const users = new Map<number, number[]>();
  for (const [from, all] of references) for (const to of all) listIn(users, to).push(from);
  const seen = new Set([...users.keys()].filter((to) => isShared(merged[to]!)));
  for (const at of seen) for (const from of users.get(at) ?? []) seen.add(from);
  return seen;
}

function listIn(lists: Map<number, number[]>, key: number): number[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: number[] = [];
  lists.set(key, made);
  return made;
}

/** Decodes the function, so it is asked only where it matters. Code that cannot be read may do anything. */
function callsIndirectly(inputs: Inputs, { object, section }: KeptText): boolean {
  const decoded = decodeFunction(inputs[object]!.sections[section]!.data ?? new Uint8Array());
  if (!decoded.ok) return true;
  return decoded.value.code.instructions.some(({ opcode, operands }) =>
    opcode.form.operands.some(({ kind }, i) => kind === "callee" && operands[i]?.kind === "register"),
  );
}
