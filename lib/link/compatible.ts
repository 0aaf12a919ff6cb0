// Pass: whether all that the modules say of one name can be true at once. Errors are those of nvlink (kind, space, managed,
// size, prototype, two definitions); warnings are for what it leaves unsaid and would go wrong unseen (type, dimensions,
// alignment). Everything is held against what the name stands for, so each wrong declaration is reported once.
// Silent: nvcc declares arrays of other modules as bytes or as `[]` and with their element's alignment, so a declaration in
// bits, of the same size or open, and one aligned less strictly than the definition, are as they should be.

import type { DiagnosticSink } from "../diag/sink.js";
import type { CodeName } from "../diag/codes.table.js";
import type { Layout, Parameter } from "../isa/code.js";
import type { CodeSymbol, ObjectSymbol, VariableSymbol } from "../object/object.js";
import { bytesText, describe, kindText, subjectText, symbolText } from "./describe.js";
import { moduleName, placeOf, type Contribution, type Inputs } from "./inputs.js";
import { bytesOf, claimOf, type Merged } from "./resolve.js";

interface Conflict {
  readonly code: CodeName;
  /** After "NAME ": what does not fit. */
  readonly what: string;
  readonly remedy: string;
}

export interface CompatibilityOptions {
  /** Whether of several definitions the first one counts, with a warning (--allow-multiple-definition). */
  readonly allowDuplicates?: boolean;
  /** Whether to say what became of .common variables that several modules have (--warn-common). */
  readonly warnCommon?: boolean;
}

export function checkCompatibility(
  inputs: Inputs,
  merged: readonly Merged[],
  options: CompatibilityOptions,
  sink: DiagnosticSink,
): void {
  for (const { chosen, all } of merged) {
    if (all.length === 1) continue;
    for (const other of all) {
      if (other === chosen) continue;
      const conflict = findConflict(other.symbol, chosen.symbol);
      if (conflict !== undefined) report(inputs, other, chosen, conflict, sink);
    }
    reportDuplicates(inputs, chosen, all, options.allowDuplicates === true, sink);
    if (options.warnCommon === true) reportCommon(inputs, chosen, all, sink);
  }
}

function report(
  inputs: Inputs,
  other: Contribution,
  chosen: Contribution,
  { code, what, remedy }: Conflict,
  sink: DiagnosticSink,
): void {
  const word = ({ symbol }: Contribution) => (claimOf(symbol) === "declared" ? "declared" : "defined");
  sink.report(
    code,
    `${symbolText(other.symbol.name)} ${what}: ${describe(other.symbol)} in ${moduleName(inputs, other)}, ` +
      `${describe(chosen.symbol)} in ${moduleName(inputs, chosen)}`,
    placeOf(inputs, other),
    {
      notes: [{ message: `${word(chosen)} here as ${describe(chosen.symbol)}`, place: placeOf(inputs, chosen) }],
      remedy,
    },
  );
}

function reportDuplicates(
  inputs: Inputs,
  chosen: Contribution,
  all: readonly Contribution[],
  allowed: boolean,
  sink: DiagnosticSink,
): void {
  const strong = all.filter(({ symbol }) => claimOf(symbol) === "strong" && sameKind(symbol, chosen.symbol));
  const [first, second] = strong;
  if (first === undefined || second === undefined) return;
  const others = strong.filter((each) => each !== second);
  sink.report(
    allowed ? "repeated-definition" : "duplicate-symbol",
    `duplicate symbol: ${subjectText(chosen.symbol.name)}, defined in ${strong.map((each) => moduleName(inputs, each)).join(", ")}` +
      (allowed ? `; that of ${moduleName(inputs, chosen)} counts` : ""),
    placeOf(inputs, second),
    {
      notes: others.map((each, i) => ({
        message: `${i === 0 ? "first defined" : "defined"} here as ${describe(each.symbol)}`,
        place: placeOf(inputs, each),
      })),
      remedy: "keep one definition and declare it .extern elsewhere, make them .weak, or leave out .visible",
    },
  );
}

/** --warn-common, as GNU ld has it: a .common variable gave way to a definition, or several became one. */
function reportCommon(inputs: Inputs, chosen: Contribution, all: readonly Contribution[], sink: DiagnosticSink): void {
  const commons = all.filter(({ symbol }) => claimOf(symbol) === "common");
  const [first] = commons;
  const others = all.filter((each) => each !== first && claimOf(each.symbol) !== "declared");
  if (first === undefined || others.length === 0) return;
  const isCommon = claimOf(chosen.symbol) === "common";
  const sizes = new Set(commons.map(({ symbol }) => bytesOf(symbol)));
  const what = isCommon
    ? `is .common in ${commons.map((each) => moduleName(inputs, each)).join(", ")}, and one variable of ${bytesText(bytesOf(chosen.symbol))} in the image` +
      (sizes.size > 1 ? ", the largest of their sizes" : "")
    : `is .common in ${commons.map((each) => moduleName(inputs, each)).join(", ")}, and gives way to the definition in ${moduleName(inputs, chosen)}`;
  sink.report("common-symbol", `${symbolText(chosen.symbol.name)} ${what}`, placeOf(inputs, first), {
    notes: others.map((each) => ({ message: `${describe(each.symbol)} is here`, place: placeOf(inputs, each) })),
    remedy: "define it in one module and declare it .extern in the others",
  });
}

const sameKind = (a: ObjectSymbol, b: ObjectSymbol): boolean =>
  a.kind === b.kind && (a.kind !== "function" || b.kind !== "function" || a.entry === b.entry);

/** What `other` says against `chosen`, the gravest first. */
function findConflict(other: ObjectSymbol, chosen: ObjectSymbol): Conflict | undefined {
  if (!sameKind(other, chosen))
    return {
      code: "symbol-kind",
      what: `is ${kindText(other)} here and ${kindText(chosen)} there`,
      remedy: "rename one of them",
    };
  if (other.kind === "variable" && chosen.kind === "variable") return variableConflict(other, chosen);
  if (other.kind === "function" && chosen.kind === "function") return functionConflict(other, chosen);
  return undefined;
}

// ----------------------------------------------------------------------------------------------------------- variables

function variableConflict(other: VariableSymbol, chosen: VariableSymbol): Conflict | undefined {
  if (other.space !== chosen.space)
    return {
      code: "symbol-space",
      what: "is in two state spaces",
      remedy: "declare it in the space of its definition",
    };
  if (other.managed !== chosen.managed)
    return {
      code: "symbol-managed",
      what: `is${other.managed ? "" : " not"} managed here and is${chosen.managed ? "" : " not"} there`,
      remedy: "write .attribute(.managed) in every module, or in none",
    };
  return sizeConflict(other, chosen) ?? layoutConflict(other, chosen);
}

function sizeConflict(other: VariableSymbol, chosen: VariableSymbol): Conflict | undefined {
  const [size, wanted] = [other.layout.size, chosen.layout.size];
  if (size === wanted || isOpen(other.layout) || isOpen(chosen.layout)) return undefined;
  const sizes = `has ${bytesText(size)} here and ${bytesText(wanted)} there`;
  if (claimOf(other) === "common") {
    if (size < wanted || claimOf(chosen) === "common") return undefined;
    return {
      code: "symbol-size",
      what: `${sizes}, and a .common variable may not be larger than its definition`,
      remedy: "enlarge the definition",
    };
  }
  return { code: "symbol-size", what: sizes, remedy: "give every declaration the definition's size, or `[]`" };
}

function layoutConflict(other: VariableSymbol, chosen: VariableSymbol): Conflict | undefined {
  const [a, b] = [other.layout, chosen.layout];
  if (a.type !== b.type && a.type.class !== "bits" && b.type.class !== "bits")
    return {
      code: "symbol-type",
      what: `is of type .${a.type.name} here and .${b.type.name} there`,
      remedy: "declare it with its definition's type, or in bits",
    };
  if (a.dimensions.length > 1 && b.dimensions.length > 1 && !sameDimensions(a, b))
    return { code: "symbol-type", what: "has other dimensions here than there", remedy: "use one shape" };
  if (a.align > b.align && claimOf(other) === "declared" && claimOf(chosen) !== "declared")
    return {
      code: "symbol-align",
      what: `is taken to be aligned to ${bytesText(a.align)} here and is aligned to ${bytesText(b.align)}`,
      remedy: "raise the definition's .align",
    };
  return undefined;
}

/** An array whose size only its definition tells. */
const isOpen = ({ dimensions }: Layout): boolean => dimensions.includes(undefined);

function sameDimensions(a: Layout, b: Layout): boolean {
  return (
    a.dimensions.length === b.dimensions.length &&
    a.dimensions.every((n, i) => n === undefined || b.dimensions[i] === undefined || n === b.dimensions[i])
  );
}

// ----------------------------------------------------------------------------------------------------------- functions

function functionConflict(other: CodeSymbol, chosen: CodeSymbol): Conflict | undefined {
  const [a, b] = [other.prototype, chosen.prototype];
  if (listsAgree(a.parameters, b.parameters) && listsAgree(a.returns, b.returns)) return undefined;
  return {
    code: "symbol-prototype",
    what: "has two prototypes",
    remedy: "parameters and results must agree in number, size, and integer or float",
  };
}

function listsAgree(a: readonly Parameter[], b: readonly Parameter[]): boolean {
  return a.length === b.length && a.every((parameter, i) => passedAlike(parameter.layout, b[i]!.layout));
}

/** Whether two parameters are passed the same way: bytes by size, numbers by size and by being a float. */
function passedAlike(a: Layout, b: Layout): boolean {
  const isArray = ({ dimensions, vector }: Layout): boolean => dimensions.length > 0 || vector > 1;
  if (a.size !== b.size || isArray(a) !== isArray(b)) return false;
  return isArray(a) || (a.type.class === "float") === (b.type.class === "float");
}
