// Logic and shifts: PTX ISA 9.0 section 9.7.8.

import type { Row } from "../form.js";
import { bits, integers } from "./sets.js";

const type = `pred ${bits}`;

export const logicRows: readonly Row[] = [
  { id: "and", syntax: "and.type d, {!}a, {!}b", slots: { type }, needs: "1.0", section: "9.7.8.1" },
  { id: "or", syntax: "or.type d, {!}a, {!}b", slots: { type }, needs: "1.0", section: "9.7.8.2" },
  { id: "xor", syntax: "xor.type d, {!}a, {!}b", slots: { type }, needs: "1.0", section: "9.7.8.3" },
  { id: "not", syntax: "not.type d, {!}a", slots: { type }, needs: "1.0", section: "9.7.8.4" },
  { id: "cnot", syntax: "cnot.type d, a", slots: { type: bits }, needs: "1.0", section: "9.7.8.5" },
  { id: "lop3", syntax: "lop3.b32 d, a, b, c, #lut:u32", needs: "4.3:sm_50", section: "9.7.8.6" },
  {
    id: "lop3.bool",
    syntax: "lop3.bool.b32 {_}d:b32|p:pred, a:b32, b:b32, c:b32, #lut:u32, {!}e:pred",
    slots: { bool: "or and" },
    needs: "8.2:sm_70",
    section: "9.7.8.6",
  },
  {
    id: "shf",
    syntax: "shf.direction.mode.b32 d, a, b, c:u32",
    slots: { direction: "l r", mode: "clamp wrap" },
    needs: "3.1:sm_32",
    section: "9.7.8.7",
  },
  {
    id: "shl",
    traits: ["shift"],
    syntax: "shl.type d, a, b:u32",
    slots: { type: bits },
    needs: "1.0",
    section: "9.7.8.8",
  },
  {
    id: "shr",
    traits: ["shift"],
    syntax: "shr.type d, a, b:u32",
    slots: { type: `${bits} ${integers}` },
    needs: "1.0",
    section: "9.7.8.9",
  },
];
