// Detects device libraries among the inputs. Separate from the code that opens them, because every input is checked.

import { createSink } from "../../diag/sink.js";
import { tripleOf } from "../../nvvm/bitcode/outline.js";
import { readModule } from "../../nvvm/compile-source.js";
import type { Module } from "../../nvvm/ir/module.js";
import { isDeviceLibrary } from "../../nvvm/library.js";
import { isBitcode } from "../../../formats/bitstream/magic.js";
import type { Source } from "../../ptx/source-text.js";
import { kindOf } from "../inputs/recognise.js";

/** Modules that were read for the detection, kept for the opening. */
const readOnes = new WeakMap<Uint8Array, Module>();

/** Whether a source is NVVM IR, text or bitcode. */
export function isNvvmSource(source: Source): boolean {
  const kind = kindOf(source);
  return kind === "nvvm" || kind === "bitcode";
}

/** Whether a source is a library, whose functions are compiled only if needed. Its triple decides, not its position. */
export function isLibrary(source: Source): boolean {
  if (!isNvvmSource(source)) return false;
  if (!mayBeLibrary(source)) return false;
  const module = readOnes.get(source.bytes) ?? readModule(source, createSink());
  if (module === undefined || !isDeviceLibrary(module)) return false;
  readOnes.set(source.bytes, module);
  return true;
}

const TRIPLE = "nvptx64-nvidia-gpulibs";

const mayBeLibrary = ({ bytes }: Source): boolean =>
  isBitcode(bytes)
    ? (tripleOf(bytes)?.startsWith(TRIPLE) ?? false)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(TRIPLE);

/** Takes the module of a library that `isLibrary` has read. It can be taken only once, because compiling changes it. */
export function takeLibrary({ bytes }: Source): Module | undefined {
  const known = readOnes.get(bytes);
  readOnes.delete(bytes);
  return known;
}
