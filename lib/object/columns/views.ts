// Lazy views of symbols and sections: accessors that read the columns. A report visits a symbol many times and mostly reads its
// position, so making complete values (values.ts) would be most of its work. These are classes, because each object literal with
// accessors would get a hidden class of its own.

import type { VariableSpace } from "../../check/module.js";
import { listOf } from "../../base/series.js";
import type { Layout, Prototype } from "../../isa/code.js";
import type { OpaqueField } from "../../isa/opaque-fields.table.js";
import type {
  AliasTarget,
  CodeSymbol,
  ObjectSymbol,
  Origin,
  Placement,
  Relocation,
  Section,
  SectionRole,
} from "../object.js";
import { SPACES, HAS_SCOPE, INITIALISED, IS_UNIFIED, LINKAGES, REFERENCES } from "../file/declaration-codes.js";
import { contentsOf } from "./contents.js";
import { roleNames, ROLE } from "./codes.js";
import { relocationsOf } from "./relocations.js";
import { unifiedOfType, type TypeId } from "./types.js";
import { COMMON as COMMON_PLACE, isVariableAlias, isEntry, isFunction, isManaged, isReference, linkageOf, spaceOf, type SectionRow, type SymbolRow, type Columns } from "./columns.js"; // prettier-ignore
import { stringOf, type StringId } from "./strings.js";
import { aliasTargetOf, declaredFields, declaredFunction, declaredVariable } from "./values.js";

export interface ViewContext {
  readonly columns: Columns;
  readonly nameOf: (text: StringId) => string;
  readonly layoutOf: (typeId: TypeId) => Layout;
  readonly functionOf: (row: SymbolRow) => Pick<CodeSymbol, "prototype" | "directives">;
}

/** Creates the shared caches for views of one link's symbols. */
export function createViewContext(columns: Columns): ViewContext {
  const { strings, types, typeId } = columns;
  // Names are cached, because reports use each several times.
  const names: (string | undefined)[] = [];
  // Neighbours often have the same type.
  let lastType: TypeId = -1;
  let last: CodeSymbol | undefined;
  return {
    columns,
    nameOf: (text) => (names[text] ??= stringOf(strings, text)),
    layoutOf: layoutReader(columns),
    functionOf(row) {
      if (last !== undefined && typeId[row] === lastType) return last;
      lastType = typeId[row]!;
      return (last = declaredFunction(types, lastType, isEntry(columns, row)));
    },
  };
}

/** Number of cached layouts, a power of two; the index is the low bits of the type. */
const CACHED_LAYOUTS = 64;

/** Caches layouts: thousands of modules have few different ones. */
function layoutReader({ types }: Columns): ViewContext["layoutOf"] {
  const held = Array.from({ length: CACHED_LAYOUTS }, (): Layout | undefined => undefined);
  const shapeIn = new Int32Array(CACHED_LAYOUTS).fill(-1);
  return (typeId) => {
    const slot = typeId & (CACHED_LAYOUTS - 1);
    if (shapeIn[slot] === typeId) return held[slot]!;
    shapeIn[slot] = typeId;
    return (held[slot] = declaredVariable(types, typeId, false).layout);
  };
}

const UNDEFINED: Placement = { kind: "undefined" };
const COMMON: Placement = { kind: "common" };

/** The fields of all kinds of symbols; `kind` tells which are valid. */
class ViewedSymbol {
  private readonly context: ViewContext;
  private readonly file: number;
  private readonly row: SymbolRow;

  constructor(context: ViewContext, file: number, row: SymbolRow) {
    this.context = context;
    this.file = file;
    this.row = row;
  }

  get kind(): ObjectSymbol["kind"] {
    const { columns } = this.context;
    return isFunction(columns, this.row) ? "function" : isReference(columns, this.row) ? "reference" : "variable";
  }

  get name(): string {
    return this.context.nameOf(this.context.columns.name[this.row]!);
  }

  get linkage(): ObjectSymbol["linkage"] {
    return LINKAGES[linkageOf(this.context.columns, this.row)]!;
  }

  get placement(): Placement {
    const { sectionOf, offset, firstSection } = this.context.columns;
    const section = sectionOf[this.row]!;
    if (section < 0) return section === COMMON_PLACE ? COMMON : UNDEFINED;
    return { kind: "section", section: section - firstSection[this.file]!, offset: offset[this.row]! };
  }

  get origin(): Origin {
    const { module, firstModule, line, column } = this.context.columns;
    const { row } = this;
    return { module: module[row]! - firstModule[this.file]!, line: line[row]!, column: column[row]! };
  }

  get unified(): readonly [bigint, bigint] | undefined {
    const { columns } = this.context;
    if (isReference(columns, this.row) || (columns.flags[this.row]! & IS_UNIFIED) === 0) return undefined;
    return unifiedOfType(columns.types, columns.typeId[this.row]!);
  }

  // For variables:

  get space(): VariableSpace {
    return SPACES[spaceOf(this.context.columns, this.row)]!;
  }

  get layout(): Layout {
    return this.context.layoutOf(this.context.columns.typeId[this.row]!);
  }

  get managed(): boolean {
    return isManaged(this.context.columns, this.row);
  }

  get initialised(): boolean {
    return (this.context.columns.flags[this.row]! & INITIALISED) !== 0;
  }

  get scope(): string | undefined {
    const { types, typeId, flags } = this.context.columns;
    if ((flags[this.row]! & HAS_SCOPE) === 0) return undefined;
    return declaredVariable(types, typeId[this.row]!, true).scope;
  }

  get aliasOf(): AliasTarget | undefined {
    const { columns } = this.context;
    return isVariableAlias(columns, this.row) ? aliasTargetOf(columns, this.row) : undefined;
  }

  // For functions:

  get entry(): boolean {
    return isEntry(this.context.columns, this.row);
  }

  get prototype(): Prototype {
    return this.context.functionOf(this.row).prototype;
  }

  get directives(): CodeSymbol["directives"] {
    return this.context.functionOf(this.row).directives;
  }

  // For references:

  get type(): (typeof REFERENCES)[number] {
    return REFERENCES[this.context.columns.flags[this.row]!]!;
  }

  get fields(): readonly OpaqueField[] | undefined {
    const fields = declaredFields(this.context.columns.types, this.context.columns.typeId[this.row]!);
    return fields.length === 0 ? undefined : fields;
  }
}

/** A view of the symbol in a row of a file. */
export const viewSymbol = (context: ViewContext, file: number, row: SymbolRow): ObjectSymbol =>
  new ViewedSymbol(context, file, row) as ObjectSymbol;

/** `owner`: the function, for roles of a section per function. */
export function sectionRole(kind: (typeof roleNames)[number], owner: number): SectionRole {
  if (kind === "text" || kind === "shared") return { kind, symbol: owner };
  if (kind === "module-shared") return { kind: "shared-module" };
  return { kind: kind === "module-local" ? "local" : kind };
}

/** A section, as reports read it. */
export interface ReadSection extends Pick<Section, "role" | "align" | "size" | "data"> {
  readonly relocations: Iterable<Relocation>;
}

/** Bytes are concatenated on demand, because most callers only need the size. */
class ViewedSection {
  private readonly columns: Columns;
  private readonly file: number;
  private readonly row: SectionRow;

  constructor(columns: Columns, file: number, row: SectionRow) {
    this.columns = columns;
    this.file = file;
    this.row = row;
  }

  get role(): SectionRole {
    const { role, owner, firstSymbol } = this.columns;
    return sectionRole(roleNames[role[this.row]!]!, owner[this.row]! - firstSymbol[this.file]!);
  }

  get align(): number {
    return this.columns.align[this.row]!;
  }

  get size(): number {
    return this.columns.size[this.row]!;
  }

  get data(): Uint8Array | undefined {
    const { columns, file, row } = this;
    const role = columns.role[row]!;
    const hasBytes = role === ROLE.text || role === ROLE.globalInit || role === ROLE.constant;
    return hasBytes ? contentsOf(columns, file, row) : undefined;
  }

  get relocations(): Iterable<Relocation> {
    const { columns, file, row } = this;
    const first = columns.firstSymbol[file]!;
    return listOf(() => relocationsOf(columns, file, row, columns.keptRanges.get(row), (symbol) => symbol - first));
  }
}

export const viewSection = (columns: Columns, file: number, row: SectionRow): ReadSection =>
  new ViewedSection(columns, file, row) as ReadSection;
