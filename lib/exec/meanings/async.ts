// cp.async: PTX ISA 9.0 section 9.7.9.25.3. A thread's copies complete at the wait that covers their group (async/pending.ts).

import { hasModifier } from "../../isa/opcode.js";
import { bindAddress } from "../operands/access.js";
import { commitGroup, issueInGroup, waitGroup } from "../async/pending.js";
import type { Bound } from "../operands/binder.js";
import type { LaneOperations } from "../state/pending.js";
import { constantOf, named, newSpot, valueOf } from "./async-operands.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";

/** cp.async: 4, 8 or 16 bytes, of which those beyond `used` are zero; all are when `ignore` holds. */
const copy: Meaning = custom((binder): Bound => {
  const size = constantOf(named(binder, "size"), 0);
  const target = bindAddress(binder, named(binder, "d"), "shared", size, size, true).locate;
  const source = bindAddress(binder, named(binder, "a"), "global", 1, size, false).locate;
  // Only bytes that are used must be in memory.
  const whole = bindAddress(binder, named(binder, "a"), "global", size, size, false).locate;
  const used = valueOf(binder, named(binder, "used"), size);
  const ignore = named(binder, "ignore");
  const ignored = ignore === undefined ? undefined : binder.read(ignore, 1);
  const [from, to] = [newSpot(), newSpot()];
  // Records of instructions whose copies are all complete, for reuse: to create one takes longer than the copies.
  const spare: LaneCopies[] = [];
  return {
    memory: true,
    lanes: (frame, mask) => {
      const flags = ignored === undefined ? 0 : frame.words[ignored.word]!;
      const copies = spare.pop() ?? createCopies(size, (done) => void spare.push(done));
      for (let lane = 0; lane < 32; lane++) {
        if (((mask >>> lane) & 1) === 0) continue;
        const count = ((flags >>> lane) & 1) !== 0 ? 0 : Math.min(size, used(frame, lane));
        target(frame, lane, to);
        copies.counts[lane] = count;
        copies.targets[lane] = to.view;
        copies.targetOffsets[lane] = to.offset;
        if (count === 0) continue;
        (count === size ? whole : source)(frame, lane, from);
        copies.sources[lane] = from.view;
        copies.sourceOffsets[lane] = from.offset;
      }
      issueInGroup(frame, "copy", mask, copies);
    },
  };
});

/** The copies of one cp.async, by lane. */
interface LaneCopies extends LaneOperations {
  readonly counts: Uint8Array;
  readonly targets: DataView[];
  readonly sources: DataView[];
  readonly targetOffsets: Float64Array;
  readonly sourceOffsets: Float64Array;
}

function createCopies(size: number, release: (copies: LaneCopies) => void): LaneCopies {
  const counts = new Uint8Array(32);
  const { view } = newSpot();
  const targets = new Array<DataView>(32).fill(view);
  const sources = new Array<DataView>(32).fill(view);
  const [targetOffsets, sourceOffsets] = [new Float64Array(32), new Float64Array(32)];
  const copies: LaneCopies = {
    counts,
    targets,
    sources,
    targetOffsets,
    sourceOffsets,
    complete(lane) {
      const [view, offset, count] = [targets[lane]!, targetOffsets[lane]!, counts[lane]!];
      const [source, start] = [sources[lane]!, sourceOffsets[lane]!];
      if (count === size)
        for (let at = 0; at < size; at += 4) view.setInt32(offset + at, source.getInt32(start + at, true), true);
      else for (let at = 0; at < size; at++) view.setInt8(offset + at, at < count ? source.getInt8(start + at) : 0);
    },
    end: () => release(copies),
  };
  return copies;
}

const commit = (kind: "copy" | "bulk"): Meaning =>
  custom(() => ({ lanes: (frame, mask) => commitGroup(frame, kind, mask) }));

/** wait_group n: waits for all committed groups but the latest n; with `.read`, only until their sources are read. */
const waitForGroups =
  (kind: "copy" | "bulk"): Reading =>
  (opcode) =>
    custom((binder) => {
      const left = constantOf(named(binder, "n"), 0);
      const reads = hasModifier(opcode, "read");
      return { lanes: (frame, mask) => waitGroup(frame, kind, mask, left, reads) };
    });

/** cp.async.wait_all waits for uncommitted operations, too. */
const waitForAll: Meaning = custom(() => ({ lanes: (frame, mask) => waitGroup(frame, "copy", mask, -1) }));

export const asyncMeanings: Meanings = {
  "cp.async": () => copy,
  "cp.async.ignore": () => copy,
  "cp.async.cg": () => copy,
  "cp.async.cg.ignore": () => copy,
  "cp.async.commit_group": () => commit("copy"),
  "cp.async.wait_group": waitForGroups("copy"),
  "cp.async.wait_all": () => waitForAll,
  "cp.async.bulk.commit_group": () => commit("bulk"),
  "cp.async.bulk.wait_group": waitForGroups("bulk"),
};
