// ld, st and related instructions: PTX ISA 9.0 sections 9.7.9.8 to 9.7.9.19. Cache operators, eviction priorities, scopes and
// orderings have no effect here: lanes run one after the other on one memory, which is stronger than any of them requires. Blocks
// on other host threads see writes in the order of the host's processor; fences order the rest.

import { BIND_SPACES, bindAddress, type BoundAddress } from "../operands/access.js";
import { accessLoop, type AccessShape } from "../operands/access-loop.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Place } from "../state/frame.js";
import type { AccessedSpace } from "../state/observer.js";
import type { Spot } from "../state/warp.js";
import { watcher } from "../operands/watch.js";
import { type Opcode, typeOf } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { transferred } from "../operands/promoted.js";
import { lanesIn } from "../machine/walk.js";
import { exclusively } from "../machine/exclusively.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";

/** State space among the modifiers; undefined: generic. */
export function spaceOfOpcode(opcode: Opcode): AccessedSpace | undefined {
  for (const text of opcode.chosen) {
    const space = BIND_SPACES[text?.split(/::|\[/)[0] ?? ""];
    if (space !== undefined) return space;
  }
  return undefined;
}

/** Modifiers of loads that spin loops consist of. */
const spinning = new Set(["volatile", "acquire", "relaxed"]);
/** Modifiers of strong operations, which are atomic to each other if they overlap completely: section 8.10.3. */
const strong = new Set([...spinning, "release"]);
const maySpin = (opcode: Opcode): boolean => opcode.chosen.some((text) => text !== undefined && spinning.has(text));

/** Binds ld or st: `values` and `address` are indices of operands. */
function transfer(binder: Binder, values: number, address: number, isStore: boolean): Bound {
  const type = typeOf(binder.opcode)!;
  const elements = binder.elements(binder.operand(values));
  const bytes = (type.bits / 8) * elements.length;
  const bound = bindAddress(binder, binder.operand(address), spaceOfOpcode(binder.opcode), bytes, bytes, isStore);
  const signed = type.class === "signed";
  // Elements written as `_` are neither loaded nor stored; their bytes still count as accessed.
  const moves = elements.flatMap((element, i) => {
    if (element?.kind === "sink") return [];
    const place = isStore ? binder.read(element, type.bits) : binder.write(element, type.bits);
    return [{ place, offset: (type.bits / 8) * i, bits: type.bits, signed }];
  });
  const shape: AccessShape = { ...bound, bytes, align: bytes, moves, isStore };
  const loop = accessLoop(shape, binder.compile);
  const promoted = transferred(binder.scope.promoted, binder.operand(address));
  if (promoted !== undefined) {
    const place = binder.scope.register(promoted);
    const other = moves[0]?.place ?? binder.write(binder.operand(values), type.bits);
    return registerTransfer(binder, bound, isStore ? [other, place] : [place, other], type);
  }
  const isWide = type.bits === 128 && binder.opcode.chosen.some((text) => text !== undefined && strong.has(text));
  const watch = watcher(bound, bytes);
  return {
    memory: true,
    lanes: (frame, mask) => {
      if (frame.warp.block.observer !== undefined) watch(frame, mask);
      if (isWide) exclusively(frame, () => loop(frame, mask));
      else loop(frame, mask);
    },
  };
}

/** The same for a variable that is held in a register; an observer receives the address that it would have in memory. */
function registerTransfer(
  binder: Binder,
  { locate }: BoundAddress,
  [from, to]: readonly [Place, Place],
  { bits, class: kind }: DataType,
): Bound {
  const isSigned = kind === "signed";
  const shift = 32 - bits;
  const value = bits >= 32 ? "x" : isSigned ? `x << ${shift} >> ${shift}` : `x << ${shift} >>> ${shift}`;
  const upper = bits === 64 ? `w[from + ${from.stride} * l + 1]` : isSigned ? "value >> 31" : "0";
  const loop = binder.compile(
    ["from", "to"],
    `"use strict";
    return (frame, mask) => {
      const w = frame.words;
      for (let l = 0; l < 32; l++) {
        if ((mask >>> l & 1) === 0) continue;
        const x = w[from + ${from.stride} * l], value = ${value};
        w[to + ${to.stride} * l] = value;
        ${to.stride === 2 ? `w[to + 2 * l + 1] = ${upper};` : ""}
      }
    };`,
  )(from.word, to.word);
  const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
  return {
    memory: true,
    lanes: (frame, mask) => {
      if (frame.warp.block.observer !== undefined) for (const lane of lanesIn(mask)) locate(frame, lane, spot);
      loop(frame, mask);
    },
  };
}

const load: Reading = (opcode) => custom((binder) => ({ ...transfer(binder, 0, 1, false), spins: maySpin(opcode) }));

const store: Reading = () => custom((binder) => transfer(binder, 1, 0, true));

/** Hints and orderings that have no effect in this memory. */
export const nothing: Meaning = custom(() => ({ lanes: () => {} }));

/** If other host threads run blocks, orders what this thread has written before its next reads and writes. */
const fence: Meaning = custom(() => ({
  lanes: ({ warp, words }) => {
    // Any atomic operation orders the accesses around it; this one changes nothing.
    if (warp.block.launch.sharedCounters !== undefined) Atomics.add(words, 0, 0);
  },
  spins: true,
}));

/** createpolicy: a policy is an opaque value, which nothing reads here. */
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
