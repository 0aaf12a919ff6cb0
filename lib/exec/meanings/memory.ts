// ld, st and what goes with them: PTX ISA 9.0 sections 9.7.9.8 to 9.7.9.19. Cache operators, eviction priorities, scopes and
// orderings change nothing here: lanes run one after the other on one memory, which is stronger than any of them asks for.

import { BIND_SPACES, bindAddress, type Locate, type Spot } from "../access.js";
import type { Binder, Bound } from "../binder.js";
import type { Place } from "../lanes.js";
import type { AccessedSpace } from "../observer.js";
import type { Opcode } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { custom, type Meaning, type Meanings, type Reading, typeOf } from "./meaning.js";

/** State space among the modifiers; undefined: generic. */
export function spaceOfOpcode(opcode: Opcode): AccessedSpace | undefined {
  for (const text of opcode.chosen) {
    const space = BIND_SPACES[text?.split("::")[0] ?? ""];
    if (space !== undefined) return space;
  }
  return undefined;
}

/** Loads one element into the words at `at`; registers wider than the type are extended by its sign. */
type Load = (w: Int32Array, at: number, view: DataView, offset: number) => void;

function loader(type: DataType, stride: Place["stride"]): Load {
  const signed = type.class === "signed";
  const narrow: Readonly<Record<number, Load>> = {
    8: signed
      ? (w, at, view, offset) => (w[at] = view.getInt8(offset))
      : (w, at, view, offset) => (w[at] = view.getUint8(offset)),
    16: signed
      ? (w, at, view, offset) => (w[at] = view.getInt16(offset, true))
      : (w, at, view, offset) => (w[at] = view.getUint16(offset, true)),
    32: (w, at, view, offset) => (w[at] = view.getInt32(offset, true)),
  };
  const load = narrow[type.bits];
  if (load === undefined) {
    const count = type.bits / 32;
    return (w, at, view, offset) => {
      for (let i = 0; i < count; i++) w[at + i] = view.getInt32(offset + 4 * i, true);
    };
  }
  if (stride === 1) return load;
  return (w, at, view, offset) => {
    load(w, at, view, offset);
    for (let i = 1; i < stride; i++) w[at + i] = signed ? w[at]! >> 31 : 0;
  };
}

type Store = (w: Int32Array, at: number, view: DataView, offset: number) => void;

function storer(type: DataType): Store {
  switch (type.bits) {
    case 8:
      return (w, at, view, offset) => view.setInt8(offset, w[at]!);
    case 16:
      return (w, at, view, offset) => view.setInt16(offset, w[at]!, true);
    case 32:
      return (w, at, view, offset) => view.setInt32(offset, w[at]!, true);
    default: {
      const count = type.bits / 32;
      return (w, at, view, offset) => {
        for (let i = 0; i < count; i++) view.setInt32(offset + 4 * i, w[at + i]!, true);
      };
    }
  }
}

/** volatile, acquire and relaxed loads are what spin loops are made of. */
const spinning = new Set(["volatile", "acquire", "relaxed"]);
const mayspin = (opcode: Opcode): boolean => opcode.chosen.some((text) => text !== undefined && spinning.has(text));

const newSpot = (): Spot => ({ view: new DataView(new ArrayBuffer(0)), offset: 0 });

const load: Reading = (opcode) =>
  custom((binder) => {
    const type = typeOf(opcode)!;
    const size = type.bits / 8;
    const places = binder.elements(binder.operand(0)).map((element) => binder.write(element, type.bits));
    const bytes = size * places.length;
    const locate = bindAddress(binder, binder.operand(1), spaceOfOpcode(opcode), bytes, bytes, false);
    const loads = places.map((place) => loader(type, place.stride));
    return { ...moveElements(places, loads, size, locate), spins: mayspin(opcode) };
  });

const store: Reading = (opcode) =>
  custom((binder) => {
    const type = typeOf(opcode)!;
    const size = type.bits / 8;
    const places = binder.elements(binder.operand(1)).map((element) => binder.read(element, type.bits));
    const bytes = size * places.length;
    const locate = bindAddress(binder, binder.operand(0), spaceOfOpcode(opcode), bytes, bytes, true);
    return moveElements(
      places,
      places.map(() => storer(type)),
      size,
      locate,
    );
  });

function moveElements(places: readonly Place[], moves: readonly (Load | Store)[], size: number, locate: Locate): Bound {
  const spot = newSpot();
  const [place] = places;
  const [move] = moves;
  if (places.length === 1) {
    const { word, stride } = place!;
    return {
      memory: true,
      lanes: (frame, mask) => {
        const w = frame.words;
        for (let l = 0; l < 32; l++) {
          if (((mask >>> l) & 1) === 0) continue;
          locate(frame, l, spot);
          move!(w, word + stride * l, spot.view, spot.offset);
        }
      },
    };
  }
  return {
    memory: true,
    lanes: (frame, mask) => {
      const w = frame.words;
      for (let l = 0; l < 32; l++) {
        if (((mask >>> l) & 1) === 0) continue;
        locate(frame, l, spot);
        const { view, offset } = spot;
        for (let i = 0; i < places.length; i++)
          moves[i]!(w, places[i]!.word + places[i]!.stride * l, view, offset + size * i);
      }
    },
  };
}

/** Hints and orderings that this memory needs nothing for. */
export const nothing: Meaning = custom(() => ({ lanes: () => {} }));
const fence: Meaning = custom(() => ({ lanes: () => {}, spins: true }));

/** A policy is an opaque value; nothing here looks at it. */
const policy: Meaning = custom((binder: Binder) => {
  const { word } = binder.write(binder.operand(0), 64);
  return {
    lanes: ({ words: w }, mask) => {
      for (let l = 0; l < 32; l++) if (((mask >>> l) & 1) !== 0) w.fill(0, word + 2 * l, word + 2 * l + 2);
    },
  };
});

export const memoryMeanings: Meanings = {
  ld: load,
  ldu: load,
  st: store,
  prefetch: () => nothing,
  prefetchu: () => nothing,
  applypriority: () => nothing,
  discard: () => nothing,
  createpolicy: () => policy,
  membar: () => fence,
  fence: () => fence,
};
