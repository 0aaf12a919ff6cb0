// Integer arithmetic: PTX ISA 9.0 section 9.7.1.

import type { Row } from "../form.js";
import { integers } from "./sets.js";

const packed = "u16x2 s16x2";

export const integerRows: readonly Row[] = [
  {
    id: "add.int",
    syntax: "add{.sat}.type d, a, b",
    slots: { type: integers },
    limits: ["sat -> type=s32"],
    needs: "1.0",
    section: "9.7.1.1",
  },
  { id: "add.int.x2", syntax: "add.type d, a, b", slots: { type: packed }, needs: "8.0:sm_90", section: "9.7.1.1" },
  {
    id: "sub.int",
    syntax: "sub{.sat}.type d, a, b",
    slots: { type: integers },
    limits: ["sat -> type=s32"],
    needs: "1.0",
    section: "9.7.1.2",
  },
  { id: "mul.lo", syntax: "mul.lo.type d, a, b", slots: { type: integers }, needs: "1.0", section: "9.7.1.3" },
  { id: "mul.hi", syntax: "mul.hi.type d, a, b", slots: { type: integers }, needs: "1.0", section: "9.7.1.3" },
  {
    id: "mul.wide",
    syntax: "mul.wide.type d:wide, a, b",
    slots: { type: "u16 u32 s16 s32" },
    needs: "1.0",
    section: "9.7.1.3",
  },
  { id: "mad.lo", syntax: "mad.lo.type d, a, b, c", slots: { type: integers }, needs: "1.0", section: "9.7.1.4" },
  {
    id: "mad.hi",
    syntax: "mad.hi{.sat}.type d, a, b, c",
    slots: { type: integers },
    limits: ["sat -> type=s32"],
    needs: "1.0",
    section: "9.7.1.4",
  },
  {
    id: "mad.wide",
    syntax: "mad.wide.type d:wide, a, b, c:wide",
    slots: { type: "u16 u32 s16 s32" },
    needs: "1.0",
    section: "9.7.1.4",
  },
  {
    id: "mul24",
    syntax: "mul24.mode.type d, a, b",
    slots: { mode: "lo hi", type: "u32 s32" },
    needs: "1.0",
    section: "9.7.1.5",
  },
  {
    id: "mad24",
    syntax: "mad24.mode{.sat}.type d, a, b, c",
    slots: { mode: "lo hi", type: "u32 s32" },
    limits: ["sat -> mode=hi", "sat -> type=s32"],
    needs: "1.0",
    section: "9.7.1.6",
  },
  { id: "sad", syntax: "sad.type d, a, b, c", slots: { type: integers }, needs: "1.0", section: "9.7.1.7" },
  { id: "div.int", syntax: "div.type d, a, b", slots: { type: integers }, needs: "1.0", section: "9.7.1.8" },
  { id: "rem", syntax: "rem.type d, a, b", slots: { type: integers }, needs: "1.0", section: "9.7.1.9" },
  { id: "abs.int", syntax: "abs.type d, a", slots: { type: "s16 s32 s64" }, needs: "1.0", section: "9.7.1.10" },
  { id: "neg.int", syntax: "neg.type d, a", slots: { type: "s16 s32 s64" }, needs: "1.0", section: "9.7.1.11" },
  ...["min", "max"].flatMap((name, i): Row[] => {
    const section = `9.7.1.${12 + i}`;
    return [
      {
        id: `${name}.int`,
        syntax: `${name}{.relu}.type d, a, b`,
        slots: { type: integers },
        limits: ["relu -> type=s32", "relu -> @8.0:sm_90"],
        needs: "1.0",
        section,
      },
      {
        id: `${name}.int.x2`,
        syntax: `${name}{.relu}.type d, a, b`,
        slots: { type: packed },
        limits: ["relu -> type=s16x2"],
        needs: "8.0:sm_90",
        section,
      },
    ];
  }),
  { id: "popc", syntax: "popc.type d:u32, a", slots: { type: "b32 b64" }, needs: "2.0:sm_20", section: "9.7.1.14" },
  { id: "clz", syntax: "clz.type d:u32, a", slots: { type: "b32 b64" }, needs: "2.0:sm_20", section: "9.7.1.15" },
  {
    id: "bfind",
    syntax: "bfind{.shiftamt}.type d:u32, a",
    slots: { type: "u32 u64 s32 s64" },
    needs: "2.0:sm_20",
    section: "9.7.1.16",
  },
  { id: "fns", syntax: "fns.b32 d, mask, base, offset:s32", needs: "6.0:sm_30", section: "9.7.1.17" },
  { id: "brev", syntax: "brev.type d, a", slots: { type: "b32 b64" }, needs: "2.0:sm_20", section: "9.7.1.18" },
  {
    id: "bfe",
    syntax: "bfe.type d, a, b:u32=0..255, c:u32=0..255",
    slots: { type: "u32 u64 s32 s64" },
    needs: "2.0:sm_20",
    section: "9.7.1.19",
  },
  {
    id: "bfi",
    syntax: "bfi.type d, a, b, c:u32=0..255, e:u32=0..255",
    slots: { type: "b32 b64" },
    needs: "2.0:sm_20",
    section: "9.7.1.20",
  },
  {
    id: "szext",
    syntax: "szext.mode.type d, a, b:u32",
    slots: { mode: "clamp wrap", type: "u32 s32" },
    needs: "7.6:sm_70",
    section: "9.7.1.21",
  },
  {
    id: "bmsk",
    syntax: "bmsk.mode.b32 d:u32, a:u32, b:u32",
    slots: { mode: "clamp wrap" },
    needs: "7.6:sm_70",
    section: "9.7.1.22",
  },
  {
    id: "dp4a",
    syntax: "dp4a.atype.btype d:@dot, a:u32, b:u32, c:@dot",
    slots: { atype: "u32 s32", btype: "u32 s32" },
    needs: "5.0:sm_61",
    section: "9.7.1.23",
  },
  {
    id: "dp2a",
    syntax: "dp2a.mode.atype.btype d:@dot, a:u32, b:u32, c:@dot",
    slots: { mode: "lo hi", atype: "u32 s32", btype: "u32 s32" },
    needs: "5.0:sm_61",
    section: "9.7.1.24",
  },
];
