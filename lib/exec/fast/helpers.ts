// Functions that every module of generated code contains: locating four lanes' bytes (locate.ts), long arithmetic, and finding
// lanes with the same word.

import { CodeWriter, type Import } from "../../../formats/wasm/index.js";
import { exactF32 } from "./fma.js";
import { createLocates, LOCATE } from "./locate.js";

/** Numbers of the functions: imports come first. */
export const IMPORTED = { step: 0, finish: 1, suspect: 2 } as const;
export const HELPER = { ...LOCATE, fma32: 7, equalLanes: 8, allReady: 9 } as const;
export const FIRST_BLOCK_FUNCTION = 10;

const hostFunction = (name: keyof typeof IMPORTED, operands: number): Import => ({
  module: "host",
  name,
  kind: "function",
  type: { parameters: new Array<"i32">(operands).fill("i32"), results: [] },
});

/** Functions of the host, in the order of their numbers. */
export const HOST_IMPORTS: readonly Import[] = [
  hostFunction("step", 2),
  hostFunction("finish", 2),
  hostFunction("suspect", 0),
];

/** equalLanes(address of 32 words, value): the lanes whose word equals the value. */
function equalLanes(): CodeWriter {
  const code = new CodeWriter(["i32", "i32"], ["i32"]);
  const value = code.local("v128");
  code.get(1).op("i32x4.splat").set(value);
  for (let quad = 0; quad < 8; quad++) {
    code
      .get(0)
      .memory("v128.load", 16 * quad)
      .get(value)
      .op("i32x4.eq", "i32x4.bitmask");
    if (quad > 0) code.i32(4 * quad).op("i32.shl", "i32.or");
  }
  return code;
}

/** allReady(address of 32 masks, lanes): 1 if each mask names exactly the lanes of `lanes` that have this mask. */
function allReady(): CodeWriter {
  const code = new CodeWriter(["i32", "i32"], ["i32"]);
  const [at, rest] = [0, 1] as const;
  const [named, party] = [code.local("i32"), code.local("i32")];
  code.loop();
  code.get(at).get(rest).op("i32.ctz").i32(2).op("i32.shl", "i32.add").memory("i32.load").set(named);
  code.get(at).get(named).call(HELPER.equalLanes).get(rest).op("i32.and").set(party);
  code.get(named).get(party).op("i32.ne");
  code.if().i32(0).op("return", "end");
  code.get(rest).get(party).op("i32.xor").tee(rest).brIf(0).op("end").i32(1);
  return code;
}

/** In the order of their numbers. */
export const createHelpers = (): readonly CodeWriter[] => [...createLocates(), exactF32(), equalLanes(), allReady()];
