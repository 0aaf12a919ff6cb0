// What labels are called where the debug sections of several modules are one text (debug-text.ts): labels have one space of names
// in a text, so those that more than one module has get numbers, and so do labels of code and variables of frames that a debug
// section refers to.

import type { Series } from "../../base/series.js";
import { walk, type OpenSection } from "./debug-sections.js";
import type { ObjectSymbol } from "../object.js";
import { uniqueNames } from "../code/unique-names.js";

/** A function that has code in the text. */
export interface DebugFunction {
  readonly symbol: number;
  readonly labels: readonly string[];
  /** Variables of its frame, and those inside it that are symbols, by their names in the text that it was made of. */
  readonly variables: readonly string[];
}

/** The functions that have code in a text, and the names of everything else inside them. */
export interface DebugFunctions {
  readonly all: readonly DebugFunction[];
  readonly others: ReadonlySet<string>;
}

/** What a module's references may name. */
export interface ModuleNames {
  /** Offsets in joined sections, of its first part of each. */
  readonly sections: Map<string, number>;
  /** Labels in its debug sections, labels of its code, and variables of its frames, with what they are called now. */
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

/** Inside a decoder: gives `labels` of each module its names; what functions have to call their own labels and variables, by symbol. */
export function nameLabels(
  parts: readonly NamedPart[],
  names: readonly ModuleNames[],
  { symbols, nameOf, functions }: NamedObject,
): ReadonlyMap<number, ReadonlyMap<string, string>> {
  const inside = labelsInside(parts, names.length);
  const referred = outsideReferences(parts, inside);
  const { all, others } = functions();
  const moduleOf = Int32Array.from(all, ({ symbol }) => symbols.at(symbol)!.origin.module);

  /** Labels and variables by function; the first function of a module that has a name is the one that is meant. */
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
  // A symbol of the module comes before a variable of a frame.
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

/** By module, the labels in its debug sections. */
function labelsInside(parts: readonly NamedPart[], modules: number): readonly ReadonlySet<string>[] {
  const inside = Array.from({ length: modules }, () => new Set<string>());
  for (const { module, open } of parts)
    walk(open, { label: (name) => void inside[module]!.add(name), reference: nothing, integers: nothing });
  return inside;
}

/** By module, what debug sections refer to outside of themselves. */
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
