// All lowerings, by form id or base opcode; they are found as the meanings are (../../meanings/all.ts).

import type { Opcode } from "../../../isa/opcode.js";
import { bitLowerings } from "./bits.js";
import { extendedLowerings } from "./extended.js";
import { floatLowerings } from "./float.js";
import { halfLowerings } from "./half.js";
import { integerLowerings } from "./integer.js";
import { logicLowerings } from "./logic.js";
import type { LoweringSite, Emit, Lowerings } from "./lowering.js";
import { moveLowerings } from "./move.js";
import { productLowerings } from "./products.js";
import { setLowerings } from "./set.js";
import { syncLowerings } from "./sync.js";
import { wideLowerings } from "./wide.js";

const tables: readonly Lowerings[] = [
  integerLowerings,
  extendedLowerings,
  floatLowerings,
  logicLowerings,
  bitLowerings,
  moveLowerings,
  halfLowerings,
  wideLowerings,
  productLowerings,
  setLowerings,
  syncLowerings,
];

/** Forms whose lowering differs from that of others with the same base opcode. */
const apart: ReadonlySet<string> = new Set([
  "mov.pack",
  "mov.unpack",
  "mov.vector",
  "cvt.pack",
  "cvt.pack.accumulate",
  "add.mixed",
  "sub.mixed",
  "fma.mixed",
]);

/** Code for an opcode; undefined where only the meaning executes it. */
export function loweringOf(opcode: Opcode, site: LoweringSite): Emit | undefined {
  const { id, opcode: base } = opcode.form;
  for (const table of tables) {
    const lowering = table[id] ?? (apart.has(id) ? undefined : table[base]);
    const emit = lowering?.(opcode, site);
    if (emit !== undefined) return emit;
  }
  return undefined;
}
