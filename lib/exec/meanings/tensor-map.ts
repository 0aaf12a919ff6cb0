// tensormap.replace and tensormap.cp_fenceproxy: PTX ISA 9.0 sections 9.7.9.26 and 9.7.13.16. Fields are those of
// load/tensor-map.ts. Values are stored as the instruction has them, except that extents are stored minus 1.

import { bindAddress } from "../operands/access.js";
import type { Binder, Bound } from "../operands/binder.js";
import { FIELD, TENSOR_MAP_BYTES } from "../../load/tensor-map.js";
import type { Frame } from "../state/frame.js";
import type { Spot } from "../state/warp.js";
import { lanesIn } from "../machine/walk.js";
import { bytesAt, constantOf, named, placeOf } from "./async-operands.js";
import { custom, type Meaning, type Meanings } from "./meaning.js";
import { spaceOfOpcode } from "./memory.js";

const MAP_ALIGN = 64;

/** Writes a field of the map at a place. */
type Put = (spot: Spot, ordinal: number, value: bigint) => void;

const byte =
  (field: number): Put =>
  ({ view, offset }, ordinal, value) =>
    view.setUint8(offset + field + ordinal, Number(value & 0xffn));

const fields: Readonly<Record<string, Put>> = {
  global_address: ({ view, offset }, _, value) => view.setBigUint64(offset + FIELD.address, value, true),
  rank: byte(FIELD.rank),
  box_dim: ({ view, offset }, ordinal, value) =>
    view.setUint16(offset + FIELD.box + 2 * ordinal, Number(value & 0xffffn), true),
  global_dim: ({ view, offset }, ordinal, value) =>
    view.setUint32(offset + FIELD.extents + 4 * ordinal, Number(BigInt.asUintN(32, value - 1n)), true),
  // The innermost dimension has no stride: ordinal 0 is that of dimension 1.
  global_stride: ({ view, offset }, ordinal, value) => {
    if (ordinal < 4) view.setBigUint64(offset + FIELD.strides + 8 * ordinal, value, true);
  },
  element_stride: byte(FIELD.elementStrides),
  elemtype: byte(FIELD.type),
  interleave_layout: byte(FIELD.interleave),
  swizzle_mode: byte(FIELD.swizzle),
  // An H200 permutes only units of 16 bytes.
  swizzle_atomicity: () => {},
  fill_mode: byte(FIELD.fill),
};

/** The value by lane, of 32 or 64 bits. */
function bindValue(binder: Binder): (frame: Frame, lane: number) => bigint {
  const { word, stride } = binder.read(named(binder, "b"), binder.modifier("type") === "b64" ? 64 : 32);
  return (frame, lane) => {
    const at = word + stride * lane;
    const low = BigInt(frame.unsigned[at]!);
    return stride === 2 ? low | (BigInt(frame.unsigned[at + 1]!) << 32n) : low;
  };
}

const replace: Meaning = custom((binder): Bound => {
  const put = fields[binder.modifier("field")!]!;
  const ordinal = constantOf(named(binder, "ordinal"), 0);
  const value = bindValue(binder);
  const space = spaceOfOpcode(binder.opcode);
  const { locate } = bindAddress(binder, named(binder, "a"), space, TENSOR_MAP_BYTES, MAP_ALIGN, true);
  return {
    memory: true,
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) put(placeOf(locate, frame, lane), ordinal, value(frame, lane));
    },
  };
});

/** cp_fenceproxy: every lane copies, as all have the same operands. */
const copy: Meaning = custom((binder): Bound => {
  const to = bindAddress(binder, named(binder, "d"), "global", TENSOR_MAP_BYTES, MAP_ALIGN, true).locate;
  const from = bindAddress(binder, named(binder, "a"), "shared", TENSOR_MAP_BYTES, MAP_ALIGN, false).locate;
  return {
    memory: true,
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) {
        const bytes = bytesAt(placeOf(from, frame, lane), TENSOR_MAP_BYTES, lane);
        bytesAt(placeOf(to, frame, lane), TENSOR_MAP_BYTES, lane).set(bytes);
      }
    },
  };
});

export const tensorMapMeanings: Meanings = {
  "tensormap.replace": () => replace,
  "tensormap.replace.ordinal": () => replace,
  "tensormap.replace.value": () => replace,
  "tensormap.cp_fenceproxy": () => copy,
};
