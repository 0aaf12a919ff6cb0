// How Mach-O files begin. Apart from the reader, because every command asks what a file is and few read these.

import { hasMagic, magicBytes } from "../bytes/magic.js";

const THIN = magicBytes("\xcf\xfa\xed\xfe");
/** 32-bit, and both in big-endian order: recognised, and refused with their names. */
const OTHERS = ["\xce\xfa\xed\xfe", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf"].map(magicBytes);
const FAT = magicBytes("\xca\xfe\xba\xbe");
const FAT64 = magicBytes("\xca\xfe\xba\xbf");
/** Class files of Java begin like a universal file, with their version, 45 or more, where it counts its architectures. */
const LEAST_JAVA_VERSION = 45;

export const isThinMachO = (bytes: Uint8Array): boolean => hasMagic(bytes, THIN);
export const isOtherMachO = (bytes: Uint8Array): boolean => OTHERS.some((magic) => hasMagic(bytes, magic));
export const isUniversal64 = (bytes: Uint8Array): boolean => hasMagic(bytes, FAT64);

/** Whether it is a Mach-O file for several machines. */
export function isUniversal(bytes: Uint8Array): boolean {
  if (isUniversal64(bytes)) return true;
  if (!hasMagic(bytes, FAT) || bytes.length < 8) return false;
  return bytes[4] === 0 && bytes[5] === 0 && bytes[6] === 0 && bytes[7]! < LEAST_JAVA_VERSION;
}

export const looksLikeMachO = (bytes: Uint8Array): boolean =>
  isThinMachO(bytes) || isUniversal(bytes) || isOtherMachO(bytes);
