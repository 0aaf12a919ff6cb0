// The address size of a module: PTX ISA 9.0 section 11.1.3. If the module does not declare it, its code decides, as in ptxas
// 13.0: a global or generic address in a 32-bit register makes it a 32-bit module; without one it is compatible with either size.
// (The ISA says 32 bits for every module without .address_size. 64-bit compilers wrote such modules before PTX 2.3, and ptxas
// assembles them.) 64-bit registers hold addresses in both kinds of modules: by section 6.4.1 they are truncated to the size of
// the state space.

export type AddressSize = 32 | 64;

/** The size of modules that are not known to be 64-bit: 32 bits, or compatible with either. */
export type OtherAddressSize = 32 | "any";

export interface AddressUse {
  /** Bits; undefined if the module does not declare it and its code has not decided it yet. */
  readonly size: AddressSize | undefined;
  /** Number of uses that only a 32-bit module allows, counted while the size is unknown. */
  narrowUses: number;
}

export const addressUse = (size: AddressSize | undefined): AddressUse => ({ size, narrowUses: 0 });

/** Whether a global or generic address may be in 32 bits; the use is counted. */
export function mayBeNarrow(addresses: AddressUse): boolean {
  if (addresses.size === undefined) addresses.narrowUses++;
  return addresses.size !== 64;
}

/** The member for modules and objects, which omit the size if it is 64 bits. */
export function otherSize({ size }: AddressUse): { readonly addressSize?: OtherAddressSize } {
  return size === 64 ? {} : { addressSize: size ?? "any" };
}
