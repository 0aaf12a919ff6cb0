// Extended-precision integer arithmetic, chained through the carry flag CC.CF: PTX ISA 9.0 section 9.7.2.

import type { Row } from "../form.js";

const type = "u32 s32 u64@4.3:sm_20 s64@4.3:sm_20";

export const extendedRows: readonly Row[] = [
  { id: "add.cc", syntax: "add.cc.type d, a, b", slots: { type }, needs: "1.2", section: "9.7.2.1" },
  { id: "addc", syntax: "addc{.cc}.type d, a, b", slots: { type }, needs: "1.2", section: "9.7.2.2" },
  { id: "sub.cc", syntax: "sub.cc.type d, a, b", slots: { type }, needs: "1.3", section: "9.7.2.3" },
  { id: "subc", syntax: "subc{.cc}.type d, a, b", slots: { type }, needs: "1.3", section: "9.7.2.4" },
  {
    id: "mad.cc",
    syntax: "mad.mode.cc.type d, a, b, c",
    slots: { mode: "lo hi", type },
    needs: "3.0:sm_20",
    section: "9.7.2.5",
  },
  {
    id: "madc",
    syntax: "madc.mode{.cc}.type d, a, b, c",
    slots: { mode: "lo hi", type },
    needs: "3.0:sm_20",
    section: "9.7.2.6",
  },
];
