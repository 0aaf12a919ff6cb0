// What a file is, by its content, never by its name: the first bytes decide. PTX is text that begins, after blanks and
// comments, with .version; ELF files are told apart by machine, by NVIDIA's ABI byte and by ours.

import { looksLikeArchive } from "../../formats/ar/read.js";
import { startsFatbin } from "../../formats/fatbin/magic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { cudaFileKind } from "../object/container.js";
import type { Source } from "../ptx/tree.js";

export type FileKind =
  | "ptx"
  /** An object or image of ours. */
  | "ptxkit"
  /** NVIDIA's machine code. */
  | "cubin"
  /** ELF for another machine: a host object or executable. */
  | "host-elf"
  | "archive"
  | "fatbin"
  /** LLVM's intermediate code, raw or in its wrapper. */
  | "bitcode"
  /** What nvcc -dlto makes. */
  | "lto-ir"
  | "npy"
  | "empty"
  | "unknown";

const ascii = (text: string): readonly number[] => [...text].map((c) => c.charCodeAt(0));

/** What files of some kinds begin with. */
const magics = {
  elf: [0x7f, ...ascii("ELF")],
  npy: [0x93, ...ascii("NUMPY")],
  bitcode: [...ascii("BC"), 0xc0, 0xde],
  wrappedBitcode: [0xde, 0xc0, 0x17, 0x0b],
  ltoIr: [0xed, ...ascii("CN"), 0x7f],
} as const;

function begins(bytes: Uint8Array, magic: keyof typeof magics): boolean {
  const expected = magics[magic];
  for (let i = 0; i < expected.length; i++) if (bytes[i] !== expected[i]) return false;
  return true;
}

/** The kind of a file's content. Reads at most its head, and leading comments. */
export function recognise(bytes: Uint8Array): FileKind {
  if (bytes.length === 0) return "empty";
  if (begins(bytes, "elf")) {
    const kind = cudaFileKind(bytes);
    // A file cut off in its header may be any ELF file: the reader of ours says where it ends.
    if (kind === undefined) return bytes.length < 20 ? "ptxkit" : "host-elf";
    return kind === "nvidia" ? "cubin" : "ptxkit";
  }
  if (looksLikeArchive(bytes)) return "archive";
  if (begins(bytes, "npy")) return "npy";
  if (startsFatbin(bytes)) return "fatbin";
  if (begins(bytes, "bitcode") || begins(bytes, "wrappedBitcode")) return "bitcode";
  if (begins(bytes, "ltoIr")) return "lto-ir";
  return looksLikeText(bytes) ? "ptx" : "unknown";
}

/** PTX is ASCII: anything without control bytes in its head is for the parser to judge. */
function looksLikeText(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, 512);
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 9 || (byte > 13 && byte < 32) || byte === 127) return false;
  }
  return true;
}

const names: Readonly<Record<Exclude<FileKind, "ptx">, string>> = {
  ptxkit: "an object or image of ptxkit's",
  cubin: "machine code (SASS) of NVIDIA's",
  "host-elf": "an ELF file for another machine",
  archive: "an archive",
  fatbin: "a fatbin",
  bitcode: "LLVM bitcode",
  "lto-ir": "LTO-IR (nvcc -dlto)",
  npy: "a NumPy array",
  empty: "empty",
  unknown: "neither text nor a known binary format",
};

/** Reports a file that cannot be PTX text; whether it did. */
export function notText(source: Source, sink: DiagnosticSink): boolean {
  const kind = recognise(source.bytes);
  if (kind === "ptx") return false;
  const place = { kind: "bytes", file: source.name, offset: 0 } as const;
  sink.report("unknown-format", `${source.name} is ${names[kind]}, not PTX text`, place);
  return true;
}

export function kindText(kind: Exclude<FileKind, "ptx">): string {
  return names[kind];
}
