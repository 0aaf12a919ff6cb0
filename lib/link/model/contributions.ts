// The input of the passes: the objects in command-line order, and the place of a symbol in its source, for messages. Objects are
// immutable; the passes refer to symbols as (object, index) until resolve/resolve.ts numbers them.

import type { LinePlace } from "../../diag/diagnostic.js";
import { isConstantBank } from "../../isa/state-spaces.table.js";
import type { Series } from "../../base/series.js";
import type { ObjectSymbol, RelocObject } from "../../object/object.js";

/** One object's symbol for a name: a definition, a tentative definition or a declaration. */
export interface Contribution {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's symbols. */
  readonly index: number;
  readonly symbol: ObjectSymbol;
}

export type Inputs = readonly RelocObject[];

/** The names of inputs and of their modules. */
type NamedInputs = Series<{ readonly name: string; readonly modules: readonly { readonly name: string }[] }>;

/** The name of the module that contains a symbol. */
export function moduleName(inputs: NamedInputs, { object, symbol }: Contribution): string {
  const input = inputs.at(object)!;
  return input.modules[symbol.origin.module]?.name ?? input.name;
}

/** The same for messages: "b.ptx of lib.a(b.o)" if the input is another file than the source. */
export function moduleText(inputs: NamedInputs, contribution: Contribution): string {
  const [name, file] = [moduleName(inputs, contribution), inputs.at(contribution.object)!.name];
  return name === file ? name : `${name} of ${file}`;
}

/** The place of a symbol's declaration. */
export function placeOf(inputs: NamedInputs, contribution: Contribution): LinePlace {
  const { line, column } = contribution.symbol.origin;
  const [file, object] = [moduleName(inputs, contribution), inputs.at(contribution.object)!.name];
  const place = column === undefined ? { file, line } : { file, line, column };
  return object === file ? { kind: "line", ...place } : { kind: "line", ...place, object };
}

/** A place in reports: a line of a source, and the object or archive member with the module if that is another file. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
  readonly object?: string;
}

export const sourceLine = ({ file, line, object }: LinePlace): SourceLine =>
  object === undefined ? { file, line } : { file, line, object };

/** The place of a symbol's declaration, for reports. */
export function sourceLineOf(inputs: NamedInputs, contribution: Contribution): SourceLine {
  const { line } = contribution.symbol.origin;
  const [file, object] = [moduleName(inputs, contribution), inputs.at(contribution.object)!.name];
  return object === file ? { file, line } : { file, line, object };
}

/** Whether two are the same symbol of the same input. */
export const isSame = (a: Pick<Contribution, "object" | "index">, b: Pick<Contribution, "object" | "index">): boolean =>
  a.object === b.object && a.index === b.index;

/** `.extern .shared x[]`: dynamic shared memory, which a launch provides and no module defines. */
export function isDynamicShared(symbol: ObjectSymbol): boolean {
  return (
    symbol.kind === "variable" &&
    symbol.space === "shared" &&
    symbol.placement.kind === "undefined" &&
    symbol.layout.dimensions[0] === undefined &&
    symbol.layout.dimensions.length > 0
  );
}

/**
 * Whether a launch or a driver provides the symbol, and no module defines it: dynamic shared memory, and banks of constants
 * except bank 3.
 */
export function isFromDriver(symbol: ObjectSymbol): boolean {
  return isDynamicShared(symbol) || (symbol.kind === "variable" && isConstantBank(symbol.space));
}
