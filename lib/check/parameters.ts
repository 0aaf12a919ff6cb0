// Checks parameter lists of kernels, functions and prototypes: PTX ISA 9.0 sections 5.1.6 and 7.1, and the rules of ptxas 13.0
// for what its calling convention can pass.

import type { Layout, Parameter, Prototype } from "../isa/code.js";
import type { FunctionDeclaration, Parameter as Node } from "../ptx/tree.js";
import { narrowFault, isNarrowValue } from "./narrow-parameters.js";
import { requireFeature, type Platform } from "./require.js";
import { isPowerOfTwo, layoutOf, memoryFault, vectorOfPredicates } from "./layout.js";
import { samplerFault } from "./texture-operands.js";
import type { Reporter } from "./reporter.js";

/** The owner of a list. A `prototype` describes a function defined elsewhere, and may omit names. */
export type ListOwner = "kernel" | "function" | "declaration" | "prototype";

/** The context of a parameter list. */
export interface ListContext {
  readonly header: Platform;
  readonly reporter: Reporter;
}

/** Makes the prototype of a function or a prototype declaration. */
export function checkPrototype(
  { returns, parameters, directives }: Pick<FunctionDeclaration, "returns" | "parameters" | "directives">,
  owner: ListOwner,
  context: ListContext,
): Prototype {
  return {
    returns: checkReturns(returns, owner, context),
    parameters: checkParameters(parameters, owner, context),
    noreturn: directives.length > 0 && directives.some(({ name }) => name === "noreturn"),
  };
}

/** Checks a list. Wrong parameters are reported and omitted, so that a list shorter than the text's is wrong. */
function checkParameters(nodes: readonly Node[], owner: ListOwner, context: ListContext): readonly Parameter[] {
  for (let i = 0; i < nodes.length; i++) {
    const { declarator, type } = nodes[i]!;
    if (type.space !== "param" || !isOpen(declarator)) continue;
    if (owner === "kernel" || i < nodes.length - 1) {
      context.reporter.report("incomplete-type", declarator, `'${declarator.name.text}' has no size`, {
        remedy: owner === "kernel" ? "give its array bound" : "only the last parameter of a function may be unsized",
      });
    }
  }
  return checkEach(nodes, owner, context);
}

function checkEach(nodes: readonly Node[], owner: ListOwner, context: ListContext): readonly Parameter[] {
  if (nodes.length === 0) return none;
  const sound: Parameter[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const parameter = checkParameter(nodes[i]!, owner, context);
    if (parameter !== undefined) sound.push(parameter);
  }
  return sound;
}

const none: readonly never[] = [];

/** Whether an array is unsized; a bound of 0 counts as none. */
function isOpen({ dimensions }: Node["declarator"]): boolean {
  for (let i = 0; i < dimensions.length; i++) if ((dimensions[i]!.size ?? 0n) === 0n) return true;
  return false;
}

/** Checks the results of a function: several results must be in registers. */
function checkReturns(nodes: readonly Node[], owner: ListOwner, context: ListContext): readonly Parameter[] {
  const memory = nodes.length > 1 ? nodes.find(({ type }) => type.space !== "reg") : undefined;
  if (memory !== undefined) {
    context.reporter.report("variable-space", memory, "several results must be in .reg", {
      remedy: "return one array, or pass addresses",
    });
  }
  for (let i = 0; i < nodes.length; i++) {
    const { declarator, type } = nodes[i]!;
    if (type.space === "param" && isOpen(declarator))
      context.reporter.report("incomplete-type", declarator, `'${declarator.name.text}' has no size`, {
        remedy: "write the bound of the result; only the last parameter may be unsized",
      });
  }
  return checkEach(nodes, owner, context);
}

function checkParameter(
  node: Node,
  owner: ListOwner,
  { header: platform, reporter }: ListContext,
): Parameter | undefined {
  const { type, declarator } = node;
  const written = layoutOf(type, declarator, platform, reporter);
  if (written === undefined) return undefined;
  const layout = isOpen(declarator) ? { ...written, dimensions: [undefined] } : written;
  const name = declarator.name.text;
  const kernel = owner === "kernel";
  const { space } = type;
  if (space !== "param" && (space !== "reg" || kernel)) {
    reporter.report(
      "variable-space",
      type,
      `a parameter of a ${kernel ? "kernel" : "function"} is in .param${kernel ? "" : " or .reg"}, not .${space}`,
      { remedy: `write .param in place of .${space}` },
    );
    return undefined;
  }
  const fault =
    space === "param" ? memoryParameterFault(layout, owner, platform) : registerParameterFault(layout, owner, platform);
  if (fault !== undefined) {
    reporter.report("variable-space", type, fault);
    return undefined;
  }
  if (space === "param" && !kernel) requireFeature("a function parameter in .param", type, platform, reporter);
  if (space === "param" && isOpen(declarator))
    requireFeature("an unsized array as parameter", declarator, platform, reporter);
  if ((owner === "function" || owner === "declaration") && name === "_") {
    reporter.report("variable-space", declarator, "a parameter of a function needs a name; only prototypes have '_'", {
      remedy: "name it",
    });
  }
  if (declarator.initializer !== undefined) {
    reporter.report("initializer-space", declarator.initializer, "a parameter has no initial value");
  }
  refuseAttributes(type, "a parameter", reporter);
  const { pointer } = type;
  if (pointer === undefined) return { name, space, layout };
  requireFeature("a .ptr parameter", type, platform, reporter);
  if (pointer.space?.endsWith("ref") === true)
    requireFeature("a .ptr parameter of an opaque type", type, platform, reporter);
  if (!kernel)
    reporter.report("variable-space", type, ".ptr describes parameters of kernels only", {
      remedy: "remove '.ptr' and its attributes",
    });
  if (pointer.align !== undefined && !isPowerOfTwo(pointer.align)) {
    reporter.report("bad-alignment", type, `alignment ${pointer.align} is not a power of two`);
  }
  const align = pointer.align === undefined ? undefined : Number(pointer.align);
  return { name, space, layout, pointer: { space: pointer.space, align } };
}

/** Rejects attributes: `.managed` and `.unified` are for .global variables only: section 5.4.8. */
export function refuseAttributes({ attributes }: Node["type"], what: string, reporter: Reporter): void {
  if (attributes.length > 0)
    reporter.report("attribute", attributes[0]!, `${what} cannot be .${attributes[0]!.name}`, {
      remedy: "remove .attribute",
    });
}

function memoryParameterFault(layout: Layout, owner: ListOwner, platform: Platform): string | undefined {
  if (layout.type.class === "opaque")
    return owner === "kernel"
      ? samplerFault(layout.type, platform)
      : `a .${layout.type.name} can be a parameter of kernels only`;
  if (isMentionOnly(owner) && layout.dimensions.length === 0) return scalarFault(layout);
  const fault = memoryFault(layout, "param");
  if (fault !== undefined || owner !== "function") return fault;
  if (layout.dimensions.length === 0 && isNarrowValue(layout) && platform.convention) return narrowFault(layout);
  return argumentAlignmentFault(layout);
}

/** Whether the list only describes a function defined elsewhere, so that its parameters need no memory here. */
const isMentionOnly = (owner: ListOwner): boolean => owner === "prototype" || owner === "declaration";

/**
 * The reason why a parameter that is no array cannot be in a declaration: ptxas accepts vectors and single predicates, but no
 * vector of predicates.
 */
const scalarFault = ({ type, vector }: Layout): string | undefined =>
  vector > 1 && type.class === "predicate" ? vectorOfPredicates : undefined;

function registerParameterFault(layout: Layout, owner: ListOwner, platform: Platform): string | undefined {
  if (layout.dimensions.length > 0) return "a register cannot be an array";
  if (layout.vector > 1 && layout.type.class === "predicate") return vectorOfPredicates;
  return owner === "function" && isNarrowValue(layout) && platform.convention
    ? `a .${layout.type.name} register cannot be passed to or from a function`
    : undefined;
}

const largestArgumentAlignment = 128;

/** The reason why the alignment of an argument in memory is too large. */
export const argumentAlignmentFault = ({ align }: Layout): string | undefined =>
  align > largestArgumentAlignment
    ? `alignment ${align} is too much for arguments of functions; the limit is ${largestArgumentAlignment}`
    : undefined;
