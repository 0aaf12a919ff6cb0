// How wide a module's addresses are: PTX ISA 9.0 section 11.1.3. Where the module does not say, its code does, as in ptxas
// 13.0: a global or generic address in a register of 32 bits makes it a 32-bit module; without one it fits either kind. (The
// ISA has 32 bits for every module without .address_size. Compilers for 64 bits wrote such modules before PTX 2.3, and ptxas
// assembles them.) Registers of 64 bits hold addresses in both kinds: section 6.4.1 has them cut to the space's size.

export type AddressSize = 32 | 64;

/** Of a module that is not known to have addresses of 64 bits: 32 bits, or either. */
export type OtherAddressSize = 32 | "any";

export interface AddressUse {
  /** Bits; undefined where the module does not say, and its code has not shown it yet. */
  readonly size: AddressSize | undefined;
  /** Uses of addresses that only 32-bit modules have, counted while the size is not known. */
  narrowUses: number;
}

export const addressUse = (size: AddressSize | undefined): AddressUse => ({ size, narrowUses: 0 });

/** Whether a global or generic address may be in 32 bits; notes that one is. */
export function mayBeNarrow(addresses: AddressUse): boolean {
  if (addresses.size === undefined) addresses.narrowUses++;
  return addresses.size !== 64;
}

/** The member for modules and objects, which omit the size if it is 64 bits. */
export function otherSize({ size }: AddressUse): { readonly addressSize?: OtherAddressSize } {
  return size === 64 ? {} : { addressSize: size ?? "any" };
}
