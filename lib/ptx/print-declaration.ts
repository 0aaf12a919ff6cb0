// Declarations as PTX text: the inverse of declaration.ts. Interchangeable parts are in nvcc's order: state space, alignment,
// attributes, vector size, type.

import { printInitializer } from "./print-expression.js";
import type { Attribute, DeclarationType, Declarator, Parameter, VariableDeclaration } from "./tree.js";

/** A declaration of variables, with its semicolon. */
export function printVariables({ linkage, type, declarators }: VariableDeclaration): string {
  const names = declarators.map(printDeclarator).join(", ");
  const head = linkage === undefined ? "" : `.${linkage} `;
  return `${head}${printType(type)}${names === "" ? "" : ` ${names}`};`;
}

function printType(type: DeclarationType): string {
  const words = [`.${type.space}${type.bank === undefined ? "" : `[${type.bank}]`}`];
  for (const { value } of type.alignments) words.push(`.align ${value}`);
  if (type.attributes.length > 0) words.push(printAttributes(type.attributes));
  if (type.vector !== undefined) words.push(`.v${type.vector}`);
  words.push(`.${type.type.text}`);
  if (type.pointer !== undefined) {
    const { space, align } = type.pointer;
    words.push(".ptr");
    if (space !== undefined) words.push(`.${space}`);
    if (align !== undefined) words.push(`.align ${align}`);
  }
  return words.join(" ");
}

/** `.attribute(.unified(19, 95))`. */
export function printAttributes(attributes: readonly Attribute[]): string {
  const one = ({ name, arguments: values }: Attribute): string =>
    values.length === 0 ? `.${name}` : `.${name}(${values.join(", ")})`;
  return `.attribute(${attributes.map(one).join(", ")})`;
}

function printDeclarator({ name, dimensions, count, initializer }: Declarator): string {
  if (count !== undefined) return `${name.text}<${count}>`;
  const bounds = dimensions.map(({ size }) => `[${size ?? ""}]`).join("");
  return `${name.text}${bounds}${initializer === undefined ? "" : ` = ${printInitializer(initializer)}`}`;
}

/** A parenthesised list of parameters. */
export function printParameters(parameters: readonly Parameter[]): string {
  return `(${parameters.map(({ type, declarator }) => `${printType(type)} ${printDeclarator(declarator)}`).join(", ")})`;
}
