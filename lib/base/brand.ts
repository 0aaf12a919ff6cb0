// Branded numbers: the compiler prevents mixing two index spaces that are both `number` at run time. Each brand's comment names
// its index space. Only the code that owns the space creates a brand, by a cast.

declare const brand: unique symbol;

/** A number (or string) that belongs to one index space, named by `Name`. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

/** Index into an ELF section header table; 0 is SHN_UNDEF. */
export type SectionIndex = Brand<number, "SectionIndex">;

/** Index into an object's symbol table; 0 is the null symbol. */
export type SymbolIndex = Brand<number, "SymbolIndex">;

/** A virtual address of the generic 64-bit address space; always below 2^53, so that a number holds it exactly. */
export type Address = Brand<number, "Address">;
