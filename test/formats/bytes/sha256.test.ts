// The hash of build IDs, compared with Node's: small inputs are hashed in JavaScript, large ones by Node.

import { createHash } from "node:crypto";
import test from "ava";
import { sha256 } from "../../../formats/bytes/sha256.js";

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 31) >>> 3);

for (const [what, length] of [
  ["little", 1000],
  ["much", 2 ** 20 + 1],
] as const)
  test(`${what}, hashed in parts, has the hash of the whole, with Node's modules and without`, (t) => {
    const whole = bytes(length);
    const expected = createHash("sha256").update(whole).digest("hex");
    const parts = [whole.subarray(0, 63), whole.subarray(63, 63), whole.subarray(63)];
    t.is(Buffer.from(sha256(parts)).toString("hex"), expected);
    const { getBuiltinModule } = process;
    process.getBuiltinModule = undefined as unknown as typeof getBuiltinModule;
    try {
      t.is(Buffer.from(sha256(parts)).toString("hex"), expected);
    } finally {
      process.getBuiltinModule = getBuiltinModule;
    }
  });
