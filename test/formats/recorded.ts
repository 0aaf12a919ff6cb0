// The recorded cubins of testdata/cubins, and readelf's output for each.
import { readdirSync, readFileSync } from "node:fs";
import { readElf, type ElfFile } from "../../formats/elf/index.js";

/** From dist/test/formats to the root of the checkout. */
const folder = new URL("../../../testdata/cubins/", import.meta.url);

export interface SectionFact {
  readonly name: string;
  readonly type: number;
  readonly offset: number;
  readonly size: number;
  readonly entsize: number;
  readonly link: number;
  readonly info: number;
  readonly addralign: number;
  readonly flags: number;
}

export interface SymbolFact {
  readonly name: string;
  readonly type: number;
  readonly binding: number;
  readonly other: number;
  readonly shndx: number;
  readonly value: number;
  readonly size: number;
}

/** Contents of the files that facts.mjs makes from readelf's output. */
export interface Facts {
  readonly header: Readonly<Record<string, number | string>>;
  readonly sections: readonly SectionFact[];
  readonly symbols: readonly SymbolFact[];
  readonly relocations: Readonly<Record<string, readonly { offset: number; symbol: number; type: number }[]>>;
  readonly segments: readonly Readonly<Record<string, number>>[];
}

export const cubinNames = readdirSync(folder).filter((name) => /\.(o|cubin)$/.test(name));

export function cubinBytes(name: string): Uint8Array {
  return readFileSync(new URL(name, folder));
}

export function cubinFacts(name: string): Facts {
  return JSON.parse(readFileSync(new URL(`${name}.readelf.json`, folder), "utf8")) as Facts;
}

/** Reads a recorded cubin. Throws if our reader refuses it. */
export function cubin(name: string): ElfFile {
  const file = readElf(cubinBytes(name));
  if (!file.ok) throw new Error(`${name}: ${file.error.what}`);
  return file.value;
}
