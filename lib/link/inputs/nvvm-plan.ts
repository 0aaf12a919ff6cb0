// Derives the options for compiling NVVM IR from the other modules of a link: the target of PTX and objects, and the annotations
// of names that some modules declare and others define (NVVM IR 1.0 section 11.2).

import { createSink } from "../../diag/sink.js";
import { knownTarget } from "../../isa/targets.table.js";
import { hasAnnotations } from "../../nvvm/bitcode/outline.js";
import { readModule } from "../../nvvm/compile-source.js";
import { isBitcode } from "../../../formats/bitstream/magic.js";
import { annotationsOfDeclared } from "../../nvvm/globals/annotations.js";
import type { NamedAnnotations, NvvmOptions, Property } from "../../nvvm/options.js";
import { decodeObject } from "../../object/file/read.js";
import type { Source } from "../../ptx/source-text.js";
import { openArchive } from "./archive.js";
import { kindOf } from "./recognise.js";

/** `sources`: the inputs that are always linked, in order. Their errors are reported when they are opened. */
export function planNvvm(sources: Iterable<Source>, given: NvvmOptions): NvvmOptions {
  let { arch } = given;
  let modules = 0;
  const annotations: Record<string, readonly Property[]> = Object.create(null) as Record<string, readonly Property[]>;
  const merge = (found: NamedAnnotations): void => {
    for (const [name, properties] of Object.entries(found))
      annotations[name] = [...(annotations[name] ?? []), ...properties];
  };
  for (const source of sources) {
    const kind = kindOf(source);
    if (kind === "nvvm" || kind === "bitcode") {
      modules++;
      const module = mayAnnotate(source.bytes) ? readModule(source, createSink()) : undefined;
      if (module !== undefined) merge(annotationsOfDeclared(module));
    } else if (kind === "archive") {
      if (arch === undefined) arch = targetInside(source);
      for (const found of annotationsInside(source)) {
        modules++;
        merge(found);
      }
    } else if (arch === undefined) arch = targetOf(source);
  }
  return {
    ...given,
    ...(arch === undefined ? {} : { arch }),
    ...(modules > 1 ? { annotations } : {}),
  };
}

/** Annotations on declared names, from each member that is NVVM IR; does not read the files of thin archives. */
function annotationsInside(source: Source): readonly NamedAnnotations[] {
  if (!mayHaveNvvm(source.bytes)) return [];
  const { isThin, fault, members } = openArchive(source);
  if (isThin || fault !== undefined) return [];
  return members.flatMap((member): readonly NamedAnnotations[] => {
    const inner = member.read();
    if (inner === undefined || !["nvvm", "bitcode"].includes(kindOf(inner))) return [];
    const module = mayAnnotate(inner.bytes) ? readModule(inner, createSink()) : undefined;
    return [module === undefined ? {} : annotationsOfDeclared(module)];
  });
}

/** Words that every NVVM IR module contains: an archive without them need not be opened. */
const signs = ["define ", "declare ", "BC\xc0\xde"].map((text) => Buffer.from(text, "latin1"));

function mayHaveNvvm(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return signs.some((sign) => all.includes(sign));
}

const has = (bytes: Uint8Array, word: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(word);

const mayAnnotate = (bytes: Uint8Array): boolean =>
  isBitcode(bytes) ? hasAnnotations(bytes) : has(bytes, "nvvm.annotations");

/** Bytes that are examined: a licence in comments may come first. */
const BEGINNING = 2 ** 16;

/** The target of the first .target directive of PTX. */
function targetOfText(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, BEGINNING))
    .toString("latin1")
    .replaceAll(/\/\/.*|\/\*[^]*?\*\//g, " ");
  const name = /\.target\s+(sm_\w+)/.exec(text)?.[1];
  return name !== undefined && knownTarget(name) !== undefined ? name : undefined;
}

function targetOf(source: Source): string | undefined {
  const kind = kindOf(source);
  if (kind === "ptx") return targetOfText(source.bytes);
  return kind === "ptxkit" ? targetOfObject(source) : undefined;
}

/** The target of the first member that has one. Members of thin archives are separate files and are not read. */
function targetInside(source: Source): string | undefined {
  const { isThin, fault, members } = openArchive(source);
  if (isThin || fault !== undefined) return undefined;
  for (const member of members) {
    const inner = member.read();
    const target = inner && targetOf(inner);
    if (target !== undefined) return target;
  }
  return undefined;
}

function targetOfObject(source: Source): string | undefined {
  const object = decodeObject(source.bytes, source.name);
  return object.ok ? object.value.target.name : undefined;
}
