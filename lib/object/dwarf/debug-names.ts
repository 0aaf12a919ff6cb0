// Names labels if the debug sections of several modules become one text (debug-text.ts). Labels share one namespace in a text, so
// labels that several modules define get numbers, and so do labels of code and frame variables to which a debug section refers.

import type { Series } from "../../base/series.js";
import { walk, type OpenSection } from "./debug-sections.js";
import type { ObjectSymbol } from "../object.js";
import { uniqueNames } from "../code/unique-names.js";

/** A function with code in the text. */
export interface DebugFunction {
  readonly symbol: number;
  readonly labels: readonly string[];
  /** Variables of its frame, and symbols declared in it, by their names in the source text. */
  readonly variables: readonly string[];
}

/** The functions with code in a text, and all other names used in them. */
export interface DebugFunctions {
  readonly all: readonly DebugFunction[];
  readonly others: ReadonlySet<string>;
}

/** The names to which a module's references may refer. */
export interface ModuleNames {
  /** Offsets in joined sections of its first part of each. */
  readonly sections: Map<string, number>;
  /** The new names of labels in its debug sections, labels of its code, and variables of its frames. */
  readonly labels: Map<string, string>;
  /** Symbols that it defines or declares. */
  readonly symbols: Map<string, number>;
}

export interface NamedPart {
  readonly module: number;
  readonly open: OpenSection;
}

export interface NamedObject {
  readonly symbols: Series<ObjectSymbol>;
  nameOf(symbol: number): string;
  functions(): DebugFunctions;
}

/**
 * Inside a decoder: fills the `labels` of each module. Returns the new names of functions' own labels and variables, by symbol.
 */
export function nameLabels(
  parts: readonly NamedPart[],
  names: readonly ModuleNames[],
  { symbols, nameOf, functions }: NamedObject,
): ReadonlyMap<number, ReadonlyMap<string, string>> {
  const inside = labelsInside(parts, names.length);
  const referred = outsideReferences(parts, inside);
  const { all, others } = functions();
  const moduleOf = Int32Array.from(all, ({ symbol }) => symbols.at(symbol)!.origin.module);

  /** Labels and variables to rename, by function. If several functions of a module have a name, the first is meant. */
  const wanted = all.map(() => new Set<string>());
  const claimed = names.map(() => new Set<string>());
  const claim = (kind: (each: DebugFunction, module: number) => readonly string[]): void =>
    all.forEach((each, i) => {
      const module = moduleOf[i]!;
      const own = kind(each, module).filter((name) => referred[module]!.has(name) && !claimed[module]!.has(name));
      for (const name of own) {
        claimed[module]!.add(name);
        wanted[i]!.add(name);
      }
    });
  claim(({ labels }) => labels);
  // A symbol of the module takes precedence over a frame variable.
  claim(({ variables }, module) => variables.filter((name) => !names[module]!.symbols.has(name)));

  const taken = new Set(others);
  for (let i = 0; i < symbols.length; i++) taken.add(nameOf(i));
  all.forEach(({ labels, variables }, i) => {
    for (const name of labels) if (!wanted[i]!.has(name)) taken.add(name);
    for (const name of variables) if (!wanted[i]!.has(name)) taken.add(name);
  });
  const unique = uniqueNames(taken);
  inside.forEach((own, module) => {
    for (const name of own) names[module]!.labels.set(name, unique(name));
  });
  return new Map(
    all.map(({ symbol }, i) => {
      const { labels } = names[moduleOf[i]!]!;
      const renamed = new Map<string, string>();
      for (const name of wanted[i]!) {
        const now = unique(name);
        labels.set(name, now);
        if (now !== name) renamed.set(name, now);
      }
      return [symbol, renamed];
    }),
  );
}

const nothing = (): void => {};

/** The labels in the debug sections of each module. */
function labelsInside(parts: readonly NamedPart[], modules: number): readonly ReadonlySet<string>[] {
  const inside = Array.from({ length: modules }, () => new Set<string>());
  for (const { module, open } of parts)
    walk(open, { label: (name) => void inside[module]!.add(name), reference: nothing, integers: nothing });
  return inside;
}

/** The names outside of debug sections to which each module's debug sections refer. */
function outsideReferences(
  parts: readonly NamedPart[],
  inside: readonly ReadonlySet<string>[],
): readonly ReadonlySet<string>[] {
  const referred = inside.map(() => new Set<string>());
  for (const { module, open } of parts) {
    const refer = (name: string): void => void (inside[module]!.has(name) || referred[module]!.add(name));
    walk(open, {
      label: nothing,
      integers: nothing,
      reference({ name, minus }) {
        refer(name);
        if (minus !== undefined) refer(minus);
      },
    });
  }
  return referred;
}
