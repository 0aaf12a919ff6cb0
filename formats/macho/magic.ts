// Detects Mach-O files by their magic. Separate from the reader, because every command detects formats and few read Mach-O.

import { hasMagic, magicBytes } from "../bytes/magic.js";

const THIN = magicBytes("\xcf\xfa\xed\xfe");
/** 32-bit files, and big-endian ones of either width: recognised, and rejected with their kind in the message. */
const OTHERS = ["\xce\xfa\xed\xfe", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf"].map(magicBytes);
const FAT = magicBytes("\xca\xfe\xba\xbe");
const FAT64 = magicBytes("\xca\xfe\xba\xbf");
/**
 * Java class files have the magic of a universal file. They store their version, 45 or more, where a universal file stores its
 * number of architectures.
 */
const MIN_JAVA_VERSION = 45;

export const isThinMachO = (bytes: Uint8Array): boolean => hasMagic(bytes, THIN);
export const isOtherMachO = (bytes: Uint8Array): boolean => OTHERS.some((magic) => hasMagic(bytes, magic));
export const isUniversal64 = (bytes: Uint8Array): boolean => hasMagic(bytes, FAT64);

/** Whether it is a universal ("fat") Mach-O file. */
export function isUniversal(bytes: Uint8Array): boolean {
  if (isUniversal64(bytes)) return true;
  if (!hasMagic(bytes, FAT) || bytes.length < 8) return false;
  return bytes[4] === 0 && bytes[5] === 0 && bytes[6] === 0 && bytes[7]! < MIN_JAVA_VERSION;
}

export const looksLikeMachO = (bytes: Uint8Array): boolean =>
  isThinMachO(bytes) || isUniversal(bytes) || isOtherMachO(bytes);
