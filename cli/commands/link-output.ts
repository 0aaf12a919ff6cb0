// The outputs of ptxkit link: an image, a relocatable object (-r), or one PTX module (--emit ptx; with -r, a later link may
// define its undefined symbols).

import { emitPtx, linkObjects, linkRelocatable } from "../../lib/link/link-objects.js";
import type { LinkOptions } from "../../lib/link/options.js";
import { writeObject } from "../../lib/object/file/write.js";
import type { ObjectFile } from "../../lib/object/object.js";
import type { DiagnosticSink } from "../../lib/diag/sink.js";
import type { GivenOptions } from "../options/link-options.js";

/**
 * Links; the returned function makes the bytes. Undefined if an error was reported. The code for each kind of output is loaded on
 * demand.
 */
export async function makeOutput(
  objects: readonly ObjectFile[],
  { emit, relocatable = false, buildId, ptxVersion }: GivenOptions,
  given: LinkOptions,
  sink: DiagnosticSink,
): Promise<(() => Promise<Uint8Array>) | undefined> {
  if (emit === "ptx") {
    const text = emitPtx(objects, { ...given, relocatable, ...(ptxVersion === undefined ? {} : { ptxVersion }) }, sink);
    return text && (() => Promise.resolve(text));
  }
  const join = relocatable ? linkRelocatable : linkObjects;
  const object = join(objects, given, sink);
  if (object === undefined) return undefined;
  return async () =>
    buildId === true
      ? (await import("../../lib/object/file/build-id.js")).writeIdentified(object)
      : writeObject(object);
}
