// From a file's bytes to what the linker takes: PTX is parsed, checked and assembled; our own objects and images are read.

import { readElf, sectionNamed } from "../../formats/elf/index.js";
import { NotYet } from "../base/not-yet.js";
import { checkSource, type CheckOptions } from "../check/check.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { assemble } from "../object/assemble.js";
import type { LinkedImage, RelocObject } from "../object/object.js";
import { readObject } from "../object/read.js";
import type { Source } from "../ptx/tree.js";
import { kindText, recognise, type FileKind } from "./recognise.js";

export type Input =
  { readonly kind: "object"; readonly object: RelocObject } | { readonly kind: "image"; readonly image: LinkedImage };

/** The input, or undefined after a report. Throws NotYet for archives, fatbins and host objects. */
export function assembleInput(source: Source, sink: DiagnosticSink, options: CheckOptions = {}): Input | undefined {
  const errorsBefore = sink.errorCount;
  const kind = recognise(source.bytes);
  switch (kind) {
    case "ptx": {
      const module = checkSource(source, sink, options);
      return sink.errorCount > errorsBefore ? undefined : { kind: "object", object: assemble(module) };
    }
    case "ptxkit":
    case "cubin": {
      const object = readObject(source.bytes, source.name, sink);
      if (object === undefined) return undefined;
      return object.type === "executable"
        ? { kind: "image", image: object as LinkedImage }
        : { kind: "object", object: object as RelocObject };
    }
    case "host-elf":
      if (!holdsFatbin(source.bytes)) return refuse(source, kind, sink);
      throw new NotYet(`${source.name} is a host object: the GPU code in it is not supported yet as an input`);
    case "archive":
    case "fatbin":
      throw new NotYet(`${source.name} is ${kindText(kind)}: not supported yet as an input; extract the PTX first`);
    case "npy":
    case "empty":
    case "unknown":
      return refuse(source, kind, sink);
  }
}

/** nvcc puts the GPU code of a host object into this section. */
function holdsFatbin(bytes: Uint8Array): boolean {
  const elf = readElf(bytes);
  return elf.ok && sectionNamed(elf.value, ".nv_fatbin") !== undefined;
}

function refuse(source: Source, kind: Exclude<FileKind, "ptx">, sink: DiagnosticSink): undefined {
  const place = { kind: "bytes", file: source.name, offset: 0 } as const;
  sink.report("unknown-format", `${source.name} is ${kindText(kind)}`, place, {
    remedy: "inputs are PTX modules and objects made by ptxkit as",
  });
}
