// e_flags of a cubin, in both generations. EI_ABIVERSION selects the generation (7: up to CUDA 12 and before sm_100, 8: CUDA 13);
// the SM number never does.
//   8: 0xII 00 SS LL II = index of the section .note.nv.cuinfo, SS = SM number (bits 8-15), LL = 0x04 up to sm_90, 0x02 from
//      sm_100: the bit for 64-bit addresses, like bit 10 of generation 7
//   7: SM number in bits 0-7, option bits 8-12, virtual SM in bits 16-23
// Sources: 8 seen in output of ptxas and nvcc 13.0 for sm_75 to sm_121, II also with -G and -lineinfo, whose sections change the
// note's index; 7 from LLVM's ELF.h (EF_CUDA_*).
import { ELFOSABI } from "../elf/constants.table.js";
import { constantsOf, type NamedValue } from "../bytes/named.js";

/**
 * NONE has the same flags as CURRENT: unlinked kernels of PTX before 3.0 that need no calling convention (ptxas 13.0, sm_75 to
 * sm_89).
 */
export const ABI_VERSION = { NONE: 2, OLD: 7, CURRENT: 8 } as const;

/** The option bits of generation 7. */
export const OLD_FLAGS = [
  { value: 0x100, name: "EF_CUDA_TEXMODE_UNIFIED", doc: "Textures and samplers are bound together" },
  { value: 0x200, name: "EF_CUDA_TEXMODE_INDEPENDENT", doc: "Textures and samplers are bound separately" },
  { value: 0x400, name: "EF_CUDA_64BIT_ADDRESS", doc: "Addresses are 64 bits wide" },
  { value: 0x800, name: "EF_CUDA_ACCELERATORS", doc: "Architecture-specific features (sm_90a)" },
  { value: 0x1000, name: "EF_CUDA_SW_FLAG_V2", doc: "Second version of the software flags" },
] as const satisfies readonly NamedValue[];
export const EF_CUDA = constantsOf(OLD_FLAGS, "EF_CUDA_");

export type CudaFlags =
  | { readonly kind: "current"; readonly sm: number; readonly low: number; readonly top: number }
  | { readonly kind: "old"; readonly sm: number; readonly virtualSm: number; readonly options: number };

/** Decodes e_flags; undefined for an EI_ABIVERSION of neither generation, such as ptxkit's own. */
export function decodeFlags(abiVersion: number, flags: number): CudaFlags | undefined {
  if (abiVersion === ABI_VERSION.CURRENT || abiVersion === ABI_VERSION.NONE)
    return { kind: "current", sm: (flags >>> 8) & 0xff, low: flags & 0xff, top: flags >>> 24 };
  if (abiVersion === ABI_VERSION.OLD)
    return { kind: "old", sm: flags & 0xff, virtualSm: (flags >>> 16) & 0xff, options: flags & 0xff00 };
  return undefined;
}

/** The section index of .note.nv.cuinfo in files without DWARF, and in all files that ptxkit writes. */
export const CUINFO_INDEX = 6;

/** The bit of generation 8 for 64-bit addresses. */
const wideAddresses = (sm: number): number => (sm >= 100 ? 0x02 : 0x04);

/** e_flags of generation 8, as ptxas 13.0 writes it for `sm`; the bit for 64-bit addresses is clear if addresses have 32. */
export function currentFlags(sm: number, addressBits: 32 | 64 = 64): number {
  return (CUINFO_INDEX << 24) | ((sm & 0xff) << 8) | (addressBits === 64 ? wideAddresses(sm) : 0);
}

/** Bits per address in a file with these flags. */
export const addressBits = (flags: CudaFlags): 32 | 64 =>
  (flags.kind === "old" ? flags.options & EF_CUDA["64BIT_ADDRESS"] : flags.low & wideAddresses(flags.sm)) === 0
    ? 32
    : 64;

/** The inverse of `decodeFlags`: EI_OSABI and e_flags. */
export function encodeFlags(flags: CudaFlags): { readonly osabi: number; readonly flags: number } {
  switch (flags.kind) {
    case "current":
      return { osabi: ELFOSABI.CUDA_V2, flags: ((flags.top << 24) | (flags.sm << 8) | flags.low) >>> 0 };
    case "old":
      return { osabi: ELFOSABI.CUDA, flags: ((flags.virtualSm << 16) | flags.options | flags.sm) >>> 0 };
  }
}
