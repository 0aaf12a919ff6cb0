// Pass: checks that all modules' declarations of a name are compatible. Errors are those of nvlink (kind, space, managed, size,
// prototype, two definitions); warnings cover what it ignores and would silently go wrong (type, dimensions, alignment). Every
// declaration is compared with the chosen one, so each wrong declaration is reported once, and modules that are wrong in the same
// way together.
// Accepted silently: nvcc declares arrays of other modules as bytes or as `[]` and with their element's alignment, so a
// declaration in bits, of the same size or unsized, and one aligned less strictly than the definition, are correct.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { CodeName } from "../../diag/codes.table.js";
import type { Layout } from "../../isa/code.js";
import { printOpaqueField } from "../../isa/opaque-fields.table.js";
import type { CodeSymbol, ObjectSymbol, ReferenceSymbol, VariableSymbol } from "../../object/object.js";
import { bytesText, describe, kindText, listText, symbolText } from "../model/describe.js";
import { reportCommon, reportDuplicates, sameKind, type DuplicateOptions } from "./duplicates.js";
import { moduleText, placeOf, type Contribution } from "../model/contributions.js";
import type { Meaning, ReadInputs } from "../model/linked.js";
import { passingDifference } from "./passing.js";
import { bytesOf, rankOf } from "../model/binding-rank.js";
import { createTwins } from "./identical-definitions.js";

interface Conflict {
  readonly code: CodeName;
  /** The conflict, as text after "NAME ". */
  readonly what: string;
  readonly remedy: string;
}

export interface CompatibilityOptions extends DuplicateOptions {
  /** Whether to report what happened to .common variables that several modules declare (--warn-common). */
  readonly warnCommon?: boolean;
  /** Whether a later link may bring a larger definition of a .common variable, with which declarations are then compared (-r). */
  readonly mayGrow?: boolean;
}

/** Modules whose declarations conflict with the chosen one in the same way. */
interface ConflictGroup {
  readonly conflict: Conflict;
  /** The declaration as text, by which modules are grouped. */
  readonly text: string;
  readonly of: Contribution[];
}

export function checkCompatibility(
  inputs: ReadInputs,
  meanings: Iterable<Meaning>,
  options: CompatibilityOptions,
  sink: DiagnosticSink,
): void {
  const areTwins = createTwins(inputs);
  for (const each of meanings) {
    if (each.all.length === 1) continue;
    const dissents = conflictGroups(each, options);
    for (const dissent of dissents) report(inputs, each, dissent, dissents, sink);
    reportDuplicates(inputs, areTwins, each, options, sink);
    if (options.warnCommon === true) reportCommon(inputs, each, sink);
  }
}

function conflictGroups(
  { chosen, all }: Meaning,
  { allowDuplicates = false, mayGrow = false }: CompatibilityOptions,
): readonly ConflictGroup[] {
  const dissents = new Map<string, ConflictGroup>();
  const growsTo = mayGrow ? sizeAwaited(chosen, all) : undefined;
  for (const other of all) {
    if (other === chosen) continue;
    // A second strong definition is an error of its own, which reports the differences.
    const isDuplicate = rankOf(other.symbol) === "strong" && rankOf(chosen.symbol) === "strong";
    if (isDuplicate && !allowDuplicates && sameKind(other.symbol, chosen.symbol)) continue;
    const conflict = findConflict(other.symbol, chosen.symbol, growsTo);
    if (conflict === undefined) continue;
    const text = describe(other.symbol);
    const key = `${conflict.code} ${text} ${other.symbol.kind === "reference" ? conflict.what : ""}`;
    const known = dissents.get(key);
    if (known === undefined) dissents.set(key, { conflict, text, of: [other] });
    else known.of.push(other);
  }
  return [...dissents.values()];
}

/** Size in bytes on which all sized declarations agree, if the chosen .common variable is smaller. */
function sizeAwaited(chosen: Contribution, all: readonly Contribution[]): number | undefined {
  if (rankOf(chosen.symbol) !== "common") return undefined;
  const sizes = new Set(all.filter(({ symbol }) => rankOf(symbol) === "declared").map(({ symbol }) => bytesOf(symbol)));
  sizes.delete(0);
  const [size, ...others] = sizes;
  return size !== undefined && others.length === 0 && size > bytesOf(chosen.symbol) ? size : undefined;
}

function report(
  inputs: ReadInputs,
  { name, chosen, all }: Meaning,
  { conflict, text, of }: ConflictGroup,
  dissents: readonly ConflictGroup[],
  sink: DiagnosticSink,
): void {
  const odd = outlierOf(chosen, all, dissents);
  const oddText = odd === undefined ? "" : `; ${moduleText(inputs, odd)} is the odd one of ${all.length}`;
  const word = ({ symbol }: Contribution) => (rankOf(symbol) === "declared" ? "declared" : "defined");
  const modules = listText(of.map((each) => moduleText(inputs, each)));
  const [first, ...others] = of as [Contribution, ...Contribution[]];
  const dissenting = new Set(dissents.flatMap((each) => each.of));
  const agreeing = all.filter((each) => each !== chosen && !dissenting.has(each));
  sink.report(
    conflict.code,
    `${symbolText(name)} ${conflict.what}: ${text} in ${modules}, ` +
      `${describe(chosen.symbol)} in ${moduleText(inputs, chosen)}${oddText}`,
    placeOf(inputs, first),
    {
      notes: [
        { message: `${word(chosen)} here as ${describe(chosen.symbol)}`, place: placeOf(inputs, chosen) },
        ...others.map((each) => ({ message: `${word(each)} here as ${text} too`, place: placeOf(inputs, each) })),
        ...agreeing.map((each) => ({
          message: `${word(each)} here as ${describe(each.symbol)}`,
          place: placeOf(inputs, each),
        })),
      ],
      remedy: conflict.remedy,
    },
  );
}

/** The one module that differs from all others, if there are more than two and all others agree. */
function outlierOf(
  chosen: Contribution,
  all: readonly Contribution[],
  dissents: readonly ConflictGroup[],
): Contribution | undefined {
  const [only, another] = dissents;
  if (only === undefined || another !== undefined || all.length < 3) return undefined;
  if (only.of.length === 1) return only.of[0];
  return only.of.length === all.length - 1 ? chosen : undefined;
}

/** The most serious conflict between `other` and `chosen`. `growsTo`: the possible later size of `chosen` in bytes. */
function findConflict(other: ObjectSymbol, chosen: ObjectSymbol, growsTo?: number): Conflict | undefined {
  if (!sameKind(other, chosen))
    return {
      code: "symbol-kind",
      what: `is ${kindText(other)} here and ${kindText(chosen)} there`,
      remedy: "rename one of them",
    };
  if (other.kind === "variable" && chosen.kind === "variable") return variableConflict(other, chosen, growsTo);
  if (other.kind === "function" && chosen.kind === "function") return functionConflict(other, chosen);
  if (other.kind === "reference" && chosen.kind === "reference") return referenceConflict(other, chosen);
  return undefined;
}

// ----------------------------------------------------------------------------------------------------------- variables

function variableConflict(other: VariableSymbol, chosen: VariableSymbol, growsTo?: number): Conflict | undefined {
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
  const isGrowing = growsTo !== undefined && growsTo === other.layout.size;
  return (
    unifiedConflict(other, chosen) ??
    (isGrowing ? undefined : sizeConflict(other, chosen)) ??
    layoutConflict(other, chosen)
  );
}

/** PTX ISA 9.0 section 5.4.8: unified symbols have one address everywhere; such variables are read with ld.unified only. */
function unifiedConflict(
  other: VariableSymbol | CodeSymbol,
  chosen: VariableSymbol | CodeSymbol,
): Conflict | undefined {
  const [here, there] = [unifiedText(other), unifiedText(chosen)];
  if (here === there) return undefined;
  return {
    code: "symbol-unified",
    what: `is ${here} here and ${there} there`,
    remedy: "write the same .attribute(.unified(...)) in every module, or in none",
  };
}

const unifiedText = ({ unified }: VariableSymbol | CodeSymbol): string =>
  unified === undefined ? "not unified" : `unified(${unified.join(", ")})`;

function sizeConflict(other: VariableSymbol, chosen: VariableSymbol): Conflict | undefined {
  const [size, wanted] = [other.layout.size, chosen.layout.size];
  if (size === wanted || isUnsized(other.layout) || isUnsized(chosen.layout)) return undefined;
  const sizes = `has ${bytesText(size)} here and ${bytesText(wanted)} there`;
  if (rankOf(other) === "common") {
    if (size < wanted || rankOf(chosen) === "common") return undefined;
    return {
      code: "symbol-size",
      what: `${sizes}, and a .common variable may not be larger than its definition`,
      remedy: "enlarge the definition",
    };
  }
  const remedy = numberedRemedy(other.name) ?? (rankOf(other) === "declared" ? SIZE_REMEDY : SIZES_REMEDY);
  return { code: "symbol-size", what: sizes, remedy };
}

/** For two definitions, one of which is .weak: in C++, a name has one definition. */
const SIZES_REMEDY =
  "these are two definitions of one name (ODR): make them the same, give one another name, or hide one (-r --localize)";
const SIZE_REMEDY = "give every declaration the definition's size, or `[]`";

/** Compilers number private names, "x$53", so two modules may use one number for different symbols. */
function numberedRemedy(name: string): string | undefined {
  const suffix = /\$\d+$/.exec(name)?.[0];
  if (suffix === undefined) return undefined;
  return `${suffix} is a number that a compiler gave a private name: link each module with -r --localize '${name}' first`;
}

/** Alignment conflicts come first: they make programs fault, while a type only describes the bytes. */
function layoutConflict(other: VariableSymbol, chosen: VariableSymbol): Conflict | undefined {
  const [first, second] = [alignConflict(other, chosen), typeConflict(other, chosen)].filter(
    (each) => each !== undefined,
  );
  if (first === undefined || second === undefined) return first;
  return { ...first, what: `${first.what}, and ${second.what}`, remedy: `${first.remedy}; ${second.remedy}` };
}

function alignConflict(other: VariableSymbol, chosen: VariableSymbol): Conflict | undefined {
  const [a, b] = [other.layout, chosen.layout];
  // A .common variable gets the strictest alignment of all declarations.
  const isDefined = rankOf(chosen) === "weak" || rankOf(chosen) === "strong";
  if (a.align <= b.align || rankOf(other) !== "declared" || !isDefined) return undefined;
  return {
    code: "symbol-align",
    what: `is taken to be aligned to ${bytesText(a.align)} here and is aligned to ${bytesText(b.align)}`,
    remedy: "raise the definition's .align",
  };
}

function typeConflict({ layout: a }: VariableSymbol, { layout: b }: VariableSymbol): Conflict | undefined {
  if (a.type !== b.type && a.type.class !== "bits" && b.type.class !== "bits")
    return {
      code: "symbol-type",
      what: `is of type .${a.type.name} here and .${b.type.name} there`,
      remedy: "declare it with its definition's type, or in bits",
    };
  if (a.dimensions.length > 1 && b.dimensions.length > 1 && !sameDimensions(a, b))
    return { code: "symbol-type", what: "has other dimensions here than there", remedy: "use one shape" };
  return undefined;
}

/** Whether it is an array whose size only its definition declares. */
const isUnsized = ({ dimensions }: Layout): boolean => dimensions.includes(undefined);

function sameDimensions(a: Layout, b: Layout): boolean {
  return (
    a.dimensions.length === b.dimensions.length &&
    a.dimensions.every((n, i) => n === undefined || b.dimensions[i] === undefined || n === b.dimensions[i])
  );
}

// ----------------------------------------------------------------------------------------------------------- functions

function functionConflict(other: CodeSymbol, chosen: CodeSymbol): Conflict | undefined {
  const which = passingDifference(other.prototype, chosen.prototype);
  if (which === undefined) return unifiedConflict(other, chosen);
  return {
    code: "symbol-prototype",
    what: `has two prototypes, ${which}`,
    remedy: numberedRemedy(other.name) ?? (rankOf(other) === "declared" ? PROTOTYPE_REMEDY : PROTOTYPES_REMEDY),
  };
}

const PROTOTYPE_REMEDY = "parameters and results must agree in number, size, and integer or float";
/** The case of kernels made from lambdas and unnamed namespaces, if a compiler gives those of two files the same name. */
const PROTOTYPES_REMEDY = `${PROTOTYPE_REMEDY}; these are two definitions of one name (ODR): give one another name, or hide one (-r --localize)`;

// ---------------------------------------------------------------------------------------------------------- references

/** Several modules may define a reference; the chosen one sets its initial state (ISA section 5.3). */
function referenceConflict(other: ReferenceSymbol, chosen: ReferenceSymbol): Conflict | undefined {
  if (other.linkage === "extern" || chosen.linkage === "extern") return undefined;
  const [here, there] = [fieldsText(other), fieldsText(chosen)];
  if (here === there) return undefined;
  return {
    code: "symbol-type",
    what: `begins with ${here} here and ${there} there`,
    remedy: "set the same in every module, or declare it .extern in all but one",
  };
}

const fieldsText = ({ fields = [] }: ReferenceSymbol): string =>
  fields.length === 0 ? "nothing set" : fields.map(printOpaqueField).sort().join(", ");
