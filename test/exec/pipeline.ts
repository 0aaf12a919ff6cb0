// Loads PTX text into a process, as the command line does it.

import { createSink } from "../../lib/diag/sink.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { loadImage } from "../../lib/load/load.js";
import type { Process } from "../../lib/load/process.js";
import type { Source } from "../../lib/ptx/source-text.js";

/** A process of these modules. Throws the first diagnostic if they have errors. */
export function loadSources(sources: readonly Source[]): Process {
  const sink = createSink();
  const objects = sources.flatMap((source) => {
    const input = assembleInput(source, sink);
    return input?.kind === "object" ? [input.object] : [];
  });
  const image = sink.errorCount === 0 ? linkObjects(objects, {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map((d) => `${d.message} ${JSON.stringify(d.place)}`).join("\n"));
  return loadImage(image);
}

/** A process of one module given as text. */
export function loadText(text: string): Process {
  return loadSources([{ name: "test.ptx", bytes: new TextEncoder().encode(text) }]);
}
