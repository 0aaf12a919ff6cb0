// mbarrier instructions: PTX ISA 9.0 section 9.7.13.15. async/mbarrier.ts defines their effects on the object.

import {
  arrive,
  completeBytes,
  expectArrival,
  expectBytes,
  initial,
  mbarrierAt,
  unpack,
  update,
} from "../async/mbarrier.js";
import { completeSignals, isPhaseOver, signalAfterCopies } from "../async/pending.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Frame } from "../state/frame.js";
import type { Mbarrier } from "../state/pending.js";
import type { Spot, AwaitedPhase, Group, Warp } from "../state/warp.js";
import { lanesIn } from "../machine/walk.js";
import { inBlock, ranksIn } from "./bulk-copy.js";
import { locateBarrier, named, newSpot, placeOf, valueOf } from "./async-operands.js";
import { hasModifier, type Opcode } from "../../isa/opcode.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { spaceOfOpcode } from "./memory.js";

/** The effect of an instruction with that count on the barrier. */
type Change = (barrier: Mbarrier, count: number, lane: number) => Mbarrier;

/** An instruction that changes the barrier at [a] by `count`, and may return the state before it. */
function changing(change: Change, begins = false): Meaning {
  return custom((binder): Bound => {
    const locate = locateBarrier(binder, named(binder, "a"), spaceOfOpcode(binder.opcode));
    const count = valueOf(binder, named(binder, "count"), 1);
    const d = named(binder, "d");
    const state = d === undefined || d.kind === "sink" ? undefined : binder.write(d, 64).word >> 1;
    const spot = newSpot();
    return {
      memory: true,
      lanes: (frame, mask) => {
        for (const lane of lanesIn(mask)) {
          locate(frame, lane, spot);
          if (begins) completeSignals(frame.warp.block.cluster, spot);
          const before = update(spot, (barrier) => change(barrier, count(frame, lane), lane));
          if (state !== undefined) frame.ulongs[state + lane] = before;
        }
      },
    };
  });
}

const init = (opcode: Opcode): Meaning => {
  const layout = layoutOf(opcode);
  return changing((_, count, lane) => initial(count, lane, layout), true);
};

const layoutOf = (opcode: Opcode): 0 | 1 => (hasModifier(opcode, "layout::v1") ? 1 : 0);

/** Whether the object was made with that layout. */
const checkLayout: Reading = (opcode) =>
  custom((binder): Bound => {
    const p = binder.write(named(binder, "p"), 1).word;
    const locate = locateBarrier(binder, named(binder, "a"), spaceOfOpcode(opcode));
    const layout = layoutOf(opcode);
    return {
      memory: true,
      lanes: (frame, mask) => {
        let same = 0;
        for (const lane of lanesIn(mask))
          if (mbarrierAt(placeOf(locate, frame, lane)).layout === layout) same |= 1 << lane;
        frame.words[p] = (frame.words[p]! & ~mask) | same;
      },
    };
  });

/** inval: the object becomes ordinary memory; its bits stay. */
const inval = changing((barrier) => barrier, true);

const arriving = (opcode: Opcode): Change => {
  const drops = opcode.form.id.startsWith("mbarrier.arrive_drop");
  return hasModifier(opcode, "expect_tx")
    ? (barrier, bytes, lane) => arrive(expectBytes(barrier, bytes, lane), 1, drops, lane)
    : (barrier, count, lane) => arrive(barrier, count, drops, lane);
};

const arrival: Reading = (opcode) => changing(arriving(opcode));

/** Changes the barriers at the same offset of each block that a mask of ranks names. */
const everywhere = (change: Change): Meaning =>
  custom((binder): Bound => {
    const locate = locateBarrier(binder, named(binder, "a"), "shared");
    const count = valueOf(binder, named(binder, "count"), 1);
    const ranks = valueOf(binder, named(binder, "mask"), 0);
    return {
      memory: true,
      lanes: (frame, mask) => {
        for (const lane of lanesIn(mask)) {
          const at = placeOf(locate, frame, lane);
          for (const block of ranksIn(frame, ranks(frame, lane), lane))
            update(inBlock(block, at), (barrier) => change(barrier, count(frame, lane), lane));
        }
      },
    };
  });

const pendingCount: Meaning = custom((binder): Bound => {
  const d = binder.write(binder.operand(0), 32).word;
  const state = binder.read(binder.operand(1), 64).word >> 1;
  return {
    lanes: (frame, mask) => {
      for (const lane of lanesIn(mask)) frame.words[d + lane] = unpack(frame.ulongs[state + lane]!).pending;
    },
  };
});

/**
 * cp.async.mbarrier.arrive: arrives when earlier copies are complete. Without .noinc, the phase expects one more arrival for it.
 */
const copyArrival: Reading = (opcode) =>
  custom((binder): Bound => {
    const locate = locateBarrier(binder, named(binder, "a"), spaceOfOpcode(opcode));
    const isCounted = hasModifier(opcode, "noinc");
    return {
      memory: true,
      lanes: (frame, mask) => {
        for (const lane of lanesIn(mask)) {
          const at = placeOf(locate, frame, lane);
          if (!isCounted) update(at, expectArrival);
          signalAfterCopies(frame, lane, at, (barrier) => arrive(barrier, 1, false));
        }
      },
    };
  });

// ---------------------------------------------------------------------------------------------------------------- waits

/** The barriers and parities that the lanes wait for; lanes with equal ones share an entry. */
function awaitedPhases(
  locate: (frame: Frame, lane: number, spot: Spot) => void,
  phaseOf: (frame: Frame, lane: number) => number,
  frame: Frame,
  mask: number,
): readonly AwaitedPhase[] {
  const awaited: (AwaitedPhase & { lanes: number })[] = [];
  for (const lane of lanesIn(mask)) {
    const at = placeOf(locate, frame, lane);
    const phase = phaseOf(frame, lane);
    const known = awaited.find(
      (each) => each.phase === phase && each.at.offset === at.offset && each.at.view === at.view,
    );
    if (known === undefined) awaited.push({ at, phase, lanes: 1 << lane });
    else known.lanes |= 1 << lane;
  }
  return awaited;
}

/** The parity of the phase that a lane waits for: that of a state, or as given. */
function askedPhase(binder: Binder, isParity: boolean): (frame: Frame, lane: number) => number {
  const { word } = binder.read(named(binder, isParity ? "phase" : "state"), isParity ? 32 : 64);
  return isParity
    ? (frame, lane) => frame.words[word + lane]! & 1
    : (frame, lane) => unpack(frame.ulongs[(word >> 1) + lane]!).phase;
}

/** The last test_wait of a warp. It returns at once, but one that repeats with nothing changed waits as try_wait does. */
interface LastTest {
  readonly pc: number;
  readonly mask: number;
  readonly words: Int32Array;
}

function isRepeatedTest(last: LastTest | undefined, { frame, pc, mask }: Group): boolean {
  return last?.pc === pc && last.mask === mask && last.words.every((word, at) => word === frame.words[at]);
}

const wait: Reading = (opcode) => {
  const isParity = hasModifier(opcode, "parity");
  const isTest = opcode.form.id.startsWith("mbarrier.test_wait");
  return custom((binder): Bound => {
    const target = binder.operand(0);
    const p = binder.write(target?.kind === "pair" ? target.first : target, 1).word;
    // Phases have no report here, so its predicate is false; and both kinds of phases end together.
    const report = target?.kind === "pair" ? binder.write(target.second, 1).word : undefined;
    const value = named(binder, "d");
    const reported = value === undefined ? undefined : binder.write(value, 32).word;
    const locate = locateBarrier(binder, named(binder, "a"), spaceOfOpcode(opcode));
    const phaseOf = askedPhase(binder, isParity);
    const asking = new WeakMap<Warp, LastTest>();
    return {
      memory: true,
      spins: true,
      control: (warp, group, active) => {
        if (active === 0) {
          group.pc++;
          return true;
        }
        const { frame } = group;
        const { cluster } = warp.block;
        const awaited = awaitedPhases(locate, phaseOf, frame, active);
        const answer = (over: number): void => {
          if ((over & active) !== 0)
            warp.block.launch.sanitizer?.phaseOver(warp, frame, group.pc, awaited, over & active);
          frame.words[p] = (frame.words[p]! & ~active) | (over & active);
          if (report !== undefined) frame.words[report] = frame.words[report]! & ~active;
          if (reported !== undefined) for (const lane of lanesIn(active)) frame.words[reported + lane] = 0;
          group.pc++;
          group.wait = undefined;
        };
        let over = 0;
        for (const { at, phase, lanes } of awaited) if (isPhaseOver(cluster, at, phase)) over |= lanes;
        if (over === 0 && isTest && !isRepeatedTest(asking.get(warp), group)) {
          const { pc, mask } = group;
          asking.set(warp, { pc, mask, words: frame.words.slice(0, frame.program.image.length) });
          answer(0);
          return true;
        }
        if (over !== 0) {
          answer(over);
          return true;
        }
        group.wait = { kind: "mbarrier", awaited, answer, turns: 0 };
        return false;
      },
    };
  });
};

const arrivalIds = ["", ".count", ".remote", ".expect_tx", ".expect_tx.remote", ".noComplete"];

export const mbarrierMeanings: Meanings = {
  "mbarrier.init": init,
  "mbarrier.inval": () => inval,
  "mbarrier.check_layout": checkLayout,
  "mbarrier.expect_tx": () => changing(expectBytes),
  "mbarrier.expect_tx.multicast": () => everywhere(expectBytes),
  "mbarrier.complete_tx": () => changing(completeBytes),
  "mbarrier.complete_tx.multicast": () => everywhere(completeBytes),
  ...Object.fromEntries(
    ["arrive", "arrive.expect_tx", "arrive_drop", "arrive_drop.expect_tx"].map((name) => [
      `mbarrier.${name}.multicast`,
      (opcode: Opcode) => everywhere(arriving(opcode)),
    ]),
  ),
  ...Object.fromEntries(
    arrivalIds.flatMap((id) => [
      [`mbarrier.arrive${id}`, arrival],
      [`mbarrier.arrive_drop${id}`, arrival],
    ]),
  ),
  "mbarrier.test_wait": wait,
  "mbarrier.test_wait.parity": wait,
  "mbarrier.try_wait": wait,
  "mbarrier.try_wait.parity": wait,
  ...Object.fromEntries(
    ["test_wait", "try_wait"].flatMap((name) =>
      ["primary", "parity.primary", "parity.conditional"].map((kind) => [`mbarrier.${name}.${kind}`, wait]),
    ),
  ),
  "mbarrier.pending_count": () => pendingCount,
  "cp.async.mbarrier.arrive": copyArrival,
};
