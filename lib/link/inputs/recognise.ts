// Recognises a file by its content, never by its name: the first bytes decide. PTX is text that begins, after blanks and
// comments, with .version; NVVM IR is text that begins with a keyword of LLVM's assembly, or bitcode; ELF files are distinguished
// by machine, NVIDIA's ABI byte and ptxkit's.

import { looksLikeArchive } from "../../../formats/ar/read.js";
import { hasMagic, magicBytes } from "../../../formats/bytes/magic.js";
import { readElf } from "../../../formats/elf/file.js";
import { startsFatbin } from "../../../formats/fatbin/magic.js";
import { looksLikeMachO } from "../../../formats/macho/magic.js";
import { looksLikeCoff, looksLikePe } from "../../../formats/pe/magic.js";
import { codes } from "../../diag/codes.table.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { isNvvmText } from "../../nvvm/recognise.js";
import { isBitcode } from "../../../formats/bitstream/magic.js";
import { cudaFileKind } from "../../object/file/container.js";
import type { Source } from "../../ptx/source-text.js";

/** What a file is, by its first bytes. */
export type FileKind =
  | "ptx"
  /** NVVM IR as text. */
  | "nvvm"
  /** A ptxkit object or image. */
  | "ptxkit"
  /** NVIDIA's machine code. */
  | "cubin"
  /** ELF for another machine: a host object or executable. */
  | "host-elf"
  /** A program, DLL or object of Windows. */
  | "pe"
  /** A program, library or object of macOS, for one machine or several. */
  | "mach-o"
  | "archive"
  | "fatbin"
  /** NVVM IR as LLVM's bitcode, raw or in its wrapper. */
  | "bitcode"
  /** The output of nvcc -dlto. */
  | "lto-ir"
  | "npy"
  | "empty"
  | "unknown";

const elf = magicBytes("\x7fELF");

/** Kinds that the first bytes alone determine. */
const magics: readonly { readonly magic: Uint8Array; readonly kind: FileKind }[] = [
  { magic: magicBytes("\x93NUMPY"), kind: "npy" },
  { magic: magicBytes("\xedCN\x7f"), kind: "lto-ir" },
  { magic: magicBytes("\x7fNC\xed"), kind: "lto-ir" },
];

/** The kind of a file's content. Reads at most its head, and leading comments. */
export function recognise(bytes: Uint8Array): FileKind {
  if (bytes.length === 0) return "empty";
  if (hasMagic(bytes, elf)) return elfKind(bytes);
  if (looksLikeArchive(bytes)) return "archive";
  if (startsFatbin(bytes)) return "fatbin";
  for (const { magic, kind } of magics) if (hasMagic(bytes, magic)) return kind;
  if (isBitcode(bytes)) return "bitcode";
  if (looksLikePe(bytes) || looksLikeCoff(bytes)) return "pe";
  if (looksLikeMachO(bytes)) return "mach-o";
  if (!looksLikeText(bytes)) return "unknown";
  return isNvvmText(bytes) ? "nvvm" : "ptx";
}

/** Whether the file is one module that is assembled: PTX or NVVM IR. */
export const isModule = (kind: FileKind | undefined): kind is "ptx" | "nvvm" | "bitcode" =>
  kind === "ptx" || kind === "nvvm" || kind === "bitcode";

/** Fatbins, and host files, which may contain fatbins. */
export type EmbeddingKind = "fatbin" | "host-elf" | "pe" | "mach-o";

/** Whether the file may contain fatbins. */
export const isEmbedding = (kind: FileKind | undefined): kind is EmbeddingKind =>
  kind === "fatbin" || kind === "host-elf" || kind === "pe" || kind === "mach-o";

/** Whether the file is text whose lines messages can show. */
export const hasLines = (kind: FileKind | undefined): boolean => kind === "ptx" || kind === "nvvm";

/** The kind of an input. For a re-readable source, its bytes are not accessed. */
export const kindOf = (source: Source): FileKind => (source.reread === undefined ? recognise(source.bytes) : "ptx");

function elfKind(bytes: Uint8Array): FileKind {
  const kind = cudaFileKind(bytes);
  // A file truncated in its header may be any ELF file: ptxkit's reader reports where it ends.
  if (kind === undefined) return bytes.length < 20 ? "ptxkit" : "host-elf";
  return kind === "nvidia" ? "cubin" : "ptxkit";
}

/** PTX is ASCII: anything without control bytes at its start is left to the parser. */
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
  pe: "a file of Windows",
  "mach-o": "a Mach-O file",
  archive: "an archive",
  fatbin: "a fatbin",
  nvvm: "NVVM IR",
  bitcode: "LLVM bitcode",
  "lto-ir": "LTO-IR (nvcc -dlto)",
  npy: "a NumPy array",
  empty: "empty",
  unknown: "neither text nor a known binary format",
};

const EXTRACT = "ptxkit inspect --extract FOLDER writes the PTX in it, if there is any";

/** Remedies for files given where PTX text is expected. */
const textRemedies: Partial<Readonly<Record<Exclude<FileKind, "ptx">, string>>> = {
  ptxkit: "use the PTX from which it was assembled, or the output of ptxkit link -r --emit ptx",
  cubin: "use the PTX from which it was compiled, for example from nvcc --ptx or cuobjdump -ptx",
  "host-elf": EXTRACT,
  pe: EXTRACT,
  "mach-o": EXTRACT,
  archive: EXTRACT,
  fatbin: EXTRACT,
  "lto-ir": "compile without -dlto: nvcc --ptx",
  empty: "check whether the tool that writes it failed: PTX text begins with .version",
};

/** Reports a file that cannot be a single module; returns whether it did. */
export function notText(source: Source, sink: DiagnosticSink): boolean {
  const kind = recognise(source.bytes);
  if (isModule(kind)) return false;
  const place = { kind: "bytes", file: source.name, offset: 0 } as const;
  const isCut = isTruncatedElf(source.bytes);
  const remedy = isCut ? codes["malformed-file"].remedy : textRemedies[kind];
  sink.report(
    "unknown-format",
    `${source.name} is not PTX text or NVVM IR: it is ${isCut ? "a truncated ELF file" : names[kind]}`,
    place,
    remedy ? { remedy } : {},
  );
  return true;
}

function isTruncatedElf(bytes: Uint8Array): boolean {
  if (!hasMagic(bytes, elf)) return false;
  const read = readElf(bytes);
  return !read.ok && read.error.code === "truncated";
}

export function kindText(kind: Exclude<FileKind, "ptx">): string {
  return names[kind];
}
