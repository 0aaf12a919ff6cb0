// clusterlaunchcontrol: PTX ISA 9.0 sections 9.7.13.17 and 9.7.13.18. It removes a cluster that has not begun from the grid, so
// that the caller does its work. The response is opaque; here it is a word that is 1 for success, then the first block's
// coordinates.

import { hasModifier } from "../../isa/opcode.js";
import { bindAddress } from "../operands/access.js";
import { completeBytes } from "../async/mbarrier.js";
import { issueWithSignal } from "../async/pending.js";
import type { Binder, Bound } from "../operands/binder.js";
import { originOf } from "../machine/cluster-origin.js";
import type { LaunchState } from "../state/launch.js";
import type { Spot } from "../state/warp.js";
import { lanesIn } from "../machine/walk.js";
import { bytesAt, locateBarrier, named, placeOf } from "./async-operands.js";
import { inBlock } from "./bulk-copy.js";
import { custom, type Meaning, type Meanings } from "./meaning.js";
import { spaceOfOpcode } from "./memory.js";

const RESPONSE_BYTES = 16;

function cancel(launch: LaunchState): Int32Array {
  const cluster = launch.cancelCluster?.();
  return Int32Array.from(cluster === undefined ? [0, 0, 0, 0] : [1, ...originOf(launch, cluster)]);
}

const tryCancel: Meaning = custom((binder): Bound => {
  const space = spaceOfOpcode(binder.opcode);
  const target = bindAddress(binder, named(binder, "a"), space, RESPONSE_BYTES, RESPONSE_BYTES, true).locate;
  const barrier = locateBarrier(binder, named(binder, "m"), space);
  const isForAll = hasModifier(binder.opcode, "multicast::cluster::all");
  return {
    memory: true,
    lanes: (frame, mask) => {
      const { block } = frame.warp;
      // Generated code must not start the next block: it may be the cancelled one.
      block.launch.fast?.deferBlockEnd();
      for (const lane of lanesIn(mask)) {
        const [to, at] = [placeOf(target, frame, lane), placeOf(barrier, frame, lane)];
        const response = new Uint8Array(cancel(block.launch).buffer);
        const send = (place: Spot, signalled: Spot): void => {
          const bytes = bytesAt(place, RESPONSE_BYTES, lane);
          issueWithSignal(
            frame,
            signalled,
            () => bytes.set(response),
            (state) => completeBytes(state, RESPONSE_BYTES),
          );
        };
        if (!isForAll) send(to, at);
        else for (const each of block.cluster.blocks) send(inBlock(each, to), inBlock(each, at));
      }
    },
  };
});

const isCanceled: Meaning = custom((binder): Bound => {
  const p = binder.write(binder.operand(0), 1).word;
  const { word, stride } = binder.read(binder.operand(1), 128);
  return {
    lanes: ({ words: w }, mask) => {
      let bits = 0;
      for (const lane of lanesIn(mask)) if (w[word + stride * lane] === 1) bits |= 1 << lane;
      w[p] = (w[p]! & ~mask) | bits;
    },
  };
});

/** Reads coordinates of the first block: all into a vector, or one. */
function firstBlock(components: (binder: Binder) => readonly number[]): Meaning {
  return custom((binder): Bound => {
    const places = binder.elements(binder.operand(0)).map((element) => binder.write(element, 32));
    const { word, stride } = binder.read(binder.operand(1), 128);
    const read = components(binder);
    return {
      lanes: ({ words: w }, mask) => {
        for (const lane of lanesIn(mask)) {
          const values = read.map((component) => (component > 3 ? 0 : w[word + stride * lane + component]!));
          places.forEach((place, i) => (w[place.word + lane] = values[i]!));
        }
      },
    };
  });
}

const dimensionOf = (binder: Binder): number =>
  1 + ["x", "y", "z"].findIndex((letter) => hasModifier(binder.opcode, `get_first_ctaid::${letter}`));

export const clusterLaunchMeanings: Meanings = {
  "clusterlaunchcontrol.try_cancel": () => tryCancel,
  "clusterlaunchcontrol.is_canceled": () => isCanceled,
  "clusterlaunchcontrol.get_first_ctaid": () => firstBlock(() => [1, 2, 3, 4]),
  "clusterlaunchcontrol.get_first_ctaid.one": () => firstBlock((binder) => [dimensionOf(binder)]),
};
