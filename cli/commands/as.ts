// ptxkit as: one PTX module to one relocatable object.

import path from "node:path";
import { assembleInput } from "../../lib/link/open-input.js";
import { notText } from "../../lib/link/recognise.js";
import { writeObject } from "../../lib/object/write.js";
import { openSession, writeDiagnostics, type CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import { checkOptions, readSource } from "../inputs.js";
import { status, type Status } from "../status.js";

export interface AsOptions extends CommonOptions {
  readonly output?: string;
}

export function as(file: string, options: AsOptions, host: Host): Status {
  const session = openSession(host, options);
  const source = readSource(file, session);
  const input = notText(source, session.sink) ? undefined : assembleInput(source, session.sink, checkOptions(options));
  const object = input?.kind === "object" && session.sink.errorCount === 0 ? writeObject(input.object) : undefined;
  writeDiagnostics(session, options);
  if (object === undefined) return status.wrongInput;
  host.write(options.output ?? defaultOutput(file), object);
  return status.done;
}

/** The input's name with .o for its extension, in the current folder; standard input goes to standard output. */
function defaultOutput(file: string): string {
  return file === "-" ? "-" : `${path.basename(file, path.extname(file))}.o`;
}
