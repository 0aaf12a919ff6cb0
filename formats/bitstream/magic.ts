// The first bytes of LLVM bitcode ("LLVM Bitcode File Format", sections "Magic Numbers" and "Bitcode Wrapper Format").

import { hasMagic, magicBytes } from "../bytes/magic.js";

/** A bitstream of LLVM IR. */
export const bitcode = magicBytes("BC\xc0\xde");

/** The wrapper around one. */
export const wrapper = magicBytes("\xde\xc0\x17\x0b");

/** Whether a file is LLVM's bitcode, raw or in its wrapper. */
export const isBitcode = (bytes: Uint8Array): boolean => hasMagic(bytes, bitcode) || hasMagic(bytes, wrapper);
