// Limits of a GPU and of the options for data and shared memory. Sizes are bytes.

import { MAX_STATIC_SHARED_BYTES, targetFacts } from "../../../formats/cuda/index.js";
import type { Target } from "../../isa/requirement.js";

/** Default limit of the initialised bytes of an image. */
export const DEFAULT_IMAGE_BYTES = 256 * 1024 * 1024;

/**
 * Limit of a block's shared memory, dynamic included, in KiB (CUDA Programming Guide 13.0, "Compute Capabilities"; from sm_90 on
 * ptxas and nvlink report it themselves, because it is the limit of static memory for sm_90a and other architecture-specific
 * targets).
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

/** Bytes of a block's shared memory that the system uses, before the program's. */
export const systemSharedBytes = ({ sm }: Target): number => targetFacts(sm).reservedSharedBytes;

export const blockSharedBytes = ({ sm }: Target): number =>
  1024 * (blockSharedKiB.findLast(([since]) => since <= sm) ?? blockSharedKiB[0]!)[1];

/** Limit in bytes of a kernel's static shared memory: all of a block's for architecture-specific targets ("a"). */
export const staticSharedLimit = (target: Target): number =>
  target.suffix === "a" ? blockSharedBytes(target) : MAX_STATIC_SHARED_BYTES;
