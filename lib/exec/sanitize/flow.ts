// Propagates definedness and the objects of addresses through instructions that compute. Definedness is tracked bit by bit where
// programs pick fields out of words (logic, shifts, selections, conversions, packing); elsewhere one undefined bit makes the
// result undefined. Instructions that compute addresses keep the object: additions, masks, selections, conversions.

import type { Opcode } from "../../isa/opcode.js";
import { dataType } from "../../isa/types.table.js";
import { sourceOf } from "../meanings/collective.js";
import type { Frame, Place, RegisterShadow } from "../state/frame.js";
import {
  copyShadow,
  isUndefined,
  mergeObjects,
  MIXED,
  objectAt,
  originAt,
  setObject,
  setUndefined,
  setUniform,
  shadowOf,
  UNKNOWN,
} from "./register-shadow.js";

/** Places of an instruction's operands in the order in which its meaning binds them. */
export interface FlowOperands {
  readonly opcode: Opcode;
  readonly writes: readonly Place[];
  readonly reads: readonly Place[];
  /** The object whose address an operand names, in this frame; 0 for none. */
  readonly named: (frame: Frame) => number;
}

/** Updates the shadow of a lane's results, before the instruction executes. `before`: the operands of all lanes before any update. */
export type Flow = (frame: Frame, shadow: RegisterShadow, lane: number, before: RegisterShadow) => void;

type FlowOf = (operands: FlowOperands) => Flow;

/** Any undefined bit makes all of the results undefined. */
const whole =
  (objectOf: (operands: FlowOperands, frame: Frame, shadow: RegisterShadow, lane: number) => number): FlowOf =>
  (operands) => {
    const { writes, reads } = operands;
    return (frame, shadow, lane) => {
      let origin = 0;
      let isIt = false;
      for (const read of reads) {
        if (!isUndefined(shadow, read, lane)) continue;
        isIt = true;
        origin ||= originAt(shadow, read, lane);
      }
      const object = objectOf(operands, frame, shadow, lane);
      for (const write of writes) {
        setUndefined(shadow, write, lane, isIt, origin);
        setObject(shadow, write, lane, object);
      }
    };
  };

const value = whole(() => 0);

/** Merges the objects of all operands. */
const address = whole(({ reads, named }, frame, shadow, lane) =>
  reads.reduce((all, read) => mergeObjects(all, objectAt(shadow, read, lane)), named(frame)),
);

/** a * b + c: only c may be an address. */
const multiplied = whole(({ reads, named }, frame, shadow, lane) =>
  mergeObjects(reads.length > 2 ? objectAt(shadow, reads[2]!, lane) : 0, named(frame)),
);

/** A difference of two addresses, added to an address, leads from one object into another. */
const difference = whole(({ reads: [a, b], named }, frame, shadow, lane) => {
  const subtracted = b === undefined ? 0 : objectAt(shadow, b, lane);
  return subtracted !== 0 ? MIXED : mergeObjects(a === undefined ? 0 : objectAt(shadow, a, lane), named(frame));
});

const copy: FlowOf = ({ writes: [d], reads: [a], named }) => {
  if (d === undefined || a === undefined) return () => {};
  return (frame, shadow, lane) => {
    copyShadow(shadow, a, lane, shadow, d, lane);
    const object = named(frame);
    if (object !== 0) setObject(shadow, d, lane, object);
  };
};

const word = ({ undef }: RegisterShadow, { word: at, stride }: Place, lane: number, i = 0): number =>
  stride === 0 ? -((undef[at]! >>> lane) & 1) : i < stride ? undef[at + stride * lane + i]! : 0;

const bitsOf = ({ words }: Frame, { word: at, stride }: Place, lane: number, i = 0): number =>
  stride === 0 ? -((words[at]! >>> lane) & 1) : i < stride ? words[at + stride * lane + i]! : 0;

function setWord(shadow: RegisterShadow, place: Place, lane: number, i: number, bits: number): void {
  const { word: at, stride } = place;
  if (stride === 0) setUndefined(shadow, place, lane, (bits & 1) !== 0, shadow.origin[at]!);
  else if (i < stride) {
    shadow.undef[at + stride * lane + i] = bits;
    if (bits !== 0) shadow.uniform[at] = UNKNOWN;
  }
}

/** and, or: a bit that one operand decides alone is defined whatever the other is. */
const logical =
  (isAnd: boolean): FlowOf =>
  (operands) => {
    const { writes, reads } = operands;
    const [d, a, b] = [writes[0]!, reads[0]!, reads[1]!];
    const all = address(operands);
    return (frame, shadow, lane) => {
      const results: number[] = [];
      for (let i = 0; i < Math.max(1, d.stride); i++) {
        const [ua, ub] = [word(shadow, a, lane, i), word(shadow, b, lane, i)];
        const [va, vb] = [bitsOf(frame, a, lane, i), bitsOf(frame, b, lane, i)];
        results.push((ua | ub) & (isAnd ? (ua | va) & (ub | vb) : (ua | ~va) & (ub | ~vb)));
      }
      all(frame, shadow, lane, shadow);
      results.forEach((bits, i) => setWord(shadow, d, lane, i, bits));
    };
  };

const andFlow = logical(true);
const orFlow = logical(false);

/** Moves undefined bits as the operation moves bits; `move` receives those of the first operand. */
const moving =
  (move: (undef: bigint, frame: Frame, lane: number, operands: FlowOperands) => bigint, keepsObject = false): FlowOf =>
  (operands) => {
    const { writes, reads } = operands;
    const [d, a] = [writes[0]!, reads[0]!];
    const all = keepsObject ? address(operands) : value(operands);
    return (frame, shadow, lane) => {
      if (!isUndefined(shadow, a, lane) || reads.slice(1).some((read) => isUndefined(shadow, read, lane))) {
        all(frame, shadow, lane, shadow);
        return;
      }
      const undef = BigInt(word(shadow, a, lane) >>> 0) | (BigInt(word(shadow, a, lane, 1) >>> 0) << 32n);
      const moved = move(undef, frame, lane, operands);
      all(frame, shadow, lane, shadow);
      setWord(shadow, d, lane, 0, Number(BigInt.asIntN(32, moved)));
      setWord(shadow, d, lane, 1, Number(BigInt.asIntN(32, moved >> 32n)));
    };
  };

const typesIn = ({ chosen }: Opcode) => chosen.flatMap((text) => (text === undefined ? [] : (dataType(text) ?? [])));

const amountOf = (frame: Frame, lane: number, { reads, opcode }: FlowOperands): bigint => {
  const most = BigInt(typesIn(opcode).at(-1)?.bits ?? 32);
  const amount = BigInt(bitsOf(frame, reads[1]!, lane) >>> 0);
  return amount > most ? most : amount;
};

const shiftLeft = moving((undef, frame, lane, operands) => undef << amountOf(frame, lane, operands));

const shiftRight = moving((undef, frame, lane, operands) => {
  const type = typesIn(operands.opcode).at(-1);
  const signed = type?.class === "signed" ? BigInt.asIntN(type.bits, undef) : undef;
  return signed >> amountOf(frame, lane, operands);
});

/** Integer conversions: extension bits are defined zeros, or copies of the sign bit. */
const conversion: FlowOf = (operands) => {
  const [to, from] = typesIn(operands.opcode);
  const isWhole = [to, from].every(
    (type) => type !== undefined && (type.class === "signed" || type.class === "unsigned" || type.class === "bits"),
  );
  if (!isWhole || operands.opcode.chosen.includes("sat")) return address(operands);
  return moving(
    (undef) =>
      BigInt.asUintN(
        64,
        from!.class === "signed" ? BigInt.asIntN(from!.bits, undef) : BigInt.asUintN(from!.bits, undef),
      ) & (to!.bits < 64 && to!.bits < from!.bits ? (1n << BigInt(to!.bits)) - 1n : -1n),
    true,
  )(operands);
};

/** bfe: only the field's own bits count. */
const field = moving((undef, frame, lane, { reads }) => {
  const [position, length] = [1, 2].map((i) => BigInt(bitsOf(frame, reads[i]!, lane) & 255));
  return (undef >> position!) & ((1n << length!) - 1n);
});

/** prmt moves undefined bits by bytes, from both operands. */
const permuted: FlowOf = (operands) => {
  const { writes, reads, opcode } = operands;
  const [d, a, b, c] = [writes[0]!, reads[0]!, reads[1]!, reads[2]!];
  const all = address(operands);
  if (opcode.chosen.some((text) => text !== undefined && text !== "b32")) return all;
  return (frame, shadow, lane) => {
    const both = BigInt(word(shadow, a, lane) >>> 0) | (BigInt(word(shadow, b, lane) >>> 0) << 32n);
    const isIt = isUndefined(shadow, c, lane);
    all(frame, shadow, lane, shadow);
    if (isIt || both === 0n) return;
    let bits = 0;
    for (let i = 0; i < 4; i++) {
      const pick = (bitsOf(frame, c, lane) >>> (4 * i)) & 7;
      bits |= Number((both >> BigInt(8 * pick)) & 255n) << (8 * i);
    }
    setWord(shadow, d, lane, 0, bits);
  };
};

const selection: FlowOf = ({ writes: [d], reads: [a, b, p], named }) => {
  if (d === undefined || a === undefined || b === undefined || p === undefined) return () => {};
  return (frame, shadow, lane) => {
    const object = named(frame);
    if (isUndefined(shadow, p, lane)) {
      const isSame = [0, 1].every((i) => bitsOf(frame, a, lane, i) === bitsOf(frame, b, lane, i));
      const from = originAt(shadow, p, lane);
      setObject(shadow, d, lane, mergeObjects(objectAt(shadow, a, lane), objectAt(shadow, b, lane)));
      setUndefined(shadow, d, lane, !isSame, from);
      return;
    }
    const chosen = ((frame.words[p.word]! >>> lane) & 1) !== 0 ? a : b;
    copyShadow(shadow, chosen, lane, shadow, d, lane);
    if (object !== 0) setObject(shadow, d, lane, mergeObjects(object, objectAt(shadow, d, lane)));
  };
};

/** mov.pack: several registers become one. */
const packing: FlowOf = ({ writes: [d], reads, named }) => {
  if (d === undefined) return () => {};
  const size = (32 * d.stride) / reads.length;
  return (frame, shadow, lane) => {
    const results = new Array<number>(d.stride).fill(0);
    let [object, origin] = [named(frame), 0];
    reads.forEach((read, i) => {
      object = mergeObjects(object, objectAt(shadow, read, lane));
      if (isUndefined(shadow, read, lane, size)) origin ||= originAt(shadow, read, lane);
      for (let done = 0; done < size; done += 32) {
        const part = size >= 32 ? word(shadow, read, lane, done / 32) : word(shadow, read, lane) & ((1 << size) - 1);
        const at = i * size + done;
        results[at >>> 5] = results[at >>> 5]! | (part << (at & 31));
      }
    });
    results.forEach((bits, i) => setWord(shadow, d, lane, i, bits));
    shadow.origin[d.word + d.stride * lane] = origin;
    setObject(shadow, d, lane, object);
  };
};

const unpacking: FlowOf = ({ writes, reads: [a] }) => {
  if (a === undefined || writes.length === 0) return () => {};
  const size = (32 * a.stride) / writes.length;
  return (_, shadow, lane) => {
    const words = [0, 1, 2, 3].map((i) => word(shadow, a, lane, i));
    const [object, origin] = [objectAt(shadow, a, lane), originAt(shadow, a, lane)];
    writes.forEach((write, i) => {
      const bit = i * size;
      const part = words[bit >>> 5]! >>> (bit & 31);
      setUndefined(shadow, write, lane, false, origin);
      setWord(shadow, write, lane, 0, size >= 32 ? part : part & ((1 << size) - 1));
      if (size > 32) setWord(shadow, write, lane, 1, words[(bit >>> 5) + 1]!);
      shadow.origin[write.word + write.stride * lane] = origin;
      setObject(shadow, write, lane, i === 0 ? object : object === 0 ? 0 : MIXED);
    });
  };
};

const vector: FlowOf = ({ writes, reads }) => {
  return (_, shadow, lane) => {
    const before = reads.map((read) => [
      word(shadow, read, lane),
      word(shadow, read, lane, 1),
      objectAt(shadow, read, lane),
    ]);
    writes.forEach((write, i) => {
      const known = before[i] ?? [0, 0, 0];
      setWord(shadow, write, lane, 0, known[0]!);
      setWord(shadow, write, lane, 1, known[1]!);
      setObject(shadow, write, lane, known[2]!);
    });
  };
};

/** shfl: takes the shadow of the source lane. */
const exchange: FlowOf = (operands) => {
  const { opcode, writes, reads } = operands;
  const mode = opcode.chosen.find((text) => text !== undefined && ["up", "down", "bfly", "idx"].includes(text));
  const [d, a, b, c] = [writes[0], reads[0], reads[1], reads[2]];
  if (mode === undefined || d === undefined || a === undefined || b === undefined || c === undefined)
    return value(operands);
  return (frame, shadow, lane, before) => {
    const { from, valid } = sourceOf(mode, lane, frame.words[b.word + lane]!, frame.words[c.word + lane]!);
    const source = valid ? from : lane;
    const isIt = isUndefined(before, a, source) || isUndefined(before, b, lane);
    for (const write of writes) setUndefined(shadow, write, lane, write === d && isIt, originAt(before, a, source));
    setObject(shadow, d, lane, objectAt(before, a, source));
  };
};

/** The shadow with the operands in arrays of their own, if one of them is a result that another lane reads. */
function operandsBefore({ reads, writes }: FlowOperands): (shadow: RegisterShadow) => RegisterShadow {
  if (!reads.some((read) => writes.some(({ word }) => word === read.word))) return (shadow) => shadow;
  return (shadow) => {
    const { undef, object, origin } = shadow;
    return { ...shadow, undef: undef.slice(), object: object.slice(), origin: origin.slice() };
  };
}

/** Flows by form id, else by base opcode. Instructions with neither compute plain values. */
const flows: Readonly<Record<string, FlowOf>> = {
  "mov.pack": packing,
  "mov.unpack": unpacking,
  "mov.vector": vector,
  mov: copy,
  cvta: copy,
  mapa: address,
  and: andFlow,
  or: orFlow,
  xor: address,
  lop3: address,
  not: copy,
  shl: shiftLeft,
  shr: shiftRight,
  cvt: conversion,
  bfe: field,
  bfi: address,
  prmt: permuted,
  selp: selection,
  add: address,
  addc: address,
  sub: difference,
  subc: difference,
  mad: multiplied,
  madc: multiplied,
  mad24: multiplied,
  min: address,
  max: address,
  shfl: exchange,
};

/** The object of the results, if all operands are defined and each has one object in all lanes. */
export type Summary = (reads: readonly Place[], uniform: Int32Array, named: number) => number;

const summaryOfAddress: Summary = (reads, uniform, named) => {
  let all = named;
  for (const { word: at } of reads) all = mergeObjects(all, uniform[at]!);
  return all;
};

/** Summaries by flow. A flow without one is evaluated lane by lane, unless no operand has an object. */
const summaries = new Map<FlowOf, Summary>([
  [value, () => 0],
  [shiftLeft, () => 0],
  [shiftRight, () => 0],
  [field, () => 0],
  [address, summaryOfAddress],
  [conversion, summaryOfAddress],
  [permuted, summaryOfAddress],
  [packing, summaryOfAddress],
  [andFlow, summaryOfAddress],
  [orFlow, summaryOfAddress],
  [multiplied, (reads, uniform, named) => mergeObjects(reads.length > 2 ? uniform[reads[2]!.word]! : 0, named)],
  [
    difference,
    ([a, b], uniform, named) =>
      b !== undefined && uniform[b.word] !== 0 ? MIXED : mergeObjects(a === undefined ? 0 : uniform[a.word]!, named),
  ],
  [copy, ([a], uniform, named) => (named !== 0 || a === undefined ? named : uniform[a.word]!)],
]);

/** The summary of an opcode's flow; undefined where the results' objects depend on more than the operands' objects. */
export const summaryOf = ({ form }: Opcode): Summary | undefined =>
  summaries.get(flows[form.id] ?? flows[form.opcode] ?? value);

/** Updates the shadow of an instruction's results, before it is executed. */
export type WarpFlow = (frame: Frame, mask: number) => void;

export function flowOf(operands: FlowOperands): WarpFlow {
  const { opcode, reads, writes, named } = operands;
  const { form } = opcode;
  const of = flows[form.id] ?? flows[form.opcode] ?? value;
  const summary = summaries.get(of);
  const flow = of(operands);
  const beforeOf = of === exchange ? operandsBefore(operands) : undefined;
  return (frame, mask) => {
    const shadow = shadowOf(frame);
    const { uniform } = shadow;
    const object = named(frame);
    let isPlain = object === 0;
    let isKnown = true;
    for (const { word: at } of reads) {
      const known = uniform[at]!;
      if (known === UNKNOWN) {
        isKnown = false;
        break;
      }
      if (known !== 0) isPlain = false;
    }
    if (isKnown && (isPlain || summary !== undefined)) {
      const result = isPlain ? 0 : summary!(reads, uniform, object);
      for (const write of writes) setUniform(shadow, write, mask, result);
      return;
    }
    const before = beforeOf?.(shadow) ?? shadow;
    for (let lane = 0; lane < 32; lane++) if (((mask >>> lane) & 1) !== 0) flow(frame, shadow, lane, before);
  };
}
