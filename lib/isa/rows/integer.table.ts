// Integer arithmetic: PTX ISA 9.0 section 9.7.1.

import type { Row } from "../form.js";

const section = "9.7.1";

export const integerRows: readonly Row[] = [
  {
    id: "add.int",
    syntax: "add.type d, a, b",
    slots: { type: "u16 u32 u64 s16 s64 u16x2@8.0:sm_90 s16x2@8.0:sm_90" },
    needs: "1.0",
    section,
  },
  { id: "add.s32", syntax: "add{.sat}.s32 d, a, b", needs: "1.0", section },
  {
    id: "mul.lo",
    syntax: "mul.mode.type d, a, b",
    slots: { mode: "lo hi", type: "u16 u32 u64 s16 s32 s64" },
    needs: "1.0",
    section,
  },
  { id: "mul.wide", syntax: "mul.wide.type d:wide, a, b", slots: { type: "u16 u32 s16 s32" }, needs: "1.0", section },
];
