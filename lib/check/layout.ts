// Sizes and alignments of declarations: PTX ISA 9.0 sections 5.4.2 (vectors), 5.4.3 (arrays), 5.4.5 (alignment).

import type { Layout } from "../isa/code.js";
import { dataTypes, type DataType } from "../isa/types.table.js";
import type { Ranged } from "../ptx/source-text.js";
import type { DeclarationType, Declarator } from "../ptx/tree.js";
import { features } from "./features.table.js";
import { requireFeature, type Platform } from "./require.js";
import type { Reporter } from "./reporter.js";

/** Limit of a variable's bytes: no device has more memory, and sizes stay exact in a double. */
const largestVariable = 2 ** 47;
const largestAlignment = 2 ** 31;
const firstBeyondCount = 2n ** 32n;

/** A type of variables. */
interface Kind {
  readonly type: DataType;
  /** The name of such variables in features.table.ts; undefined if they need no feature. */
  readonly feature: string | undefined;
  /** Layouts of its scalars and vectors with natural alignment, shared because a module may have a million variables. */
  readonly natural: readonly Layout[];
}

const kinds: ReadonlyMap<string, Kind> = new Map(dataTypes.map((type) => [type.name, kindOf(type)]));

function kindOf(type: DataType): Kind {
  const feature = `a variable of ${type.class === "opaque" ? "an opaque type" : `type .${type.name}`}`;
  const natural = ([1, 2, 4, 8] as const).map((vector): Layout => {
    const align = naturalAlign(type, vector);
    return { type, vector, dimensions: [], align, size: elementSize(type, vector) };
  });
  return { type, feature: features[feature] === undefined ? undefined : feature, natural };
}

/** The declared type, or undefined after a report. */
function declaredKind({ type: at }: DeclarationType, reporter: Reporter): Kind | undefined {
  const found = kinds.get(at.text);
  if (found === undefined) {
    reporter.report("unknown-type", at, `there is no type '.${at.text}'`);
    return undefined;
  }
  if (found.type.declarable) return found;
  const { name, bits } = found.type;
  reporter.report(
    "unknown-type",
    at,
    `.${name} is not a type of variables: it only says how an instruction reads bits`,
    {
      remedy: `declare it as .b${bits}`,
    },
  );
  return undefined;
}

/** Layout of one declarator, or undefined after a report. */
export function layoutOf(
  type: DeclarationType,
  declarator: Declarator,
  platform: Platform,
  reporter: Reporter,
): Layout | undefined {
  const kind = declaredKind(type, reporter);
  if (kind === undefined) return undefined;
  const element = kind.type;
  if (kind.feature !== undefined) requireFeature(kind.feature, type, platform, reporter);
  const vector = (type.vector ?? 1) as Layout["vector"];
  if (vector > 1 && element.class === "opaque") {
    reporter.report("unknown-type", type, `there are no vectors of .${element.name}`);
    return undefined;
  }
  if (vector * element.bits > 128) {
    reporter.report(
      "vector-too-large",
      type,
      `.v${vector} .${element.name} is ${vector * element.bits} bits; a vector has at most 128`,
    );
    return undefined;
  }
  const natural = kind.natural[31 - Math.clz32(vector)]!;
  const align = alignOf(type, natural.align, reporter);
  if (align === undefined) return undefined;
  if (declarator.count !== undefined && declarator.count >= firstBeyondCount) {
    reporter.report(
      "variable-too-large",
      declarator,
      `${declarator.count} registers are too many: a count has at most 32 bits`,
    );
    return undefined;
  }
  if (declarator.dimensions.length > 0) return arrayLayout(element, vector, align, declarator, reporter);
  return align === natural.align ? natural : { ...natural, align };
}

/** The natural alignment, or the largest `.align`; undefined after a report. */
function alignOf({ alignments }: DeclarationType, natural: number, reporter: Reporter): number | undefined {
  let align = natural;
  for (let i = 0; i < alignments.length; i++) {
    const written = alignments[i]!;
    if (!isPowerOfTwo(written.value)) {
      reporter.report("bad-alignment", written, `alignment ${written.value} is not a power of two`);
      return undefined;
    }
    align = Math.max(align, Number(written.value));
  }
  return align;
}

function arrayLayout(
  type: DataType,
  vector: Layout["vector"],
  align: number,
  declarator: Declarator,
  reporter: Reporter,
): Layout | undefined {
  const bytes = elementSize(type, vector);
  const dimensions: (number | undefined)[] = [];
  let isEmpty = false;
  let largest = 0;
  let product = bytes;
  for (let i = 0; i < declarator.dimensions.length; i++) {
    const { size, computed } = declarator.dimensions[i]!;
    if (computed === true)
      reporter.report(
        "beyond-ptxas",
        declarator.dimensions[i]!,
        `ptxas rejects expressions as array bounds; write the literal ${size!}`,
      );
    const n = size === undefined ? undefined : Number(size);
    dimensions.push(n);
    if (n === undefined || n === 0) isEmpty = true;
    else {
      largest = Math.max(largest, n);
      product *= n;
    }
  }
  const total = isEmpty ? 0 : product;
  // A size that a double cannot hold exactly exceeds the limit anyway.
  if (largest > largestVariable || total > largestVariable) {
    reportTooLarge(declarator, bytes, reporter);
    return undefined;
  }
  return { type, vector, dimensions, align, size: total };
}

function reportTooLarge(declarator: Declarator, bytes: number, reporter: Reporter): void {
  const exact = declarator.dimensions.reduce((product, { size }) => product * (size ?? 0n), BigInt(bytes));
  reporter.report(
    "variable-too-large",
    declarator,
    `'${declarator.name.text}' is larger than any memory: ${exact} bytes`,
  );
}

/** Whether `.align` may have this value. */
export function isPowerOfTwo(value: bigint): boolean {
  const number = Number(value);
  return number > 0 && number <= largestAlignment && (number & (number - 1)) === 0;
}

/** The reason, as text, why a type cannot be in memory of that space: predicates in all spaces, single vectors in .param. */
export function memoryFault(layout: Layout, space: string): string | undefined {
  if (layout.type.class === "predicate") return "predicates must be in .reg";
  if (layout.type.class === "opaque") return `a .${layout.type.name} cannot be in .${space}`;
  if (space === "param" && layout.type.name === "f16x2" && layout.dimensions.length === 0) {
    return "an .f16x2 cannot be in .param; a .b32 can";
  }
  if (space === "param" && layout.vector > 1 && layout.dimensions.length === 0) {
    return `a vector cannot be in .param; an array of its elements can`;
  }
  return undefined;
}

export const vectorOfPredicates = "there are no vectors of predicates";

/** The reason, as text, why a declaration cannot be a register. */
export function registerFault(layout: Layout): string | undefined {
  if (layout.dimensions.length > 0) return "registers cannot be arrays";
  if (layout.vector > 1 && layout.type.class === "predicate") return vectorOfPredicates;
  return layout.type.class === "opaque" ? `a register cannot be of type .${layout.type.name}` : undefined;
}

/** Bytes of one element of a type, which may be a vector; references and predicates take none in memory. */
export function elementSize(type: DataType, vector: number): number {
  return type.class === "predicate" ? 0 : (type.bits / 8) * vector;
}

/** Natural alignment; for a vector its whole size. */
function naturalAlign(type: DataType, vector: number): number {
  return Math.max(1, elementSize(type, vector));
}

function isComplete({ dimensions }: Layout): boolean {
  for (let i = 0; i < dimensions.length; i++) if (dimensions[i] === undefined || dimensions[i] === 0) return false;
  return true;
}

/** Reports the first unsized or zero dimension of a variable that must be complete. False after a report. */
export function requireComplete(layout: Layout, declarator: Declarator, at: Ranged, reporter: Reporter): boolean {
  if (isComplete(layout)) return true;
  reporter.report("incomplete-type", at, `'${declarator.name.text}' has no size`, {
    remedy: "write every array bound; only the first may be missing, if there is an initialiser",
  });
  return false;
}
