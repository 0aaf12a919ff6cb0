// Pass: --defsym NAME=BASE[+OFFSET] and NAME=ADDRESS. It defines an undefined name as another symbol, an offset inside a
// variable, or a fixed address in the state space in which it is declared. PTX itself has .alias, for functions of one module.
// References are redirected before names are resolved, so that no later pass needs to know; in the image the name becomes a
// symbol of its own for hosts (`addAliases`). A fixed address is written at its uses and leaves no symbol. Rejected: a symbol
// that every later pass follows to its target (liveness, layout, calls, relocation would each have to).

import type { DiagnosticSink } from "../../diag/sink.js";
import { isProvided } from "../../isa/driver-functions.table.js";
import { alignAt } from "../../object/place.js";
import type { ObjectSymbol } from "../../object/object.js";
import { bytesText, describe, kindText, subjectText, symbolText } from "../model/describe.js";
import { moduleName, placeOf, type Contribution, type Inputs } from "../model/contributions.js";
import { meaningOf, type Alias, type LinkedNames, type Meaning, type ReadInputs } from "../model/linked.js";
import { rankOf } from "../model/binding-rank.js";
import { createSuggester, type Suggester } from "../messages/suggest.js";
import type { SymbolDefinition } from "../model/symbol-definition.js";

export interface Defined {
  readonly inputs: Inputs;
  readonly aliases: readonly Alias[];
  /** The names that options define: nothing refers to them any more, or a message has reported why not. */
  readonly settled: ReadonlySet<string>;
}

/** Lookup of names that modules share. */
export interface FoundNames extends LinkedNames {
  /** The merged symbol of a name. */
  find(name: string): number | undefined;
}

/** The resolved definitions. `names` of the result are those before the pass. */
export interface SettledDefinitions extends Pick<Defined, "aliases" | "settled"> {
  /** The meaning of each name wherever a module refers to it. */
  readonly uses: ReadonlyMap<string, Use>;
}

export function settleDefinitions(
  names: FoundNames,
  definitions: readonly SymbolDefinition[],
  sink: DiagnosticSink,
): SettledDefinitions {
  const { inputs, resolution } = names;
  const shared = (name: string): Meaning | undefined => {
    const symbol = names.find(name);
    return symbol === undefined ? undefined : meaningOf(resolution, symbol);
  };
  const byName = chooseDefinitions(definitions, sink);
  const uses = new Map<string, Use>();
  const aliases: Alias[] = [];
  const ends = followAll(byName, sink);
  let suggester: Suggester | undefined;
  for (const definition of byName.values()) {
    const linkTarget = ends.get(definition.name);
    const own = shared(definition.name);
    if (linkTarget === undefined || !isFree(inputs, definition, own, sink)) continue;
    const declarations = own?.all ?? [];
    if (linkTarget.base === undefined) {
      if (!declarations.every((each) => mayBeAddress(inputs, definition, each, sink))) continue;
      uses.set(definition.name, { kind: "address", address: linkTarget.offset });
      continue;
    }
    const base = shared(linkTarget.base);
    if (base === undefined && isProvided(linkTarget.base) && declarations.every(isFunction)) {
      for (const each of declarations.slice(0, 1))
        uses.set(definition.name, { kind: "symbol", name: linkTarget.base, base: each, offset: linkTarget.offset });
      continue;
    }
    if (base === undefined || !isDefined(base)) {
      suggester ??= createSuggester(names);
      reportUndefined(suggester, definition, linkTarget.base, sink);
      continue;
    }
    const { symbol } = base.chosen;
    if (!isValidAlias(definition, linkTarget.offset, symbol, sink)) continue;
    const by = definition.module === undefined ? "--defsym" : optionText(definition);
    if (!declarations.every((each) => fits(inputs, each, base.chosen, linkTarget.offset, by, sink))) continue;
    uses.set(definition.name, { kind: "symbol", name: linkTarget.base, base: base.chosen, offset: linkTarget.offset });
    const declared = declarations[0]?.symbol;
    const { name } = definition;
    const module = moduleName(inputs, base.chosen);
    aliases.push({ name, base: linkTarget.base, module, offset: Number(linkTarget.offset), declared });
  }
  return { uses, aliases, settled: new Set(byName.keys()) };
}

// ------------------------------------------------------------------------------------------------ meanings of names

/** One definition for each name: the last option, else the first alias that is not weak, else the first alias. */
function chooseDefinitions(
  definitions: readonly SymbolDefinition[],
  sink: DiagnosticSink,
): ReadonlyMap<string, SymbolDefinition> {
  const byName = new Map<string, SymbolDefinition>();
  for (const each of definitions) {
    const before = byName.get(each.name);
    if (before === undefined || each.module === undefined || (before.isWeak === true && each.isWeak !== true))
      byName.set(each.name, each);
    else if (each.isWeak !== true) {
      const remedy = "leave out one of the aliases, or give it another name";
      const message = `duplicate symbol: ${subjectText(each.name)}, defined by ${optionText(before)} and by ${optionText(each)}`;
      sink.report("duplicate-symbol", message, undefined, { remedy });
    }
  }
  return byName;
}

/** The definition at the end of a chain, with the sum of the offsets. */
type End = Omit<SymbolDefinition, "name">;

/** The ends of all chains, in one pass over the definitions. Cycles are reported and have no end. */
function followAll(byName: ReadonlyMap<string, SymbolDefinition>, sink: DiagnosticSink): ReadonlyMap<string, End> {
  const ends = new Map<string, End | undefined>();
  for (const start of byName.values()) {
    const passed = new Set<SymbolDefinition>();
    let at: SymbolDefinition | undefined = start;
    for (; at !== undefined && !ends.has(at.name) && !passed.has(at); at = byName.get(at.base ?? "")) passed.add(at);
    if (at !== undefined && passed.has(at)) reportCycle([...passed].slice([...passed].indexOf(at)), sink);
    const isCycle = at !== undefined && !ends.has(at.name);
    let end = at === undefined ? undefined : ends.get(at.name);
    const isLost = isCycle || (at !== undefined && end === undefined);
    for (const each of [...passed].reverse()) {
      const { base, offset } = each;
      if (!isLost)
        end =
          end === undefined
            ? base === undefined
              ? { offset }
              : { base, offset }
            : { ...end, offset: end.offset + offset };
      ends.set(each.name, isLost ? undefined : end);
    }
  }
  return new Map([...ends].flatMap(([name, end]) => (end === undefined ? [] : [[name, end] as const])));
}

/** Reports a cycle in one message, from its alphabetically first name. */
function reportCycle(cycle: readonly SymbolDefinition[], sink: DiagnosticSink): void {
  const names = cycle.map(({ name }) => name);
  const first = names.reduce((least, name, i) => (name < names[least]! ? i : least), 0);
  const turned = [...names.slice(first), ...names.slice(0, first), names[first]!];
  const shown = turned.length > MAX_SHOWN ? [...turned.slice(0, MAX_SHOWN), "...", names[first]!] : turned;
  sink.report("symbol-assignment", `--defsym ${shown.join("=")} is a cycle`, undefined, {
    remedy: "define one of the names as a symbol that a module defines",
  });
}

/** Limit of the names of a cycle that a message shows. */
const MAX_SHOWN = 10;

/** Whether a name has a meaning: a module defines it, a host binds it as a texture, or the driver provides it. */
const isDefined = ({ name, chosen: { symbol } }: Meaning): boolean =>
  rankOf(symbol) !== "declared" || symbol.kind === "reference" || (symbol.kind === "function" && isProvided(name));

const isFunction = ({ symbol }: Contribution): boolean => symbol.kind === "function";

/** Whether no module defines the name; reports a name that one does. */
function isFree(
  inputs: ReadInputs,
  definition: SymbolDefinition,
  own: Meaning | undefined,
  sink: DiagnosticSink,
): boolean {
  if (own === undefined || rankOf(own.chosen.symbol) === "declared") return true;
  if (definition.isWeak === true) return false;
  sink.report(
    "duplicate-symbol",
    `duplicate symbol: ${subjectText(definition.name)}, defined by ${optionText(definition)} and by a module`,
    placeOf(inputs, own.chosen),
    {
      notes: [{ message: `defined here as ${describe(own.chosen.symbol)}`, place: placeOf(inputs, own.chosen) }],
      remedy: `leave out the ${definition.module === undefined ? "option" : "alias"}, or declare it .extern in every module`,
    },
  );
  return false;
}

function reportUndefined(suggest: Suggester, definition: SymbolDefinition, base: string, sink: DiagnosticSink): void {
  const details = suggest(base);
  const message = `undefined symbol: ${subjectText(base)}, named by ${optionText(definition)}`;
  sink.report("undefined-symbol", message, undefined, details);
}

/** Whether a symbol may have an alias, and one with an offset; reports it if not. */
function isValidAlias(definition: SymbolDefinition, offset: bigint, base: ObjectSymbol, sink: DiagnosticSink): boolean {
  const refuse = (what: string, remedy: string): false => {
    sink.report("symbol-assignment", `${optionText(definition)}: ${what}`, undefined, { remedy });
    return false;
  };
  if (base.kind === "function" && base.entry)
    return refuse(`${symbolText(base.name)} is a kernel, which has one name`, "name a function or a variable");
  if (base.kind !== "variable" && offset !== 0n)
    return refuse(`${symbolText(base.name)} is ${kindText(base)}, and nothing lies inside it`, "leave out the offset");
  if (base.kind === "variable" && (offset < 0n || offset > BigInt(base.layout.size)))
    return refuse(
      `${offset} is outside ${symbolText(base.name)}, which has ${bytesText(base.layout.size)}`,
      `give an offset from 0 to ${base.layout.size}`,
    );
  return true;
}

const optionText = ({ name, base, offset, module }: SymbolDefinition): string => {
  if (module !== undefined) return `the alias in ${module}`;
  if (base === undefined) return `--defsym ${name}=0x${BigInt.asUintN(64, offset).toString(16)}`;
  return `--defsym ${name}=${base}${offset === 0n ? "" : `${offset > 0n ? "+" : ""}${offset}`}`;
};

// ------------------------------------------------------------------------------------------------------- what modules say

/** Whether the name may be a fixed address, which needs a state space. */
function mayBeAddress(
  inputs: ReadInputs,
  definition: SymbolDefinition,
  each: Contribution,
  sink: DiagnosticSink,
): boolean {
  if (each.symbol.kind === "variable") return true;
  sink.report(
    "symbol-kind",
    `${optionText(definition)}: ${symbolText(each.symbol.name)} is ${kindText(each.symbol)}, and an address is a variable's`,
    placeOf(inputs, each),
    { remedy: "define it as a symbol instead" },
  );
  return false;
}

/** Whether the declarations of a name agree with its definition. Prototypes are compared later, with all others. */
function fits(
  inputs: ReadInputs,
  own: Contribution,
  base: Contribution,
  offset: bigint,
  by: string,
  sink: DiagnosticSink,
): boolean {
  const [a, b] = [own.symbol, base.symbol];
  const conflict = conflictBetween(a, b, offset);
  if (conflict === undefined) return true;
  const [code, what, remedy] = conflict;
  sink.report(
    code,
    `${symbolText(a.name)} ${what}: declared as ${describe(a)}, and ${by} makes it ${describe(b)}`,
    placeOf(inputs, own),
    {
      notes: [{ message: `${symbolText(b.name)} is defined here`, place: placeOf(inputs, base) }],
      remedy,
    },
  );
  return code === "symbol-align";
}

function conflictBetween(
  a: ObjectSymbol,
  b: ObjectSymbol,
  offset: bigint,
):
  | readonly [code: "symbol-kind" | "symbol-space" | "symbol-size" | "symbol-align", what: string, remedy: string]
  | undefined {
  if (a.kind !== b.kind)
    return [
      "symbol-kind",
      `is ${kindText(a)} and would be an alias of ${kindText(b)}`,
      "choose a symbol of the same kind",
    ];
  if (a.kind !== "variable" || b.kind !== "variable") return undefined;
  if (a.space !== b.space)
    return ["symbol-space", "is in two state spaces", "declare it in the state space of that symbol"];
  const end = Number(offset) + a.layout.size;
  if (end > b.layout.size)
    return [
      "symbol-size",
      `reaches to byte ${end} of the ${bytesText(b.layout.size)} of ${symbolText(b.name)}`,
      "declare it smaller, or as `[]`",
    ];
  if (alignAt(b.layout.align, Number(offset)) < a.layout.align)
    return [
      "symbol-align",
      `is taken to be aligned to ${bytesText(a.layout.align)} and is aligned to ${bytesText(alignAt(b.layout.align, Number(offset)))}`,
      "raise the definition's .align, or choose another offset",
    ];
  return undefined;
}

// -------------------------------------------------------------------------------------------------------- in the modules

export type Use =
  /** The symbol `base`, under that name, and an offset in bytes from its start. */
  | { readonly kind: "symbol"; readonly name: string; readonly base: Contribution; readonly offset: bigint }
  | { readonly kind: "address"; readonly address: bigint };

// ---------------------------------------------------------------------------------------------------------- in the image
