// NVVM IR, text or bitcode, read and compiled.

import { createSink, reportAgain, type DiagnosticSink } from "../diag/sink.js";
import type { Source } from "../ptx/source-text.js";
import { readBitcode } from "./bitcode/read.js";
import { compileModule } from "./compile.js";
import type { Module } from "./ir/module.js";
import { resolveOptions, type NvvmOptions } from "./options.js";
import { isBitcode } from "../../formats/bitstream/magic.js";
import { parseModule } from "./text/parse.js";

/** A module of NVVM IR; undefined after errors. */
export const readModule = (source: Source, sink: DiagnosticSink): Module | undefined =>
  isBitcode(source.bytes) ? readBitcode(source, sink) : parseModule(source, sink);

/** The PTX compiled from a module. After errors, an empty module. */
export function compileSource(
  source: Source,
  options: NvvmOptions | (() => NvvmOptions) | undefined,
  sink: DiagnosticSink,
): Source {
  const found = createSink();
  const module = readModule(source, found);
  const made = module && compileModule(module, resolveOptions(options), found);
  reportAgain(found.all, sink);
  return made !== undefined && found.errorCount === 0 ? made : { name: source.name, bytes: Buffer.from(EMPTY) };
}

const EMPTY = ".version 6.0\n.target sm_75\n.address_size 64\n";
