// Facts about an instruction's access to memory, from its modifiers.

import type { Instruction } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";

/** The spaces that an access may touch, as the compiler distinguishes them, and how it is ordered among others. */
export interface MemoryOrder {
  readonly space: "global" | "shared" | "local" | "const" | "any" | "none";
  /** Free: a load that may move past other loads. Fixed: stores, atomics, and volatile accesses. */
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

/** L1 may serve `.relaxed.cta`, as on an H200: all threads of the block share it. */
export function bypassesL1({ opcode }: Instruction): boolean {
  const sem = modifier(opcode, "sem");
  const cop = modifier(opcode, "cop");
  if (sem === "relaxed" && modifier(opcode, "scope") === "cta") return false;
  if (opcode.form.id === "cp.async.cg") return true;
  return cop === "cg" || cop === "cv" || sem === "volatile" || sem === "relaxed" || sem === "acquire" || sem === "mmio";
}

export type FenceReach = "block" | "gpu" | "system" | "none";

/** The scope of a fence. Proxy fences and those of a block cost the least. */
export function fenceReach({ opcode }: Instruction): FenceReach {
  const { id } = opcode.form;
  if (!id.startsWith("membar") && !id.startsWith("fence")) return "none";
  const says = (...words: readonly string[]): boolean => words.some((word) => opcode.chosen.includes(word));
  if (/proxy|mbarrier_init/.test(id) || says("cta")) return "block";
  return says("sys") || (id.startsWith("fence") && !says("gl", "gpu", "cluster")) ? "system" : "gpu";
}
