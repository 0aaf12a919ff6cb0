// Symbols and sections of a plain link (../link.ts) as reports see them: each fact is read off the columns when somebody asks for it. A report
// sees a symbol many times and mostly asks where it is, so that whole values (values.ts) would be most of a report's work.
// Classes, because what the engine makes of one is a few numbers, and of a literal with accessors a hidden class each.

import type { VariableSpace } from "../../../check/module.js";
import { listOf } from "../../../base/series.js";
import type { Layout, Prototype } from "../../../isa/code.js";
import type { OpaqueField } from "../../../isa/opaque-fields.table.js";
import type {
  AliasTarget,
  CodeSymbol,
  ObjectSymbol,
  Origin,
  Placement,
  Relocation,
  SectionRole,
} from "../../../object/object.js";
import { SPACES } from "../../../object/file/declaration-codes.js";
import type { Contribution } from "../../inputs.js";
import type { ReadSection } from "../../linked.js";
import { contentsOf } from "./contents.js";
import { HAS_SCOPE, INITIALISED, IS_UNIFIED, plainRoles, ROLE } from "./codes.js";
import { relocationsOf } from "./references.js";
import { unifiedOfShape, type ShapeId } from "./shapes.js";
import { COMMON as COMMON_PLACE, isAlias, isEntry, isFunction, isManaged, isReference, linkageOf, linkages, referenceTypes, spaceOf, type SectionRow, type SymbolRow, type Tables } from "./tables.js"; // prettier-ignore
import { textOf, type TextId } from "./texts.js";
import { aliasTargetOf, declaredFields, declaredFunction, declaredVariable } from "./values.js";

export interface Viewing {
  readonly tables: Tables;
  readonly nameOf: (text: TextId) => string;
  readonly layoutOf: (shape: ShapeId) => Layout;
  readonly functionOf: (row: SymbolRow) => Pick<CodeSymbol, "prototype" | "directives">;
}

/** What symbols of one link are read with. */
export function createViewing(tables: Tables): Viewing {
  const { texts, shapes, shape } = tables;
  // Reports say each name several times.
  const names: (string | undefined)[] = [];
  // Neighbours are often declared alike.
  let lastShape: ShapeId = -1;
  let last: CodeSymbol | undefined;
  return {
    tables,
    nameOf: (text) => (names[text] ??= textOf(texts, text)),
    layoutOf: layoutReader(tables),
    functionOf(row) {
      if (last !== undefined && shape[row] === lastShape) return last;
      lastShape = shape[row]!;
      return (last = declaredFunction(shapes, lastShape, isEntry(tables, row)));
    },
  };
}

/** Layouts that are held, by the last bits of their shapes; a power of two. */
const HELD = 64;

/** Thousands of modules have few different ones. */
function layoutReader({ shapes }: Tables): Viewing["layoutOf"] {
  const held = Array.from({ length: HELD }, (): Layout | undefined => undefined);
  const shapeIn = new Int32Array(HELD).fill(-1);
  return (shape) => {
    const slot = shape & (HELD - 1);
    if (shapeIn[slot] === shape) return held[slot]!;
    shapeIn[slot] = shape;
    return (held[slot] = declaredVariable(shapes, shape, false).layout);
  };
}

const NOWHERE: Placement = { kind: "undefined" };
const COMMON: Placement = { kind: "common" };

/** All fields that any kind of symbol has; `kind` says which of them mean something. */
class ViewedSymbol {
  private readonly viewing: Viewing;
  private readonly file: number;
  private readonly row: SymbolRow;

  constructor(viewing: Viewing, file: number, row: SymbolRow) {
    this.viewing = viewing;
    this.file = file;
    this.row = row;
  }

  get kind(): ObjectSymbol["kind"] {
    const { tables } = this.viewing;
    return isFunction(tables, this.row) ? "function" : isReference(tables, this.row) ? "reference" : "variable";
  }

  get name(): string {
    return this.viewing.nameOf(this.viewing.tables.name[this.row]!);
  }

  get linkage(): ObjectSymbol["linkage"] {
    return linkages[linkageOf(this.viewing.tables, this.row)]!;
  }

  get placement(): Placement {
    const { place, offset, firstSection } = this.viewing.tables;
    const section = place[this.row]!;
    if (section < 0) return section === COMMON_PLACE ? COMMON : NOWHERE;
    return { kind: "section", section: section - firstSection[this.file]!, offset: offset[this.row]! };
  }

  get origin(): Origin {
    const { module, firstModule, line, column } = this.viewing.tables;
    const { row } = this;
    return { module: module[row]! - firstModule[this.file]!, line: line[row]!, column: column[row]! };
  }

  get unified(): readonly [bigint, bigint] | undefined {
    const { tables } = this.viewing;
    if (isReference(tables, this.row) || (tables.flags[this.row]! & IS_UNIFIED) === 0) return undefined;
    return unifiedOfShape(tables.shapes, tables.shape[this.row]!);
  }

  // Of variables:

  get space(): VariableSpace {
    return SPACES[spaceOf(this.viewing.tables, this.row)]!;
  }

  get layout(): Layout {
    return this.viewing.layoutOf(this.viewing.tables.shape[this.row]!);
  }

  get managed(): boolean {
    return isManaged(this.viewing.tables, this.row);
  }

  get initialised(): boolean {
    return (this.viewing.tables.flags[this.row]! & INITIALISED) !== 0;
  }

  get scope(): string | undefined {
    const { shapes, shape, flags } = this.viewing.tables;
    if ((flags[this.row]! & HAS_SCOPE) === 0) return undefined;
    return declaredVariable(shapes, shape[this.row]!, true).scope;
  }

  get aliasOf(): AliasTarget | undefined {
    const { tables } = this.viewing;
    return isAlias(tables, this.row) ? aliasTargetOf(tables, this.row) : undefined;
  }

  // Of functions:

  get entry(): boolean {
    return isEntry(this.viewing.tables, this.row);
  }

  get prototype(): Prototype {
    return this.viewing.functionOf(this.row).prototype;
  }

  get directives(): CodeSymbol["directives"] {
    return this.viewing.functionOf(this.row).directives;
  }

  // Of references:

  get type(): (typeof referenceTypes)[number] {
    return referenceTypes[this.viewing.tables.flags[this.row]!]!;
  }

  get fields(): readonly OpaqueField[] | undefined {
    const fields = declaredFields(this.viewing.tables.shapes, this.viewing.tables.shape[this.row]!);
    return fields.length === 0 ? undefined : fields;
  }
}

/** The symbol in a row of a file. */
export const viewSymbol = (viewing: Viewing, file: number, row: SymbolRow): ObjectSymbol =>
  new ViewedSymbol(viewing, file, row) as ObjectSymbol;

export class ViewedContribution implements Contribution {
  readonly object: number;
  readonly index: number;
  private readonly viewing: Viewing;

  constructor(viewing: Viewing, object: number, index: number) {
    this.viewing = viewing;
    this.object = object;
    this.index = index;
  }

  get symbol(): ObjectSymbol {
    return viewSymbol(this.viewing, this.object, this.viewing.tables.firstSymbol[this.object]! + this.index);
  }
}

/** `owner`: the function, of the sections of one. */
export function sectionRole(kind: (typeof plainRoles)[number], owner: number): SectionRole {
  if (kind === "text" || kind === "shared") return { kind, symbol: owner };
  if (kind === "module-shared") return { kind: "shared-module" };
  return { kind: kind === "module-local" ? "local" : kind };
}

/** Its bytes are put together for those who ask; mostly only its size is wanted. */
class ViewedSection {
  private readonly tables: Tables;
  private readonly file: number;
  private readonly row: SectionRow;

  constructor(tables: Tables, file: number, row: SectionRow) {
    this.tables = tables;
    this.file = file;
    this.row = row;
  }

  get role(): SectionRole {
    const { role, owner, firstSymbol } = this.tables;
    return sectionRole(plainRoles[role[this.row]!]!, owner[this.row]! - firstSymbol[this.file]!);
  }

  get align(): number {
    return this.tables.align[this.row]!;
  }

  get size(): number {
    return this.tables.size[this.row]!;
  }

  get data(): Uint8Array | undefined {
    const { tables, file, row } = this;
    const role = tables.role[row]!;
    const hasBytes = role === ROLE.text || role === ROLE.globalInit || role === ROLE.constant;
    return hasBytes ? contentsOf(tables, file, row) : undefined;
  }

  get relocations(): Iterable<Relocation> {
    const { tables, file, row } = this;
    const first = tables.firstSymbol[file]!;
    return listOf(() => relocationsOf(tables, file, row, tables.moved.get(row), (symbol) => symbol - first));
  }
}

export const viewSection = (tables: Tables, file: number, row: SectionRow): ReadSection =>
  new ViewedSection(tables, file, row) as ReadSection;
