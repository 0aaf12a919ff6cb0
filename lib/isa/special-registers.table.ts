// Special registers: PTX ISA 9.0 chapter 10. mov and cvt read them; a vector register has the components x, y, z and (always
// zero) w.

import { parseRequirement, type Requirement } from "./requirement.js";
import { dataType, type DataType } from "./types.table.js";

export interface SpecialRegister {
  /** Name with its percent sign: "%tid". */
  readonly name: string;
  /** Type of the register, or of each component. */
  readonly type: DataType;
  /** Has components, such as %tid.x; mov.v4 reads the whole register. */
  readonly vector: boolean;
  /** Other sizes in which mov may read it: %tid.x was .u16 before PTX 2.0, %gridid .u16 and .u32. */
  readonly alsoBits: readonly number[];
  readonly needs: Requirement;
  readonly section: string;
}

const row = (section: string, names: string, type: string, needs = "1.0", more: Partial<SpecialRegister> = {}) =>
  names.split(" ").map((name): SpecialRegister => ({
    name: `%${name}`,
    type: dataType(type)!,
    vector: false,
    alsoBits: [],
    ...more,
    needs: parseRequirement(needs),
    section,
  }));

const numbered = (prefix: string, from: number, to: number, suffix = ""): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${prefix}${from + i}${suffix}`).join(" ");

const dimensions = { vector: true, alsoBits: [16] };
const vector = { vector: true };

export const specialRegisters: readonly SpecialRegister[] = [
  ...row("10.1", "tid", "u32", "1.0", dimensions),
  ...row("10.2", "ntid", "u32", "1.0", dimensions),
  ...row("10.3", "laneid", "u32", "1.3"),
  ...row("10.4", "warpid", "u32", "1.3"),
  ...row("10.5", "nwarpid", "u32", "2.0:sm_20"),
  ...row("10.6", "ctaid", "u32", "1.0", dimensions),
  ...row("10.7", "nctaid", "u32", "1.0", dimensions),
  ...row("10.8", "smid", "u32", "1.3"),
  ...row("10.9", "nsmid", "u32", "2.0:sm_20"),
  ...row("10.10", "gridid", "u64", "1.0", { alsoBits: [16, 32] }),
  ...row("10.11", "is_explicit_cluster", "pred", "7.8:sm_90"),
  ...row("10.12", "clusterid", "u32", "7.8:sm_90", vector),
  ...row("10.13", "nclusterid", "u32", "7.8:sm_90", vector),
  ...row("10.14", "cluster_ctaid", "u32", "7.8:sm_90", vector),
  ...row("10.15", "cluster_nctaid", "u32", "7.8:sm_90", vector),
  ...row("10.16", "cluster_ctarank", "u32", "7.8:sm_90"),
  ...row("10.17", "cluster_nctarank", "u32", "7.8:sm_90"),
  ...row("10.18", "lanemask_eq", "u32", "2.0:sm_20"),
  ...row("10.19", "lanemask_le", "u32", "2.0:sm_20"),
  ...row("10.20", "lanemask_lt", "u32", "2.0:sm_20"),
  ...row("10.21", "lanemask_ge", "u32", "2.0:sm_20"),
  ...row("10.22", "lanemask_gt", "u32", "2.0:sm_20"),
  ...row("10.23", "clock", "u32", "1.0"),
  ...row("10.23", "clock_hi", "u32", "5.0:sm_20"),
  ...row("10.24", "clock64", "u64", "2.0:sm_20"),
  ...row("10.25", numbered("pm", 0, 3), "u32", "1.3"),
  ...row("10.25", numbered("pm", 4, 7), "u32", "3.0:sm_20"),
  ...row("10.26", numbered("pm", 0, 7, "_64"), "u64", "4.0:sm_50"),
  ...row("10.27", numbered("envreg", 0, 31), "b32"),
  ...row("10.28", "globaltimer", "u64", "3.1:sm_30"),
  ...row("10.28", "globaltimer_lo globaltimer_hi", "u32", "3.1:sm_30"),
  ...row(
    "10.29",
    "reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap " +
      "reserved_smem_offset_0 reserved_smem_offset_1",
    "b32",
    "7.6:sm_80",
  ),
  ...row("10.30", "total_smem_size", "u32", "4.1:sm_20"),
  ...row("10.31", "aggr_smem_size", "u32", "8.1:sm_90"),
  ...row("10.32", "dynamic_smem_size", "u32", "4.1:sm_20"),
  ...row("10.33", "current_graph_exec", "u64", "8.0:sm_50"),
  // For kernels with .minperctamemory. Numbered as in PTX ISA 9.4.
  ...row("10.34", "perctamemoryoffset", "u64", "9.4:sm_80"),
  ...row("10.35", "perctamemorysize", "u32", "9.4:sm_80"),
];

const byName: ReadonlyMap<string, SpecialRegister> = new Map(specialRegisters.map((r) => [r.name, r]));

/** The special register with that name, which has its percent sign and no component. */
export function specialRegister(name: string): SpecialRegister | undefined {
  return byName.get(name);
}

/** The name of a special register, or of a component of one, in an operand. */
export const specialName = ({ name }: SpecialRegister, component: string | undefined): string =>
  component === undefined ? name.slice(1) : `${name.slice(1)}.${component}`;
