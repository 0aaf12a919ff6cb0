// Sets of choices that many rows share, as text in the rows' language (form.ts), so that a row may add to them.

import type { Row } from "../form.js";
import type { Trait } from "../traits.js";

/** Gives all rows the same traits. */
export const withTraits = (traits: readonly Trait[], rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => ({ ...row, traits }));

/** Integer types of arithmetic: 8-bit ones exist only in memory and in cvt. */
export const integers = "u16 u32 u64 s16 s32 s64";
export const bits = "b16 b32 b64";
/** Types that a register can have, and that selp, slct and setp move or compare. */
export const scalars = `${bits} ${integers} f32 f64`;
/** Types of loads and stores. */
export const loadable = "b8 b16 b32 b64 b128@8.3:sm_70 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64";

export const rounding = "rn rz rm rp";
export const integerRounding = "rni rzi rmi rpi";

export const comparisons = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan";
/** Comparisons of floats: ordered, and unordered (true if an operand is NaN). */
export const floatComparisons = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan";

/** Section 8.5: the set of threads that observes an operation in order. */
export const scopes = "cta cluster@7.8:sm_90 gpu sys";
/** Section 9.7.9.2: how long a line should stay in the caches. */
export const evictFromL1 = "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate";
export const evictFromL2 = "L2::evict_normal L2::evict_first L2::evict_last";
export const prefetchSizes = "L2::64B L2::128B L2::256B@7.4:sm_80";
export const cacheHint = "L2::cache_hint@7.4:sm_80";

/** Shared memory of the executing block, or of a block of its cluster. */
export const sharedSpaces = "shared shared::cta@7.8:sm_30 shared::cluster@7.8:sm_90";

/** Targets of features introduced with Blackwell's tensor cores, for "8.6:" and later; sm_101 is now called sm_110. */
export const datacenterBlackwell = "sm_100f|sm_101f";
export const everyBlackwell = "sm_100f|sm_101f|sm_120f";
/** Rubin's family-specific features, of PTX ISA 9.4. */
export const rubin = "9.4:sm_107f";
/** Requirements of packed 8-bit integers and features introduced with them. */
export const packedBytes = "9.2:sm_120f|9.4:sm_107f";
/** Targets of features that not even a family shares. */
export const specificBlackwell = "sm_100a|sm_101a|sm_110a";
