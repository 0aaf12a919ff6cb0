// ptxkit as: assembles one module of PTX or NVVM IR to one relocatable object.

import path from "node:path";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import { notText } from "../../lib/link/inputs/recognise.js";
import { unlessTooLarge } from "../../lib/link/messages/too-large.js";
import { objectParts } from "../../lib/object/file/write.js";
import { inSession, type CommonOptions } from "../options/common.js";
import { slowGrowthFor, withSlowGrowthForFiles } from "../base/engine.js";
import type { Host } from "../files/host.js";
import { checkOptions, readSource, releaserOf } from "../inputs/inputs.js";
import { checkOutputs } from "../files/outputs.js";
import { status, type Status } from "../base/status.js";
import { blocksOf } from "../files/stream.js";

export interface AsOptions extends CommonOptions {
  readonly output?: string;
}

export function as(file: string, options: AsOptions, host: Host): Promise<Status> {
  const assembling = () =>
    inSession(host, options, (session) => {
      const output = options.output ?? defaultOutput(file);
      checkOutputs([output], [file], host);
      const source = readSource(file, session);
      // The size of a pipe is known only now.
      slowGrowthFor(source.bytes.length);
      const release = releaserOf(source, session);
      if (notText(source, session.sink)) return status.wrongInput;
      const input = assembleInput(source, session.sink, checkOptions(options, true));
      if (input?.kind !== "object" || session.sink.errorCount > 0) return status.wrongInput;
      release();
      const parts = unlessTooLarge(session.sink, () => objectParts(input.object), "");
      if (parts === undefined) return status.wrongInput;
      host.write(output, blocksOf(parts));
      return status.done;
    });
  return withSlowGrowthForFiles([host.sizeOf(file)], assembling);
}

/** The input's name with the extension .o, in the current folder; "-" (standard output) for standard input. */
function defaultOutput(file: string): string {
  return file === "-" ? "-" : `${path.basename(file, path.extname(file))}.o`;
}
