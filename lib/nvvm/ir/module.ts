// One module of NVVM IR, as parsed from text or bitcode. Only the grammar has been verified, and that every used name, block
// and type exists.

import type { Ranged, Source } from "../../ptx/source-text.js";
import type { Alias, Function, GlobalValue, GlobalVariable } from "./global.js";
import type { NamedMetadata } from "./metadata.js";
import type { TypeTable } from "./type.js";

/** A string of the module with its place. */
export interface PlacedText extends Ranged {
  readonly text: string;
}

/** The first location of each spelling that identifies a dialect (docs/nvvm.md). */
export interface Spellings {
  /** `metadata !`, `load T* %p`, one-ordering cmpxchg, `alias T* @x`, linker_private: NVVM IR 1.0. */
  readonly first?: Ranged & { readonly what: string };
  /** `T*`; for a module, the first in the whole text. */
  readonly typed?: Ranged;
  /** `ptr`; for a module, the first in the whole text, which then has none of the two others. */
  readonly opaque?: Ranged;
}

export interface Module {
  readonly source: Source;
  /** In bitcode, offsets are those of records, and locations are byte offsets. */
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
  /** Everything with a name, by that name. */
  readonly globals: ReadonlyMap<string, GlobalValue>;
  readonly namedMetadata: ReadonlyMap<string, NamedMetadata>;
  /** Spellings outside of bodies; those of a body are found and reported when it is read. */
  readonly spellings: Spellings;
}
