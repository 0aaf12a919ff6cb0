// How an instruction stops a kernel: it throws a KernelFault. The loop that runs groups catches it and turns it into the Fault of
// the launch's result, with kernel, block, thread and source line. It is the user's fault, not ours: hence no InternalError. It
// is thrown rather than returned, because every load of every lane can fault and almost none does.

import type { FaultKind } from "./result.js";

export class KernelFault extends Error {
  override readonly name = "KernelFault";
  readonly kind: FaultKind;
  /** The lane that faulted, if a lane did. */
  readonly lane: number | undefined;
  /** Generic address in global memory; otherwise the offset in its window. */
  readonly address: number | undefined;
  readonly details: readonly string[];
  /** The remedy, if the cause suggests a better one than the kind. */
  readonly remedy: string | undefined;

  constructor(
    kind: FaultKind,
    message: string,
    place: {
      readonly lane?: number;
      readonly address?: number;
      readonly details?: readonly string[];
      readonly remedy?: string;
    } = {},
  ) {
    super(message);
    this.kind = kind;
    this.lane = place.lane;
    this.address = place.address;
    this.details = place.details ?? [];
    this.remedy = place.remedy;
  }
}
