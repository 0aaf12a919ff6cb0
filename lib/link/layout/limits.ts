// What a GPU and the options allow of data and shared memory. Sizes are bytes.

import { MAX_STATIC_SHARED_BYTES, targetFacts } from "../../../formats/cuda/index.js";
import type { Target } from "../../isa/requirement.js";

/** Bytes with initial values that an image may have unless the user allows more. */
export const DEFAULT_IMAGE_BYTES = 256 * 1024 * 1024;

/**
 * Most shared memory of a block, dynamic included, in KiB (CUDA Programming Guide 13.0, "Compute Capabilities"; from sm_90 on
 * ptxas and nvlink say so themselves, because it is the limit of static memory for sm_90a and its kin).
 */
const blockSharedKiB: readonly (readonly [sinceSm: number, kibibytes: number])[] = [
  [75, 64],
  [80, 163],
  [86, 99],
  [87, 163],
  [89, 99],
  [90, 227],
  [120, 99],
];

/** Bytes of a block's shared memory that are the system's, in front of the program's. */
export const systemSharedBytes = ({ sm }: Target): number => targetFacts(sm).reservedSharedBytes;

export const blockSharedBytes = ({ sm }: Target): number =>
  1024 * (blockSharedKiB.findLast(([since]) => since <= sm) ?? blockSharedKiB[0]!)[1];

/** Most bytes of static shared memory of a kernel: all that a block can have where the target is one architecture ("a"). */
export const staticSharedLimit = (target: Target): number =>
  target.suffix === "a" ? blockSharedBytes(target) : MAX_STATIC_SHARED_BYTES;
