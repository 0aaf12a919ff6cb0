// Parameter lists of kernels, functions and prototypes: PTX ISA 9.0 sections 5.1.6 and 7.1, and the rules of ptxas 13.0 for
// what its calling convention can pass.

import type { Layout, Parameter } from "../isa/code.js";
import type { Parameter as Node } from "../ptx/tree.js";
import { requireFeature, type Platform } from "./require.js";
import { isPowerOfTwo, layoutOf, memoryFault } from "./layout.js";
import type { Reporter } from "./reporter.js";

/** Whose list it is. `prototype` lists describe a function of elsewhere: names may be left out. */
export type ListOwner = "kernel" | "function" | "declaration" | "prototype";

/** What a parameter list is checked for. */
export interface ListContext {
  readonly platform: Platform;
  readonly reporter: Reporter;
}

/** Folds a list; faulty parameters are reported and left out, so that a shorter list than the text's is a faulty one. */
export function checkParameters(nodes: readonly Node[], owner: ListOwner, context: ListContext): readonly Parameter[] {
  nodes.forEach(({ declarator, type }, i) => {
    const open = declarator.dimensions.some(({ size }) => size === undefined);
    if (!open || type.space !== "param") return;
    if (owner === "kernel" || i < nodes.length - 1) {
      context.reporter.report("incomplete-type", declarator, `'${declarator.name.text}' has no size`, {
        remedy: owner === "kernel" ? "give its array bound" : "only the last parameter of a function may be open",
      });
    }
  });
  return nodes.flatMap((node) => checkParameter(node, owner, context) ?? []);
}

/** Folds the results of a function: several are possible in registers only. */
export function checkReturns(nodes: readonly Node[], owner: ListOwner, context: ListContext): readonly Parameter[] {
  const memory = nodes.find(({ type }) => type.space !== "reg");
  if (nodes.length > 1 && memory !== undefined) {
    context.reporter.report("variable-space", memory, "several return values are possible in .reg only", {
      remedy: "return one array, or pass addresses",
    });
  }
  return checkParameters(nodes, owner, context);
}

function checkParameter(node: Node, owner: ListOwner, { platform, reporter }: ListContext): Parameter | undefined {
  const { type, declarator } = node;
  const layout = layoutOf(type, declarator, platform, reporter);
  if (layout === undefined) return undefined;
  const name = declarator.name.text;
  const kernel = owner === "kernel";
  const { space } = type;
  if (space !== "param" && (space !== "reg" || kernel)) {
    reporter.report(
      "variable-space",
      type,
      `a parameter of a ${kernel ? "kernel" : "function"} is in .param${kernel ? "" : " or .reg"}, not .${space}`,
    );
    return undefined;
  }
  const fault =
    space === "param"
      ? layout.type.class === "opaque"
        ? kernel
          ? undefined
          : `a .${layout.type.name} can be a parameter of kernels only`
        : owner === "prototype" && layout.vector > 1
          ? undefined
          : memoryFault(layout, "param")
      : layout.dimensions.length > 0
        ? "a register cannot be an array"
        : owner === "function" && isNarrowValue(layout) && platform.convention
          ? `a .${layout.type.name} register cannot be passed to or from a function`
          : undefined;
  if (fault !== undefined) {
    reporter.report("variable-space", type, fault);
    return undefined;
  }
  if (space === "param" && !kernel) requireFeature("a function parameter in .param", type, platform, reporter);
  if (owner === "function" && name === "_") {
    reporter.report("variable-space", declarator, "a parameter of a function with a body needs a name");
  }
  if (declarator.initializer !== undefined) {
    reporter.report("initializer-space", declarator.initializer, "a parameter has no initial value");
  }
  const { pointer } = type;
  if (pointer === undefined) return { name, space, layout };
  requireFeature("a .ptr parameter", type, platform, reporter);
  if (!kernel) reporter.report("variable-space", type, ".ptr describes parameters of kernels only");
  if (pointer.align !== undefined && !isPowerOfTwo(pointer.align)) {
    reporter.report("bad-alignment", type, `alignment ${pointer.align} is not a power of two`);
  }
  const align = pointer.align === undefined ? undefined : Number(pointer.align);
  return { name, space, layout, pointer: { space: pointer.space, align } };
}

/** A predicate or a small number; ptxas passes untyped bits, halves and vectors of any size. */
export function isNarrowValue({ type, vector }: Layout): boolean {
  return vector === 1 && type.bits < 32 && type.class !== "float" && type.class !== "bits";
}
