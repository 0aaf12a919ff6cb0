// Control flow, the stack and the miscellaneous instructions: PTX ISA 9.0 sections 9.7.12, 9.7.17 and 9.7.19.

import type { Row } from "../form.js";

export const controlRows: readonly Row[] = [
  { id: "bra", traits: ["branch"], syntax: "bra{.uni} t:label", needs: "1.0", section: "9.7.12.3" },
  {
    id: "brx.idx",
    traits: ["branch-table"],
    syntax: "brx.idx{.uni} a:u32, t:labels",
    needs: "6.0:sm_30",
    section: "9.7.12.4",
  },
  {
    id: "call",
    traits: ["call"],
    syntax: "call{.uni} {(d), }f:callee{, (a)}{, t:prototype}",
    needs: "1.0",
    section: "9.7.12.5",
  },
  { id: "ret", traits: ["return"], syntax: "ret{.uni}", needs: "1.0", section: "9.7.12.6" },
  { id: "exit", traits: ["exit"], syntax: "exit", needs: "1.0", section: "9.7.12.7" },
  {
    id: "stacksave",
    syntax: "stacksave.type d",
    slots: { type: "u32 u64" },
    needs: "7.3:sm_52",
    section: "9.7.17.1",
  },
  {
    id: "stackrestore",
    syntax: "stackrestore.type $a",
    slots: { type: "u32 u64" },
    needs: "7.3:sm_52",
    section: "9.7.17.2",
  },
  {
    id: "alloca",
    syntax: "alloca.type d, size:type{, #align:u32=1,2,4,8,16,32,64,128}",
    slots: { type: "u32 u64" },
    needs: "7.3:sm_52",
    section: "9.7.17.3",
  },
  { id: "brkpt", syntax: "brkpt", needs: "1.0:sm_11", section: "9.7.19.1" },
  { id: "nanosleep", syntax: "nanosleep.u32 t:u32", needs: "6.3:sm_70", section: "9.7.19.2" },
  { id: "pmevent", syntax: "pmevent #a:u32=0..15", needs: "1.4", section: "9.7.19.3" },
  { id: "pmevent.mask", syntax: "pmevent.mask #a:u32=0..65535", needs: "3.0:sm_20", section: "9.7.19.3" },
  { id: "trap", syntax: "trap", needs: "1.0", section: "9.7.19.4" },
  {
    id: "setmaxnreg",
    syntax: "setmaxnreg.action.sync.aligned.u32 #n=24..256/8",
    slots: { action: "inc dec" },
    needs: "8.0:sm_90a|sm_100f|sm_101f|sm_120f",
    section: "9.7.19.5",
  },
];
