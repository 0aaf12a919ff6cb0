// The built-in GPU models, by the names that `--gpu` accepts (docs/timing.md).

import { modelOf, type GpuFacts, type GpuModel, type GpuName } from "./model.js";
import { a100, a100Forty, a100Pcie, a100PcieForty } from "./a100.table.js";
import { b200, rtx5090 } from "./blackwell.table.js";
import { a40, l40, rtx3090, rtx4090 } from "./geforce.table.js";
import { h100, h100Pcie, h200, h800 } from "./h100.table.js";
import { t4 } from "./t4.table.js";
import { v100 } from "./v100.table.js";

const factsByName: { readonly [Name in GpuName]: GpuFacts } = {
  v100,
  t4,
  a100,
  "a100-40gb": a100Forty,
  "a100-pcie": a100Pcie,
  "a100-pcie-40gb": a100PcieForty,
  rtx3090,
  a40,
  rtx4090,
  l40,
  h100,
  "h100-pcie": h100Pcie,
  h200,
  h800,
  b200,
  rtx5090,
};
/** The models with their sources, for the documentation. */
export const gpuFacts: readonly GpuFacts[] = Object.values(factsByName);

/** All GPU models, by name. */
export const gpuModels: readonly GpuModel[] = gpuFacts.map(modelOf);

/** The model with that name, regardless of case; undefined if there is none. */
export function findGpu(name: GpuName): GpuModel;
export function findGpu(name: string): GpuModel | undefined;
export function findGpu(name: string): GpuModel | undefined {
  return gpuModels.find((model) => model.name === name.toLowerCase());
}
