// Lint: a constant whose value changes when it is converted to its operand's type: an integer that loses bits, or a float that
// becomes infinite.

import type { DataType } from "../../isa/types.table.js";
import { foldConstant, type Constant } from "../../ptx/constant.js";
import type { Operand as OperandNode } from "../../ptx/tree.js";
import type { Reporter } from "../reporter.js";

const infinities: ReadonlySet<bigint> = new Set([0x7f80_0000n, 0xff80_0000n]);

/** Whether an integer fits into that many bits, as signed or as unsigned. */
const fitsBits = (value: bigint, bits: number): boolean =>
  value >= -(1n << BigInt(bits - 1)) && value < 1n << BigInt(bits);

export const constantLint = {
  /** `bits` is the constant after conversion to the type. */
  mayApply(type: DataType | undefined, value: Constant, bits: bigint): boolean {
    if (type === undefined) return false;
    if (type.class === "float") return type.bits === 32 && value.kind !== "f32-bits" && infinities.has(bits);
    if (value.kind !== "integer" || type.class === "predicate" || type.bits >= 64) return false;
    return !(value.value === bits || fitsBits(value.value, type.bits));
  },

  /** `mayApply` for operands whose types are not known yet. */
  mayApplyToNodes(nodes: readonly OperandNode[]): boolean {
    return nodes.some((node) => {
      if (node.kind === "vector") return constantLint.mayApplyToNodes(node.elements);
      if (node.kind === "pair") return constantLint.mayApplyToNodes([node.first, node.second]);
      return node.kind === "constant" && !(node.value.kind === "integer" && node.value.value < 128n);
    });
  },

  report(bits: bigint, type: DataType, node: OperandNode & { kind: "constant" }, reporter: Reporter): void {
    const { value: expression } = node;
    if (type.class === "float") {
      const isExact = expression.kind === "float" && expression.spelling === "f32-bits";
      if (type.bits !== 32 || !infinities.has(bits) || isExact) return;
      const value = foldConstant(expression, ignore);
      if (value?.kind === "float" && Number.isFinite(value.value))
        reporter.report(
          "float-range",
          node,
          `${value.value} is beyond the range of .${type.name} and becomes infinite`,
        );
      return;
    }
    if (type.class === "predicate" || type.bits >= 64) return;
    if (expression.kind === "integer" && expression.value >> BigInt(type.bits) === 0n) return;
    const value = foldConstant(expression, ignore);
    if (value?.kind !== "integer" || fitsBits(value.value, type.bits)) return;
    const message = `${value.value} does not fit .${type.name}; its low ${type.bits} bits are used: ${bits}`;
    reporter.report("constant-truncated", node, message);
  },
};

const ignore = (): void => undefined;
