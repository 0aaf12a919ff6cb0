// Sizes, alignments and offsets of declared names, as far as their declarations determine them: PTX ISA sections 5.4.2 (vectors),
// 5.4.3 (arrays), 5.4.5 (alignment) and 7.1 (parameters). Invalid declarations have none.

import { dataType } from "../isa/types.table.js";
import type { DeclarationType, Declarator, Parameter } from "../ptx/tree.js";
import type { Initializer } from "../ptx/tree.js";

/** Size and alignment in bytes; `size` is undefined for an unsized array. */
export interface Extent {
  readonly size: number | undefined;
  readonly align: number;
}

/** The extent of a declared name; undefined for predicates, opaque types and unknown types. */
export function extentOf(type: DeclarationType, { dimensions, initializer }: Declarator): Extent | undefined {
  const data = dataType(type.type.text);
  if (data === undefined || data.bits < 8) return undefined;
  const element = (data.bits / 8) * (type.vector ?? 1);
  const align = Math.max(element, ...type.alignments.map(({ value }) => Number(value)));
  let size: number | undefined = element;
  for (const [i, { size: bound }] of dimensions.entries()) {
    const count: number | undefined =
      bound === undefined ? (i === 0 ? lengthOf(initializer) : undefined) : Number(bound);
    size = size === undefined || count === undefined ? undefined : size * count;
  }
  return { size, align };
}

const lengthOf = (initializer: Initializer | undefined): number | undefined =>
  initializer?.kind === "list" ? initializer.elements.length : undefined;

/** The byte offset of a parameter in its function's parameters: each has its own alignment. */
export function parameterOffset(parameter: Parameter, among: readonly Parameter[]): number | undefined {
  let at = 0;
  for (const one of among) {
    const extent = extentOf(one.type, one.declarator);
    if (extent === undefined) return undefined;
    at = Math.ceil(at / extent.align) * extent.align;
    if (one === parameter) return at;
    if (extent.size === undefined) return undefined;
    at += extent.size;
  }
  return undefined;
}
