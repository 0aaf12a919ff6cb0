// One module of NVVM IR, as parsed from text or bitcode: only the grammar has been verified, and that every name, block
// and type that is used exists.

import type { Ranged, Source } from "../../ptx/source-text.js";
import type { Alias, Function, GlobalValue, GlobalVariable } from "./global.js";
import type { NamedMetadata } from "./metadata.js";
import type { TypeTable } from "./type.js";

/** A string of the module with its place. */
export interface PlacedText extends Ranged {
  readonly text: string;
}

/** The first place of each spelling that identifies a dialect (docs/nvvm.md). */
export interface Spellings {
  /** `metadata !`, `load T* %p`, one-ordering cmpxchg, `alias T* @x`, linker_private: NVVM IR 1.0. */
  readonly first?: Ranged & { readonly what: string };
  /** `T*`; of a module, the first in the whole text. */
  readonly typed?: Ranged;
  /** `ptr`; of a module, the first in the whole text, and then it has none of the two others. */
  readonly opaque?: Ranged;
}

export interface Module {
  readonly source: Source;
  /** In bitcode, offsets are those of records, and places are byte places. */
  readonly form: "text" | "bitcode";
  readonly types: TypeTable;
  readonly sourceFilename: string | undefined;
  readonly dataLayout: PlacedText | undefined;
  readonly triple: PlacedText | undefined;
  readonly moduleAssembly: readonly PlacedText[];
  /** In the order of the text. */
  readonly variables: readonly GlobalVariable[];
  readonly functions: readonly Function[];
  readonly aliases: readonly Alias[];
  /** Everything with a name, by it. */
  readonly globals: ReadonlyMap<string, GlobalValue>;
  readonly namedMetadata: ReadonlyMap<string, NamedMetadata>;
  /** Spellings outside of bodies; a body's own are found when it is read, and reported then. */
  readonly spellings: Spellings;
}
