// The notes of NVIDIA's tools: .note.nv.tkinfo (one per tool run: program, version, options) and .note.nv.cuinfo (virtual SM,
// toolkit). Both are ELF notes with the name "NVIDIA Corp" (elf/note.ts).
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import { ByteWriter } from "../bytes/writer.js";
import type { ElfNote } from "../elf/note.js";

export const NVIDIA_NOTE_NAME = "NVIDIA Corp";
/** Note types. */
export const NT_NV = { CUINFO: 1000, TKINFO: 2000 } as const;

export interface ToolkitInfo {
  readonly objectFile: string;
  readonly tool: string;
  readonly toolVersion: string;
  readonly branch: string;
  readonly options: string;
}

export interface CudaInfo {
  readonly virtualSm: number;
  /** 10 x major + minor: 130 is CUDA 13.0 */
  readonly toolkit: number;
}

/** Offset in bytes of the strings in the description, after the version and five offsets. */
const TKINFO_STRINGS = 24;
const NOTE_HEAD = 24;

export function readToolkitInfo(note: ElfNote): Result<ToolkitInfo> {
  return decoding(() => {
    const base = expectNote(note, NT_NV.TKINFO, ".note.nv.tkinfo");
    const reader = new ByteReader(note.description, base);
    const version = reader.u32("tkinfo version");
    if (version !== 2) malformed("unsupported", base, `tkinfo version ${version}: 2 is read`);
    const offsets = Array.from({ length: 5 }, () => reader.u32("tkinfo string offset"));
    const [objectFile, tool, toolVersion, branch, options] = offsets.map((offset) => {
      reader.seek(TKINFO_STRINGS + offset, "tkinfo string");
      return reader.cstring("tkinfo string");
    });
    return {
      objectFile: objectFile!,
      tool: tool!,
      toolVersion: toolVersion!,
      branch: branch!,
      options: options!,
    };
  });
}

export function encodeToolkitInfo(info: ToolkitInfo): Omit<ElfNote, "offset"> {
  const strings = new ByteWriter();
  const head = new ByteWriter();
  head.u32(2);
  // NVIDIA's order; an empty first string is the NUL byte at offset 0.
  for (const text of [info.objectFile, info.tool, info.toolVersion, info.branch, info.options]) {
    head.u32(strings.length);
    strings.cstring(text);
  }
  head.put(strings.finish());
  head.align(4);
  return { name: NVIDIA_NOTE_NAME, type: NT_NV.TKINFO, description: head.finish() };
}

export function readCudaInfo(note: ElfNote): Result<CudaInfo> {
  return decoding(() => {
    const base = expectNote(note, NT_NV.CUINFO, ".note.nv.cuinfo");
    const reader = new ByteReader(note.description, base);
    const version = reader.u16("cuinfo version");
    if (version !== 2) malformed("unsupported", base, `cuinfo version ${version}: 2 is read`);
    return { virtualSm: reader.u16("virtual SM"), toolkit: reader.u32("toolkit version") };
  });
}

export function encodeCudaInfo(info: CudaInfo): Omit<ElfNote, "offset"> {
  const writer = new ByteWriter();
  writer.u16(2);
  writer.u16(info.virtualSm);
  writer.u32(info.toolkit);
  return { name: NVIDIA_NOTE_NAME, type: NT_NV.CUINFO, description: writer.finish() };
}

/** Checks the name and type of a note; returns the file offset of its description. */
function expectNote(note: ElfNote, type: number, what: string): number {
  if (note.name !== NVIDIA_NOTE_NAME || note.type !== type)
    malformed("malformed", note.offset, `${what}: note ${JSON.stringify(note.name)} of type ${note.type}`);
  return note.offset + NOTE_HEAD;
}
