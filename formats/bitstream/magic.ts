// The first bytes of LLVM bitcode ("LLVM Bitcode File Format", sections "Magic Numbers" and "Bitcode Wrapper Format").

const magics = [
  [0x42, 0x43, 0xc0, 0xde],
  [0xde, 0xc0, 0x17, 0x0b],
] as const;

/** Whether a file is LLVM's bitcode, raw or in its wrapper. */
export const isBitcode = (bytes: Uint8Array): boolean =>
  magics.some((magic) => magic.every((byte, i) => bytes[i] === byte));
