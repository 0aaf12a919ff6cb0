// What an instruction's words say of its access to memory.

import type { Instruction } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";

/** The spaces that an access may touch, as the compiler keeps them apart; how it keeps its place among others. */
export interface MemoryOrder {
  readonly space: "global" | "shared" | "local" | "const" | "any" | "none";
  /** Free: a load that may pass other loads. Fixed: stores, atomics, and whatever is volatile. */
  readonly keeps: "free" | "fixed";
}

const noOrder: MemoryOrder = { space: "none", keeps: "free" };

/** The state space as spelled in the opcode, without its scope; undefined for generic addresses and for instructions without one. */
export function spaceOfInstruction({ opcode }: Instruction): string | undefined {
  return (
    modifier(opcode, "ss") ??
    modifier(opcode, "space") ??
    opcode.chosen.find((word) => word !== undefined && spaces.test(word))
  );
}

const spaces = /^(global|shared|local|const)(::|$)/;

export function orderOf(kind: string, instruction: Instruction): MemoryOrder {
  switch (kind) {
    case "load":
    case "store":
    case "atomic":
    case "reduce":
    case "prefetch":
    case "async":
      break;
    case "sync":
    case "arrive":
    case "fence":
    case "wait":
    case "commit":
    case "matrix":
    case "clusterWait":
      return { space: "any", keeps: "fixed" };
    default:
      return noOrder;
  }
  const written = spaceOfInstruction(instruction)?.split("::")[0];
  const space =
    written === "global" || written === "shared" || written === "local" || written === "const" ? written : "any";
  const isPlain =
    kind === "load" && !/^(volatile|relaxed|acquire|mmio)$/.test(modifier(instruction.opcode, "sem") ?? "");
  return { space: kind === "async" ? "any" : space, keeps: isPlain ? "free" : "fixed" };
}

/** `.relaxed.cta` may be answered by L1, as an H200 does: the block's threads all share it. */
export function bypassesL1({ opcode }: Instruction): boolean {
  const sem = modifier(opcode, "sem");
  const cop = modifier(opcode, "cop");
  if (sem === "relaxed" && modifier(opcode, "scope") === "cta") return false;
  if (opcode.form.id === "cp.async.cg") return true;
  return cop === "cg" || cop === "cv" || sem === "volatile" || sem === "relaxed" || sem === "acquire" || sem === "mmio";
}

export type FenceReach = "block" | "gpu" | "system" | "none";

/** How far a fence reaches. Proxy fences and those of a block cost the least. */
export function fenceReach({ opcode }: Instruction): FenceReach {
  const { id } = opcode.form;
  if (!id.startsWith("membar") && !id.startsWith("fence")) return "none";
  const says = (...words: readonly string[]): boolean => words.some((word) => opcode.chosen.includes(word));
  if (/proxy|mbarrier_init/.test(id) || says("cta")) return "block";
  return says("sys") || (id.startsWith("fence") && !says("gl", "gpu", "cluster")) ? "system" : "gpu";
}
