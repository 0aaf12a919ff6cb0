// The special registers: PTX ISA 9.0 chapter 10. Read by mov and cvt only.

import type { Requirement } from "./requirement.js";
import { parseTarget, parseVersion } from "./requirement.js";
import { dataType, type DataType } from "./types.table.js";

export interface SpecialRegister {
  /** As written: "%tid". */
  readonly name: string;
  readonly type: DataType;
  /** Has the components .x .y .z .w, and may be moved whole. */
  readonly vector: boolean;
  /** Further sizes in which it may be read: %tid.x was .u16 before PTX ISA 2.0, %gridid is read as .u32 and .u64. */
  readonly alsoBits: readonly number[];
  readonly needs: Requirement;
}

type RowText = readonly [
  names: string,
  type: string,
  needs: string,
  kind?: "vector" | "scalar",
  alsoBits?: readonly number[],
];

const lines: readonly RowText[] = [
  ["tid ntid ctaid nctaid", "u32", "1.0", "vector", [16, 64]],
  ["laneid warpid nwarpid smid nsmid", "u32", "1.3"],
  ["gridid", "u64", "1.0", "scalar", [16, 32]],
  ["lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt", "u32", "2.0:sm_20"],
  ["clock", "u32", "1.0"],
  ["clock_hi", "u32", "5.0:sm_20"],
  ["clock64", "u64", "2.0:sm_20"],
  ["pm0 pm1 pm2 pm3", "u32", "1.3"],
  ["pm4 pm5 pm6 pm7", "u32", "3.0:sm_20"],
  ["pm0_64 pm1_64 pm2_64 pm3_64 pm4_64 pm5_64 pm6_64 pm7_64", "u64", "4.0:sm_50"],
  [Array.from({ length: 32 }, (_, i) => `envreg${i}`).join(" "), "b32", "2.1"],
  ["globaltimer", "u64", "3.1:sm_30"],
  ["globaltimer_lo globaltimer_hi", "u32", "3.1:sm_30"],
  [
    "reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap reserved_smem_offset_0 reserved_smem_offset_1",
    "b32",
    "7.6:sm_80",
  ],
  ["total_smem_size dynamic_smem_size", "u32", "4.1:sm_20"],
  ["aggr_smem_size", "u32", "8.1:sm_90"],
  ["current_graph_exec", "u64", "8.0:sm_50"],
  ["is_explicit_cluster", "pred", "7.8:sm_90"],
  ["clusterid nclusterid cluster_ctaid cluster_nctaid", "u32", "7.8:sm_90", "vector"],
  ["cluster_ctarank cluster_nctarank", "u32", "7.8:sm_90"],
];

function requirement(text: string): Requirement {
  const [version, target] = text.split(":");
  const parsed = parseTarget(target ?? "");
  return { ptx: parseVersion(version!), targets: parsed === undefined ? [] : [parsed] };
}

export const specialRegisters: readonly SpecialRegister[] = lines.flatMap(([names, type, needs, kind, alsoBits]) =>
  names.split(" ").map((name) => ({
    name: `%${name}`,
    type: dataType(type)!,
    vector: kind === "vector",
    alsoBits: alsoBits ?? [],
    needs: requirement(needs),
  })),
);

const byName: ReadonlyMap<string, SpecialRegister> = new Map(
  specialRegisters.map((register) => [register.name, register]),
);

/** The special register of that name, written with its %, without a component. */
export function specialRegister(name: string): SpecialRegister | undefined {
  return byName.get(name);
}
