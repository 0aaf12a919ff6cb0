// inspect --verify for the files inside a file: members of an archive, and entries of fatbins in a fatbin file or a host file.
// Each ELF file among them is checked against the rules of its own kind; offsets in messages count from its start.

import { readElf, type ElfFile } from "../../../formats/elf/index.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { ReadFile } from "../../link/inputs/archive.js";
import type { FileKind } from "../../link/inputs/recognise.js";
import type { Source } from "../../ptx/source-text.js";
import { createDemangler } from "../context/demangler.js";
import { createElfContext } from "../context/elf-context.js";
import { verify, type Verification } from "./verify.js";
import { elementsOf } from "../parts/walk.js";

export interface VerifiedElement {
  /** The name in messages: "lib.a(scale.o)(1.sm_90.cubin)". */
  readonly name: string;
  /** Null if it cannot be read. */
  readonly kind: FileKind | null;
  /** Null for contents without rules: PTX text, which `ptxkit check` verifies, LTO-IR, and damaged files. */
  readonly verification: Verification | null;
  /** Points in which the elfy package reads it differently; present if requested. */
  readonly crossCheck?: readonly string[];
}

export interface VerifyOptions {
  /** Reads the members of a thin archive. */
  readonly readFile?: ReadFile | undefined;
  readonly witness?: ((bytes: Uint8Array, file: ElfFile) => readonly string[]) | undefined;
}

/** Verifies each element of an archive, a fatbin or a host file. */
export function verifyInside(
  source: Source,
  sink: DiagnosticSink,
  { readFile, witness }: VerifyOptions = {},
): readonly VerifiedElement[] {
  return [...elementsOf(source, sink, readFile)].map(({ name, bytes, kind }) => {
    const isElf = bytes !== undefined && (kind === "ptxkit" || kind === "cubin" || kind === "host-elf");
    if (!isElf) return { name, kind, verification: null };
    const read = readElf(bytes);
    if (!read.ok) {
      sink.report("malformed-file", read.error.what, { kind: "bytes", file: name, offset: read.error.offset });
      return { name, kind, verification: null };
    }
    const context = createElfContext(read.value, name, sink, createDemangler(undefined));
    const verification = verify({ ...context, bytes }, sink);
    return { name, kind, verification, ...(witness === undefined ? {} : { crossCheck: witness(bytes, read.value) }) };
  });
}
