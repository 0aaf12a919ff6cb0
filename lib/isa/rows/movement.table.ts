// Data movement by a single thread: mov, ld, st, prefetches, address conversions, and the shuffles between lanes. PTX ISA 9.0
// section 9.7.9, up to 9.7.9.20 and 9.7.9.23 f. Conversions are in convert.table.ts, asynchronous copies in async.table.ts.

import type { Row } from "../form.js";
import {
  bits,
  cacheHint,
  evictFromL1,
  evictFromL2,
  integers,
  loadable,
  prefetchSizes,
  scopes,
  sharedSpaces,
} from "./sets.js";

/** The constant banks of PTX before 2.2, by number. */
const bankedConstants = Array.from({ length: 11 }, (_, bank) => `const[${bank}]`).join(" ");
const anyBank = bankedConstants.replaceAll(" ", "|");

const wideVectors = [
  "vec=v8 -> type=b32|u32|s32|f32",
  "vec=v8 -> @8.8:sm_100",
  "vec=v4 type=b64|u64|s64|f64 -> @8.8:sm_100",
  "type=b128 -> !vec",
];

const evict = {
  evict1: evictFromL1.replace(/\S+/g, "$&@7.4:sm_70"),
  evict2: evictFromL2.replace(/\S+/g, "$&@8.8:sm_100"),
  hint: cacheHint,
};
/**
 * Limits of caching: eviction priorities and policies are for global memory; they and the older cache operators exclude each
 * other.
 */
const cached = [
  "cop evict1 -> never",
  "cop evict2 -> never",
  "evict1 ss -> ss=global",
  "evict2 ss -> ss=global",
  "evict2 -> vec=v4|v8",
  "evict2 vec=v4 -> type=b64|u64|s64|f64",
  "hint ss -> ss=global",
  "vec=v8 ss -> ss=global",
  "vec=v4 type=b64|u64|s64|f64 ss -> ss=global",
];

const prefetch = prefetchSizes.replace(/B( |$)/g, "B@7.4:sm_75$1");

const shuffleModes = "up down bfly idx";
const genericSpaces = "const@3.1 global local";
const sharedAddresses = "shared shared::cta@7.8:sm_30 shared::cluster@7.8:sm_90";

/** Loads from memory that is not written while the kernel runs. ptxas accepts the proxy in both positions. */
const readonlyLoads: readonly Row[] = ["ld{.global}.type.proxy::readonly", "ld.proxy::readonly{.global}.type"].map(
  (opcode, i): Row => ({
    id: i === 0 ? "ld.readonly" : "ld.readonly.first",
    traits: ["load", "wide-address"],
    syntax: `${opcode} d:type>, [a]`,
    slots: { type: loadable.replace(/b128\S* /, "") },
    needs: "9.4:sm_90",
    section: "9.7.9.8",
  }),
);

export const movementRows: readonly Row[] = [
  {
    id: "mov",
    traits: ["move"],
    syntax: "mov.type d, {!}%a",
    slots: { type: `pred ${bits} ${integers} f32 f64 b128@8.3:sm_70` },
    needs: "1.0",
    section: "9.7.9.3",
  },
  {
    id: "mov.address",
    traits: ["move", "takes-address"],
    syntax: "mov.type d, a:symbol",
    slots: { type: "b16 b32 b64 u16 u32 u64 s16 s32 s64" },
    needs: "1.0",
    section: "9.7.9.3",
  },
  {
    id: "mov.pack",
    traits: ["move"],
    syntax: "mov.type d, %a:split",
    slots: { type: `${bits} b128@8.3:sm_70` },
    needs: "1.0",
    section: "9.7.9.4",
  },
  {
    id: "mov.vector",
    traits: ["move"],
    syntax: "mov.vec.type d*vec, %a*vec",
    slots: { vec: "v2 v4", type: `${bits} ${integers} f32 f64` },
    limits: ["vec=v4 -> type!=b64|u64|s64|f64"],
    needs: "1.0",
    section: "9.7.9.3",
  },
  {
    id: "mov.unpack",
    traits: ["move"],
    syntax: "mov.type d:split, a",
    slots: { type: `${bits} b128@8.3:sm_70` },
    needs: "1.0",
    section: "9.7.9.4",
  },
  {
    id: "shfl",
    syntax: "shfl.mode.b32 d{|{_}p:pred}, a, b:u32, c:u32",
    slots: { mode: shuffleModes },
    needs: "3.0:sm_30",
    until: "6.3:sm_70",
    section: "9.7.9.5",
  },
  {
    id: "shfl.sync",
    syntax: "shfl.sync.mode.b32 d{|{_}p:pred}, a, b:u32, c:u32, mask:u32",
    slots: { mode: shuffleModes },
    needs: "6.0:sm_30",
    section: "9.7.9.6",
  },
  {
    id: "prmt",
    syntax: "prmt.b32{.mode} d, a, b, c",
    slots: { mode: "f4e b4e rc8 ecl ecr rc16" },
    needs: "2.0:sm_20",
    section: "9.7.9.7",
  },
  {
    id: "ld",
    traits: ["load", "wide-address"],
    syntax:
      "ld{.sem}{.scope}{.ss}{.cop}{.evict1}{.evict2}{.hint}{.prefetch}{.vec}.type d:type>*vec, [a]{.unified}{, pol:u64?hint}",
    slots: {
      sem: "weak@6.0:sm_70 volatile@1.1 relaxed@6.0:sm_70 acquire@6.0:sm_70",
      scope: scopes,
      ss: `const global local param param::entry@8.3 param::func@8.3 ${sharedSpaces} ${bankedConstants}`,
      cop: "ca@2.0:sm_20 cg@2.0:sm_20 cs@2.0:sm_20 lu@2.0:sm_20 cv@2.0:sm_20",
      ...evict,
      prefetch,
      vec: "v2 v4 v8",
      type: loadable,
    },
    limits: [
      "!ss -> @2.0:sm_20",
      `ss=${anyBank} -> until 2.1`,
      `ss=${anyBank.replace("const[0]|", "")} -> @1.5`,
      "scope -> sem=relaxed|acquire",
      `sem=relaxed|acquire -> ss!=const|local|param|param::entry|param::func|${anyBank}`,
      `sem=volatile -> ss!=const|param|param::entry|param::func|${anyBank}`,
      "sem=volatile ss=local -> @9.1",
      "prefetch ss -> ss=global",
      "sem=relaxed|acquire -> scope",
      "scope=sys type=b128 -> @8.4",
      "sem=volatile|relaxed|acquire -> !cop",
      "sem=volatile -> !evict1",
      "sem=volatile -> !evict2",
      "sem=volatile -> !hint",
      ...cached,
      ...wideVectors,
    ],
    needs: "1.0",
    section: "9.7.9.8",
  },
  {
    id: "ld.mmio",
    traits: ["load", "wide-address"],
    syntax: "ld.mmio.sem.sys{.global}.type d:type>, [a]",
    slots: { sem: "relaxed acquire@9.3:sm_75", type: loadable },
    limits: ["type=b128 -> @8.4"],
    needs: "8.2:sm_70",
    section: "9.7.9.8",
  },
  {
    id: "ld.nc",
    traits: ["load", "wide-address"],
    syntax: "ld.global{.cop}.nc{.evict1}{.evict2}{.hint}{.prefetch}{.vec}.type d:type>*vec, [a]{, pol:u64?hint}",
    slots: { cop: "ca cg cs", ...evict, prefetch, vec: "v2 v4 v8", type: loadable },
    limits: [...cached.filter((limit) => !limit.includes("ss=")), ...wideVectors],
    needs: "3.1:sm_32",
    section: "9.7.9.9",
  },
  ...readonlyLoads,
  {
    id: "ldu",
    traits: ["load", "wide-address"],
    syntax: "ldu{.global}{.vec}.type d:type>*vec, [a]",
    slots: { vec: "v2 v4", type: loadable },
    limits: ["type=b128 -> !vec", "vec=v4 -> type!=b64|u64|s64|f64"],
    needs: "2.0:sm_20",
    section: "9.7.9.10",
  },
  {
    id: "st",
    traits: ["store", "wide-address"],
    syntax: "st{.sem}{.scope}{.ss}{.cop}{.evict1}{.evict2}{.hint}{.vec}.type [a], {_}b:type>*vec{, pol:u64?hint}",
    slots: {
      sem: "weak@6.0:sm_70 volatile@1.1 relaxed@6.0:sm_70 release@6.0:sm_70",
      scope: scopes,
      ss: `global local param param::func@8.3 ${sharedSpaces}`,
      cop: "wb@2.0:sm_20 cg@2.0:sm_20 cs@2.0:sm_20 wt@2.0:sm_20",
      ...evict,
      vec: "v2 v4 v8",
      type: loadable,
    },
    limits: [
      "!ss -> @2.0:sm_20",
      "ss=param -> @2.0",
      "scope -> sem=relaxed|release",
      "sem=relaxed|release -> ss!=local|param|param::func",
      "sem=volatile -> ss!=param|param::func",
      "sem=volatile ss=local -> @9.1",
      "sem=relaxed|release -> scope",
      "scope=sys type=b128 -> @8.4",
      "sem=volatile|relaxed|release -> !cop",
      "sem=volatile -> !evict1",
      "sem=volatile -> !evict2",
      "sem=volatile -> !hint",
      ...cached,
      ...wideVectors,
    ],
    needs: "1.0",
    section: "9.7.9.11",
  },
  {
    id: "st.mmio",
    traits: ["store", "wide-address"],
    syntax: "st.mmio.sem.sys{.global}.type [a], b:type>",
    slots: { sem: "relaxed release@9.3:sm_75", type: loadable },
    limits: ["type=b128 -> @8.4"],
    needs: "8.2:sm_70",
    section: "9.7.9.11",
  },
  {
    id: "prefetch",
    traits: ["wide-address"],
    syntax: "prefetch{.space}.level [a]",
    slots: { space: "global local", level: "L1 L2" },
    needs: "2.0:sm_20",
    section: "9.7.9.15",
  },
  {
    id: "prefetch.evict",
    traits: ["wide-address"],
    syntax: "prefetch{.global}.evict [a]",
    slots: { evict: "L2::evict_last L2::evict_normal" },
    needs: "7.4:sm_80",
    section: "9.7.9.15",
  },
  {
    id: "prefetch.tensormap",
    syntax: "prefetch{.space}.tensormap [a]",
    slots: { space: "const param" },
    needs: "8.0:sm_90",
    section: "9.7.9.15",
  },
  {
    id: "prefetch.sector",
    traits: ["wide-address"],
    syntax: "prefetch{.global}.L1::32B.valid_addr [a]",
    needs: "9.4:sm_90",
    section: "9.7.9.15",
  },
  {
    id: "prefetchu",
    traits: ["wide-address", "global-only"],
    syntax: "prefetchu.L1 [a]",
    needs: "2.0:sm_20",
    section: "9.7.9.15",
  },
  {
    id: "applypriority",
    traits: ["wide-address"],
    syntax: "applypriority{.global}.L2::evict_normal [a], #size:u32=128",
    needs: "7.4:sm_80",
    section: "9.7.9.16",
  },
  {
    id: "discard",
    traits: ["wide-address"],
    syntax: "discard{.global}.L2 [a], #size:u32=128",
    needs: "7.4:sm_80",
    section: "9.7.9.17",
  },
  {
    id: "createpolicy.range",
    syntax: "createpolicy.range{.global}.primary{.secondary}.b64 d:u64, [a], size:u32, total:u32",
    slots: {
      primary: "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged",
      secondary: "L2::evict_first L2::evict_unchanged",
    },
    needs: "7.4:sm_80",
    section: "9.7.9.18",
  },
  {
    id: "createpolicy.fractional",
    syntax: "createpolicy.fractional.primary{.secondary}.b64 d:u64{, fraction:f32=>0..1}",
    slots: {
      primary: "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged",
      secondary: "L2::evict_first L2::evict_unchanged",
    },
    needs: "7.4:sm_80",
    section: "9.7.9.18",
  },
  { id: "createpolicy.cvt", syntax: "createpolicy.cvt.L2.b64 d:u64, a:u64", needs: "7.4:sm_80", section: "9.7.9.18" },
  {
    id: "isspacep",
    traits: ["asks-space"],
    syntax: "isspacep.space p:pred, a:u32>",
    slots: { space: `${genericSpaces} ${sharedAddresses} param@7.7:sm_70 param::entry@8.3:sm_70` },
    needs: "2.0:sm_20",
    section: "9.7.9.19",
  },
  {
    id: "cvta",
    traits: ["converts-address", "to-generic"],
    syntax: "cvta.space.size d:size, &a:size",
    slots: { space: `${genericSpaces} ${sharedAddresses} param@7.7:sm_70 param::entry@8.3:sm_70`, size: "u32 u64" },
    needs: "2.0:sm_20",
    section: "9.7.9.20",
  },
  {
    id: "cvta.to",
    traits: ["converts-address"],
    syntax: "cvta.to.space.size d:size, ^a:size",
    slots: { space: `${genericSpaces} ${sharedAddresses} param@7.7:sm_70 param::entry@8.3:sm_70`, size: "u32 u64" },
    needs: "2.0:sm_20",
    section: "9.7.9.20",
  },
  {
    id: "mapa",
    traits: ["cluster-address"],
    syntax: "mapa{.shared::cluster}.type d, &a, b:u32",
    slots: { type: "u32 u64 s32 s64" },
    needs: "7.8:sm_90",
    section: "9.7.9.23",
  },
  {
    id: "getctarank",
    traits: ["cluster-address"],
    syntax: "getctarank{.shared::cluster}.type d:u32, &a:type",
    slots: { type: "u32 u64 s32 s64" },
    needs: "7.8:sm_90",
    section: "9.7.9.24",
  },
];
