// Synchronisation and communication between threads: barriers, fences, atomics, votes. PTX ISA 9.0 section 9.7.13, except
// mbarrier and related instructions (async.table.ts).

import type { Row } from "../form.js";
import { cacheHint, scopes, sharedSpaces, withTraits } from "./sets.js";

const atomicScopes = "cta@5.0:sm_60 cluster@7.8:sm_90 gpu@5.0:sm_60 sys@5.0:sm_60";
const atomicSemantics = "relaxed@6.0:sm_70 acquire@6.0:sm_70 release@6.0:sm_70 acq_rel@6.0:sm_70";
const reductionSemantics = "relaxed@6.0:sm_70 release@6.0:sm_70";
const spaces = `global ${sharedSpaces}`;

/**
 * Limits for features that GPUs before sm_12 lack, or GPUs before Fermi: generic addresses, and 64-bit atomics on shared memory.
 */
const sinceFermi = [
  "!space -> @2.0:sm_20",
  "space=shared type=b64|u64|s64 -> @2.0:sm_20",
  "space!=global -> @1.2:sm_12",
  "type=b64|u64|s64 -> @1.2:sm_12",
];

const atomicLimits = [
  ...sinceFermi,
  "op=and|or|xor|exch -> type=b32|b64",
  "op=add -> type=u32|s32|u64|f32|f64",
  "op=inc|dec -> type=u32",
  "op=min|max -> type=u32|s32|u64|s64",
  "hint space -> space=global",
  "type=f32 -> @2.0:sm_20",
  "type=f64 -> @5.0:sm_60",
  "op=and|or|xor|min|max type=b64|u64|s64 -> @3.1:sm_32",
];
const atomicTypes = "b32 b64 u32 u64 s32 s64 f32 f64";

/** Rows of atom and red. red has no result, fewer orderings, and lacks operations that need the result (exch, cas). */
const both = (row: Row & { readonly red?: string }): readonly Row[] => {
  const { red, ...atom } = row;
  return [
    atom,
    {
      ...atom,
      id: atom.id.replace("atom", "red"),
      syntax: atom.syntax.replace("atom", "red").replace(/ \{_\}d[^,]*,/, ""),
      slots: { ...atom.slots, sem: reductionSemantics, ...(red === undefined ? {} : { op: red }) },
      ...(atom.limits === undefined
        ? {}
        : { limits: atom.limits.map((l) => (red === undefined ? l : l.replace("|exch", ""))) }),
      section: "9.7.13.6",
    },
  ];
};

/**
 * Rows of bar and barrier. `bar` is `barrier` with all threads of a warp taking part; `others` are the requirements of all forms
 * except sync.
 */
const barriers = (name: string, aligned: string, needs: string, others = needs): readonly Row[] =>
  withTraits(aligned === "" ? ["synchronizes", "barrier", "aligned"] : ["synchronizes", "barrier"], [
    {
      id: `${name}.sync`,
      syntax: `${name}{.cta}.sync${aligned} a:u32=0..15{, b:u32=0..4294967264/32}`,
      slots: { cta: "cta@7.8:sm_20" },
      needs,
      section: "9.7.13.1",
    },
    {
      id: `${name}.arrive`,
      syntax: `${name}{.cta}.arrive${aligned} a:u32=0..15, b:u32=32..4294967264/32`,
      slots: { cta: "cta@7.8:sm_20" },
      needs: others,
      section: "9.7.13.1",
    },
    {
      id: `${name}.red.popc`,
      syntax: `${name}{.cta}.red.popc${aligned}.u32 d, a=0..15{, b=0..4294967264/32}, {!}c:pred`,
      slots: { cta: "cta@7.8:sm_20" },
      needs: others,
      section: "9.7.13.1",
    },
    {
      id: `${name}.red`,
      syntax: `${name}{.cta}.red.op${aligned}.pred p:pred, a:u32=0..15{, b:u32=0..4294967264/32}, {!}c:pred`,
      slots: { cta: "cta@7.8:sm_20", op: "and or" },
      needs: others,
      section: "9.7.13.1",
    },
  ]);

export const syncRows: readonly Row[] = [
  ...barriers("bar", "", "1.0", "2.0:sm_20"),
  ...barriers("barrier", "{.aligned}", "6.0:sm_30"),
  {
    id: "bar.warp.sync",
    traits: ["synchronizes"],
    syntax: "bar.warp.sync mask:u32",
    needs: "6.0:sm_30",
    section: "9.7.13.2",
  },
  {
    id: "barrier.cluster.arrive",
    traits: ["synchronizes"],
    syntax: "barrier.cluster.arrive{.sem}{.aligned}",
    slots: { sem: "release@8.0:sm_90 relaxed@8.0:sm_90" },
    needs: "7.8:sm_90",
    section: "9.7.13.3",
  },
  {
    id: "barrier.cluster.wait",
    traits: ["synchronizes"],
    syntax: "barrier.cluster.wait{.acquire}{.aligned}",
    slots: { acquire: "acquire@8.0:sm_90" },
    needs: "7.8:sm_90",
    section: "9.7.13.3",
  },
  {
    id: "membar",
    syntax: "membar.level",
    slots: { level: "cta gl sys@2.0:sm_20" },
    needs: "1.4",
    section: "9.7.13.4",
  },
  {
    id: "membar.proxy",
    syntax: "membar.proxy.kind",
    slots: { kind: "alias" },
    needs: "7.5:sm_60",
    section: "9.7.13.4",
  },
  {
    id: "fence",
    syntax: "fence{.sem}.scope",
    slots: { sem: "sc acq_rel acquire release", scope: scopes },
    needs: "6.0:sm_70",
    section: "9.7.13.4",
  },
  {
    id: "fence.restricted.acquire",
    syntax: "fence.acquire.sync_restrict::shared::cluster.cluster",
    needs: "8.6:sm_90",
    section: "9.7.13.4",
  },
  {
    id: "fence.restricted.release",
    syntax: "fence.release.sync_restrict::shared::cta.cluster",
    needs: "8.6:sm_90",
    section: "9.7.13.4",
  },
  {
    id: "fence.mbarrier_init",
    syntax: "fence.mbarrier_init.release.cluster",
    needs: "8.0:sm_90",
    section: "9.7.13.4",
  },
  {
    id: "fence.proxy",
    syntax: "fence.proxy.kind{.space}",
    slots: { kind: "alias async@8.0:sm_90", space: "global shared::cta shared::cluster" },
    limits: ["space -> kind=async"],
    needs: "7.5:sm_70",
    section: "9.7.13.4",
  },
  {
    id: "fence.proxy.tensormap.release",
    syntax: "fence.proxy.tensormap::generic.release.scope",
    slots: { scope: scopes },
    needs: "8.3:sm_90",
    section: "9.7.13.4",
  },
  {
    id: "fence.proxy.tensormap.acquire",
    syntax: "fence.proxy.tensormap::generic.acquire.scope [a], #size:u32=128",
    slots: { scope: scopes },
    needs: "8.3:sm_90",
    section: "9.7.13.4",
  },
  {
    id: "fence.proxy.alias",
    syntax: "fence.proxy.alias.sem.sys",
    slots: { sem: "acquire release" },
    needs: "9.4:sm_90",
    section: "9.7.13.4",
  },
  {
    id: "fence.proxy.fabric",
    syntax: "fence.proxy.kind.alias.sem.sys",
    slots: { kind: "generic::fabric fabric::generic fabric::fabric", sem: "acquire release" },
    needs: "9.3:sm_100",
    section: "9.7.13.4",
  },
  {
    id: "fence.proxy.async.read",
    syntax: "fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster",
    needs: "9.4:sm_90",
    section: "9.7.13.4",
  },
  {
    id: "fence.proxy.async.acquire",
    syntax: "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
    needs: "8.6:sm_90",
    section: "9.7.13.4",
  },
  {
    id: "fence.proxy.async.release",
    syntax: "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
    needs: "8.6:sm_90",
    section: "9.7.13.4",
  },
  ...both({
    id: "atom",
    traits: ["atomic", "wide-address"],
    syntax: "atom{.sem}{.scope}{.space}.op{.hint}.type {_}d, [a], b{, pol:u64?hint}",
    slots: {
      sem: atomicSemantics,
      scope: atomicScopes,
      space: spaces,
      op: "and or xor exch add inc dec min max",
      hint: cacheHint,
      type: atomicTypes,
    },
    red: "and or xor add inc dec min max",
    limits: atomicLimits,
    needs: "1.1:sm_11",
    section: "9.7.13.5",
  }),
  {
    id: "atom.cas",
    traits: ["atomic", "wide-address"],
    syntax: "atom{.sem}{.scope}{.space}.cas.type {_}d, [a], b, c",
    slots: {
      sem: atomicSemantics,
      scope: atomicScopes,
      space: spaces,
      type: "b16@6.3:sm_70 b32 b64 b128@8.3:sm_90",
    },
    limits: [...sinceFermi.map((limit) => limit.replace("|u64|s64", "")), "type=b128 scope=sys -> @8.4:sm_90"],
    needs: "1.1:sm_11",
    section: "9.7.13.5",
  },
  {
    id: "atom.exch.b128",
    traits: ["atomic", "wide-address"],
    syntax: "atom{.sem}{.scope}{.space}.exch{.hint}.b128 {_}d, [a], b{, pol:u64?hint}",
    slots: { sem: atomicSemantics, scope: atomicScopes, space: spaces, hint: cacheHint },
    limits: ["hint space -> space=global", "scope=sys -> @8.4:sm_90"],
    needs: "8.3:sm_90",
    section: "9.7.13.5",
  },
  ...both({
    id: "atom.add.f16",
    traits: ["atomic", "wide-address"],
    syntax: "atom{.sem}{.scope}{.space}.add.noftz{.hint}.type {_}d, [a], b{, pol:u64?hint}",
    slots: {
      sem: atomicSemantics,
      scope: atomicScopes,
      space: spaces,
      hint: cacheHint,
      type: "f16@6.3:sm_70 f16x2 bf16@7.8:sm_90 bf16x2@7.8:sm_90 f32@9.4:sm_90",
    },
    limits: ["hint space -> space=global"],
    needs: "6.2:sm_60",
    section: "9.7.13.5",
  }),
  ...both({
    id: "atom.vector.f32",
    traits: ["atomic", "wide-address"],
    syntax: "atom{.sem}{.scope}{.global}.add{.noftz}{.hint}.vec.f32 {_}d*vec, [a], b*vec{, pol:u64?hint}",
    slots: { sem: atomicSemantics, scope: atomicScopes, noftz: "noftz@9.4", hint: cacheHint, vec: "v2 v4" },
    needs: "8.1:sm_90",
    section: "9.7.13.5",
  }),
  ...both({
    id: "atom.vector.f16",
    traits: ["atomic", "wide-address"],
    syntax: "atom{.sem}{.scope}{.global}.op.noftz{.hint}.vec.type {_}d*vec, [a], b*vec{, pol:u64?hint}",
    slots: {
      sem: atomicSemantics,
      scope: atomicScopes,
      op: "add min max",
      hint: cacheHint,
      vec: "v2 v4 v8",
      type: "f16 bf16 f16x2 bf16x2",
    },
    limits: ["vec=v8 -> type=f16|bf16"],
    needs: "8.1:sm_90",
    section: "9.7.13.5",
  }),
  {
    id: "vote",
    syntax: "vote.mode.pred d, {!}a",
    slots: { mode: "all any uni" },
    needs: "1.2:sm_12",
    until: "6.3:sm_70",
    section: "9.7.13.8",
  },
  {
    id: "vote.ballot",
    syntax: "vote.ballot.b32 d, {!}a:pred",
    needs: "2.0:sm_20",
    until: "6.3:sm_70",
    section: "9.7.13.8",
  },
  {
    id: "vote.sync",
    syntax: "vote.sync.mode.pred d, {!}a, mask:u32",
    slots: { mode: "all any uni" },
    needs: "6.0:sm_30",
    section: "9.7.13.9",
  },
  {
    id: "vote.sync.ballot",
    syntax: "vote.sync.ballot.b32 d, {!}a:pred, mask:u32",
    needs: "6.0:sm_30",
    section: "9.7.13.9",
  },
  {
    id: "match.any",
    syntax: "match.any.sync.type d:u32, a, mask:u32",
    slots: { type: "b32 b64" },
    needs: "6.0:sm_70",
    section: "9.7.13.10",
  },
  {
    id: "match.all",
    syntax: "match.all.sync.type {_}d:u32{|{_}p:pred}, a, mask:u32",
    slots: { type: "b32 b64" },
    needs: "6.0:sm_70",
    section: "9.7.13.10",
  },
  { id: "activemask", syntax: "activemask.b32 d", needs: "6.2:sm_30", section: "9.7.13.11" },
  {
    id: "redux",
    syntax: "redux.sync.op.type d:u32, a:u32, mask:u32",
    slots: { op: "add min max and or xor", type: "u32 s32 b32" },
    limits: ["op=and|or|xor -> type=b32", "op=add|min|max -> type=u32|s32"],
    needs: "7.0:sm_80",
    section: "9.7.13.12",
  },
  {
    id: "redux.f32",
    syntax: "redux.sync.op{.abs}{.NaN}.f32 d, a, mask:u32",
    slots: { op: "min max" },
    needs: "8.6:sm_100f",
    section: "9.7.13.12",
  },
  {
    id: "griddepcontrol",
    syntax: "griddepcontrol.action",
    slots: { action: "launch_dependents wait" },
    needs: "7.8:sm_90",
    section: "9.7.13.13",
  },
  { id: "elect", syntax: "elect.sync {_}d:u32|p:pred, mask:u32", needs: "8.0:sm_90", section: "9.7.13.14" },
];
