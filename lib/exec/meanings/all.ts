// All meanings, by form id or base opcode. If several tables have an opcode, the first that supports its types is used.

import type { Form } from "../../isa/form.js";
import type { Opcode } from "../../isa/opcode.js";
import { asyncMeanings } from "./async.js";
import { atomicMeanings } from "./atomic.js";
import { barrierMeanings } from "./barrier.js";
import { bulkCopyMeanings } from "./bulk-copy.js";
import { clusterLaunchMeanings } from "./cluster-launch.js";
import { collectiveMeanings } from "./collective.js";
import { controlMeanings } from "./control.js";
import { convertMeanings } from "./convert.js";
import { extendedMeanings } from "./extended.js";
import { floatMeanings } from "./float.js";
import { fragmentMoveMeanings } from "./fragment-move.js";
import { halfMeanings } from "./half.js";
import { integerMeanings } from "./integer.js";
import { logicMeanings } from "./logic.js";
import { mbarrierMeanings } from "./mbarrier.js";
import { mmaMeanings } from "./mma.js";
import { mmaScaledMeanings } from "./mma-scaled.js";
import type { Meaning, Meanings, Reading } from "./meaning.js";
import { memoryMeanings } from "./memory.js";
import { moveMeanings } from "./move.js";
import { multimemMeanings } from "./multimem.js";
import { stackMeanings } from "./stack.js";
import { tcgen05AllocMeanings } from "./tcgen05-alloc.js";
import { tcgen05CopyMeanings } from "./tcgen05-copy.js";
import { tcgen05MmaMeanings } from "./tcgen05-mma.js";
import { tcgen05MoveMeanings } from "./tcgen05-move.js";
import { tensorCopyMeanings } from "./tensor-copy.js";
import { tensorMapMeanings } from "./tensor-map.js";
import { surfaceMeanings } from "./surface.js";
import { textureQueryMeanings } from "./texture-query.js";
import { textureMeanings } from "./texture.js";
import { videoMeanings } from "./video.js";
import { wgmmaMeanings } from "./wgmma.js";
import { wmmaMeanings } from "./wmma.js";

const tables: readonly Meanings[] = [
  integerMeanings,
  extendedMeanings,
  floatMeanings,
  halfMeanings,
  logicMeanings,
  moveMeanings,
  convertMeanings,
  asyncMeanings,
  mbarrierMeanings,
  bulkCopyMeanings,
  tensorCopyMeanings,
  tensorMapMeanings,
  multimemMeanings,
  clusterLaunchMeanings,
  memoryMeanings,
  atomicMeanings,
  videoMeanings,
  mmaMeanings,
  mmaScaledMeanings,
  wmmaMeanings,
  wgmmaMeanings,
  tcgen05AllocMeanings,
  tcgen05CopyMeanings,
  tcgen05MoveMeanings,
  tcgen05MmaMeanings,
  fragmentMoveMeanings,
  collectiveMeanings,
  barrierMeanings,
  controlMeanings,
  stackMeanings,
  textureMeanings,
  textureQueryMeanings,
  surfaceMeanings,
];

// Caches a pure function of the constant tables: a large module binds many instructions of few forms.
const readings = new Map<string, readonly Reading[]>();

function readingsOf(form: Form): readonly Reading[] {
  let found = readings.get(form.id);
  if (found === undefined) {
    found = tables.flatMap((table) => table[form.id] ?? table[form.opcode] ?? []);
    readings.set(form.id, found);
  }
  return found;
}

/** The opcode's meaning; undefined if it is not executed. */
export function meaningOf(opcode: Opcode): Meaning | undefined {
  for (const reading of readingsOf(opcode.form)) {
    const meaning = reading(opcode);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

/** Whether some opcode of the form may be executed: for the documentation's table. */
export function isExecuted(form: Form): boolean {
  return readingsOf(form).length > 0;
}
