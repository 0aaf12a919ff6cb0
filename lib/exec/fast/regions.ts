// Memory regions that a segment accesses: their addresses and sizes, in locals that are set before the lanes.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { CLUSTER_STRIDE, windowBase } from "../../load/address-space.js";
import { CONTEXT, SITE, SITE_BYTES } from "./context.table.js";
import type { Lanes } from "./lanes.js";

/** The locals of a region. */
export interface Region {
  readonly size: Local;
  readonly place: Local;
  /** Global memory: its first address. */
  readonly base: Local | undefined;
  /** For shared memory in a cluster: offset of the block's shared memory, by its rank, which addresses in registers contain. */
  readonly rankBase?: Local;
  readonly site: number;
  /** Number of places where an access of 2^k bytes may begin; and where four of them may. */
  readonly counts: Map<number, readonly [one: Local, four: Local]>;
}

/** The regions of a segment, by kind, register and its version. */
export interface Regions {
  readonly lanes: Lanes;
  readonly newSite: () => number;
  readonly known: Map<string, Region>;
}

export const createRegions = (lanes: Lanes, newSite: () => number): Regions => ({ lanes, newSite, known: new Map() });

function regionOf({ known }: Regions, key: string, make: () => Region): Region {
  let region = known.get(key);
  if (region === undefined) known.set(key, (region = make()));
  return region;
}

/** Shared memory of the block, or constants. */
export const windowRegion = (regions: Regions, space: "shared" | "const"): Region =>
  regionOf(regions, space, () => createWindow(regions.lanes, space));

/** Local memory of each lane; only its size is common to all. */
export const stackRegion = (regions: Regions): Region => regionOf(regions, "stack", () => createStack(regions.lanes));

/** The region that accesses through a register's value cache; if they are generic, it may be shared memory. */
export const globalRegion = (regions: Regions, register: number, isGeneric: boolean): Region =>
  regionOf(regions, `${isGeneric ? "generic" : "global"}:${register}:${regions.lanes.versionOf(register)}`, () =>
    createGlobal(regions.lanes, regions.newSite(), isGeneric),
  );

/** Pushes what the block's rank adds to an address in shared memory. */
export const pushRankBase = (code: CodeWriter, context: Local): CodeWriter =>
  code.get(context).memory("i32.load", CONTEXT.rank).i32(Math.log2(CLUSTER_STRIDE)).op("i32.shl");

function createWindow(lanes: Lanes, space: "shared" | "const"): Region {
  const [place, size] = [lanes.keep("i32"), lanes.keep("i32")];
  const [at, bytes] =
    space === "shared" ? [CONTEXT.shared, CONTEXT.sharedSize] : [CONTEXT.constants, CONTEXT.constantsSize];
  lanes.before.get(lanes.context).memory("i32.load", at).set(place);
  lanes.before.get(lanes.context).memory("i32.load", bytes).set(size);
  const region = { size, place, base: undefined, site: -1, counts: new Map() };
  if (space !== "shared" || !lanes.program.isClustered) return region;
  const rankBase = lanes.keep("i32");
  pushRankBase(lanes.before, lanes.context).set(rankBase);
  return { ...region, rankBase };
}

function createStack(lanes: Lanes): Region {
  const [place, size] = [lanes.keep("i32"), lanes.keep("i32")];
  lanes.before.i32(0).set(place);
  lanes.before.get(lanes.context).memory("i32.load", CONTEXT.localTop).set(size);
  return { size, place, base: undefined, site: -1, counts: new Map() };
}

function createGlobal(lanes: Lanes, site: number, isGeneric: boolean): Region {
  const [base, size, place] = [lanes.keep("i64"), lanes.keep("i32"), lanes.keep("i32")];
  const { before, context } = lanes;
  const at = SITE_BYTES * site;
  before
    .get(context)
    .memory("i32.load", CONTEXT.sites)
    .tee(place)
    .memory("i64.load", at + SITE.base)
    .set(base);
  before
    .get(place)
    .memory("i32.load", at + SITE.size)
    .set(size);
  const pushOffset = (): CodeWriter => before.get(place).memory("i32.load", at + SITE.offset);
  if (!isGeneric) {
    pushOffset().set(place);
    return { size, place, base, site, counts: new Map() };
  }
  before
    .get(place)
    .memory("i32.load", at + SITE.isShared)
    .if();
  before.i64(BigInt(windowBase("shared")));
  if (lanes.program.isClustered) pushRankBase(before, context).op("i64.extend_i32_u", "i64.add");
  before.set(base);
  before.get(context).memory("i32.load", CONTEXT.sharedSize).set(size);
  before.get(context).memory("i32.load", CONTEXT.shared).set(place).op("else");
  pushOffset().set(place).op("end");
  return { size, place, base, site, counts: new Map() };
}

/** The number of offsets where an access of 2^shift bytes may begin, and where four adjacent ones may. */
export function accessCounts({ lanes }: Regions, region: Region, shift: number): readonly [one: Local, four: Local] {
  let counts = region.counts.get(shift);
  if (counts !== undefined) return counts;
  const isWide = region.base !== undefined;
  const type = isWide ? "i64" : "i32";
  counts = [lanes.keep(type), lanes.keep(type)];
  const { before } = lanes;
  const [one, four] = counts;
  before.get(region.size).i32(shift).op("i32.shr_u");
  if (isWide) before.op("i64.extend_i32_u");
  before.set(one);
  const constant = (value: number): CodeWriter => (isWide ? before.i64(BigInt(value)) : before.i32(value));
  before.get(one);
  constant(3).op(`${type}.sub`);
  constant(0);
  before.get(one);
  constant(3).op(`${type}.gt_u`, "select").set(four);
  region.counts.set(shift, counts);
  return counts;
}
