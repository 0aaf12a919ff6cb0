// Makes a function's symbol from its declaration: linkage, directives, attributes. PTX ISA 9.0 sections 5.4.8, 11.3 and 11.4.

import type { Prototype } from "../isa/code.js";
import type { Attribute, FunctionDeclaration, FunctionDirective } from "../ptx/tree.js";
import type { Header } from "./header.js";
import { checkDirectives } from "./limits.js";
import type { FunctionSymbol } from "./module.js";
import type { Reporter } from "./reporter.js";
import { requireFeature, requireLinkage } from "./require.js";

/** Whether the declared linkage is valid for the function. */
export function hasPossibleLinkage(
  declaration: FunctionDeclaration<unknown>,
  hasBody: boolean,
  reporter: Reporter,
): boolean {
  const { linkage, name } = declaration;
  if (linkage === "common") {
    reporter.report("linkage", declaration, "a function cannot be .common");
    return false;
  }
  if (linkage === "extern" && hasBody) {
    reporter.report("linkage", name, `'${name.text}' is declared .extern, but has a body`, {
      remedy: "remove .extern where the function is defined",
    });
    return false;
  }
  return true;
}

/** A function's symbol, without its code. */
export function functionSymbol(
  declaration: FunctionDeclaration<unknown>,
  prototype: Prototype,
  { header, reporter }: { readonly header: Header; readonly reporter: Reporter },
): FunctionSymbol {
  const { name, linkage, entry, parameters, directives } = declaration;
  if (prototype.noreturn && declaration.returns.length > 0) {
    reporter.report("directive", name, `'${name.text}' is declared .noreturn, but has a result`);
  }
  if (entry && parameters.length > 0) requireFeature("a parameter list of a kernel", parameters[0]!, header, reporter);
  if (entry && declaration.body === undefined) requireFeature("a kernel without a body", declaration, header, reporter);
  checkDirectives(directives, entry, header, reporter);
  const unified = checkAttributes(declaration.attributes, header, reporter);
  requireLinkage(linkage, declaration, header, reporter);
  const symbol: FunctionSymbol = {
    kind: "function",
    name: name.text,
    linkage: linkage ?? "static",
    place: reporter.place(name),
    entry,
    prototype,
    directives: directives.length === 0 ? none : directives.map(numbersOf),
  };
  return unified === undefined ? symbol : { ...symbol, unified };
}

const none: readonly never[] = [];

const numbersOf = ({ name, values, strings }: FunctionDirective): FunctionSymbol["directives"][number] => ({
  name,
  values: values.map(Number),
  strings,
});

/** The two numbers of .unified, if present. */
function checkAttributes(
  attributes: readonly Attribute[],
  header: Header,
  reporter: Reporter,
): FunctionSymbol["unified"] {
  let unified: FunctionSymbol["unified"];
  for (let i = 0; i < attributes.length; i++) {
    const attribute = attributes[i]!;
    const { name, arguments: numbers } = attribute;
    requireFeature(`.${name}`, attribute, header, reporter);
    if (numbers.length !== 2) reporter.report("attribute", attribute, ".unified takes two numbers");
    else if (name === "unified") unified ??= [numbers[0]!, numbers[1]!];
  }
  return unified;
}
