// The parts of the `elfy` package (1.0.0) that this project uses; the package has no types. CommonJS: only `default` exists.
declare module "elfy" {
  interface ElfySection {
    readonly name: string;
    /** A name if elfy knows the type, otherwise the number. */
    readonly type: string | number;
    readonly addr: number;
    readonly off: number;
    readonly size: number;
    readonly link: number;
    readonly info: number;
  }
  interface ElfyFile {
    readonly class: string;
    readonly endian: string;
    readonly entry: number;
    readonly phoff: number;
    readonly shoff: number;
    readonly flags: number;
    readonly phnum: number;
    readonly shnum: number;
    readonly shstrndx: number;
    readonly body: { readonly programs: readonly unknown[]; readonly sections: readonly ElfySection[] };
  }
  const elfy: {
    /** May throw any error if the bytes are not as it expects: check them before, and catch. */
    parse(bytes: Uint8Array): ElfyFile;
    readonly constants: { readonly sectType: Readonly<Record<number, string>> };
  };
  export default elfy;
}
