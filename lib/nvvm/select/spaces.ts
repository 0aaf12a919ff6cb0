// The state space that all pointers of a generic phi share, if there is one: found by assuming that every phi has one, and
// giving up where its values disagree.

import type { Body, GlobalVariable } from "../ir/global.js";
import type { Instruction } from "../ir/instruction.js";
import type { Value } from "../ir/value.js";
import type { Flow } from "../lower/flow.js";

const names: Readonly<Record<number, string>> = { 1: "global", 3: "shared", 4: "const", 5: "local" };

export function inferPhiSpaces(
  body: Body,
  flow: Flow,
  spaceOf: (variable: GlobalVariable) => string,
): ReadonlyMap<Instruction, string> {
  const phis: Instruction[] = [];
  for (const index of flow.order) {
    for (const one of body.blocks[index]!.instructions) {
      if (one.opcode !== "phi") break;
      if (one.type.kind === "pointer" && one.type.space === 0) phis.push(one);
    }
  }
  const found = new Map<Instruction, string>();
  if (phis.length === 0) return found;

  /** "" is generic or unknown; undefined gives no information: a phi that is not decided yet, undef. */
  function pointeeSpace(value: Value, depth: number): string | undefined {
    if (value.type.kind !== "pointer" || depth > 64) return "";
    if (value.type.space !== 0) return names[value.type.space] ?? "";
    if (value.kind === "variable") return spaceOf(value);
    if (value.kind === "undef" || value.kind === "poison") return undefined;
    if (value.kind !== "instruction" && value.kind !== "expression") return "";
    const [first, second, third] = value.operands;
    switch (value.opcode) {
      case "getelementptr":
      case "addrspacecast":
        return pointeeSpace(first!, depth + 1);
      case "bitcast":
        // A bitcast between spaces keeps the bits, not the pointee.
        return first!.type.kind === "pointer" && first!.type.space === 0 ? pointeeSpace(first!, depth + 1) : "";
      case "alloca":
        return "local";
      case "select":
        return meet(pointeeSpace(second!, depth + 1), pointeeSpace(third!, depth + 1));
      case "phi":
        return found.has(value as Instruction) ? found.get(value as Instruction) : undefined;
      default:
        return "";
    }
  }
  const meet = (a: string | undefined, b: string | undefined): string | undefined =>
    a === undefined ? b : b === undefined || a === b ? a : "";

  for (let changed = true; changed;) {
    changed = false;
    for (const phi of phis) {
      if (found.get(phi) === "") continue;
      const space = phi.operands.map((value) => pointeeSpace(value, 0)).reduce(meet, undefined);
      if (space === undefined || space === found.get(phi)) continue;
      found.set(phi, found.has(phi) ? "" : space);
      changed = true;
    }
  }
  for (const [phi, space] of found) if (space === "" || space === "code") found.delete(phi);
  return found;
}
