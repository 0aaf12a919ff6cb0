// Prints a syntax tree as PTX text. Parsing the output gives the same tree, except for `start` and `end`. Comments, line markers
// and the order of interchangeable words are not in the tree and hence not in the text.

import { assertNever } from "../base/assert.js";
import { printAttributes, printParameters, printVariables } from "./print-declaration.js";
import { printInstruction } from "./print-instruction.js";
import { printSection } from "./print-section.js";
import type {
  FileDirective,
  FunctionDeclaration,
  FunctionDirective,
  Location,
  Module,
  ModuleItem,
  SectionDirective,
  Statement,
} from "./tree.js";

/** The module's text, ending with a line feed. */
export function printModule(module: Module): string {
  return module.items.map((item) => `${printItem(item)}\n`).join("");
}

function printItem(item: ModuleItem): string {
  switch (item.kind) {
    case "version":
      return `.version ${item.major}.${item.minor}`;
    case "address-size":
      return `.address_size ${item.bits}`;
    case "file":
      return printFile(item);
    case "section":
      return sectionText(item);
    case "alias":
      return `.alias ${item.alias.text}, ${item.aliasee.text};`;
    case "function":
      return printFunction(item);
    case "location":
      return printLocation(item);
    default:
      return printStatement(item, "");
  }
}

function printStatement(statement: Statement, indent: string): string {
  switch (statement.kind) {
    case "block":
      return printBlock(statement.statements, indent);
    case "variable":
      return printVariables(statement);
    case "instruction":
      return printInstruction(statement);
    case "label":
      return `${statement.name.text}:`;
    case "prototype": {
      const { name, returns, parameters, directives } = statement;
      const result = returns.length === 0 ? "" : `${printParameters(returns)} `;
      const rest = directives.map((directive) => ` ${printDirective(directive)}`).join("");
      return `${name.text}: .callprototype ${result}_ ${printParameters(parameters)}${rest};`;
    }
    case "branch-targets":
    case "call-targets": {
      const word = statement.kind === "branch-targets" ? ".branchtargets" : ".calltargets";
      return `${statement.name.text}: ${word} ${statement.targets.map(({ text }) => text).join(", ")};`;
    }
    case "location":
      return printLocation(statement);
    case "pragma":
      return printPragma(statement.strings);
    case "function":
      return printFunction(statement);
    case "target":
      return `.target ${statement.names.map(({ text }) => text).join(", ")}`;
    default:
      return assertNever(statement);
  }
}

function printBlock(statements: readonly Statement[], indent: string): string {
  const inner = `${indent}\t`;
  return `{\n${statements.map((statement) => `${inner}${printStatement(statement, inner)}\n`).join("")}${indent}}`;
}

function printFunction(declaration: FunctionDeclaration): string {
  const { linkage, entry, attributes, returns, name, parameters, directives, body } = declaration;
  const words = [linkage === undefined ? "" : `.${linkage} `, entry ? ".entry " : ".func "];
  if (attributes.length > 0) words.push(printAttributes(attributes), " ");
  if (returns.length > 0) words.push(printParameters(returns), " ");
  words.push(name.text, printParameters(parameters));
  for (const directive of directives) words.push("\n", printDirective(directive));
  words.push(body === undefined ? ";" : `\n${printBlock(body.statements, "")}`);
  return words.join("");
}

function printDirective({ name, values, strings }: FunctionDirective): string {
  if (name === "pragma") return printPragma(strings);
  return values.length === 0 ? `.${name}` : `.${name} ${values.join(", ")}`;
}

function printPragma(strings: readonly string[]): string {
  return `.pragma ${strings.map((text) => `"${text}"`).join(", ")};`;
}

function printFile({ index, path, timestamp, size }: FileDirective): string {
  const rest = [timestamp, size].filter((value) => value !== undefined).map((value) => `, ${value}`);
  return `.file ${index} "${path}"${rest.join("")}`;
}

function printLocation({ file, line, column, functionName, inlinedAt }: Location): string {
  const position = `.loc ${file} ${line} ${column}`;
  if (functionName === undefined || inlinedAt === undefined) return position;
  const offset = functionName.offset === 0n ? "" : `+${functionName.offset}`;
  const place = `${inlinedAt.file} ${inlinedAt.line} ${inlinedAt.column}`;
  return `${position}, function_name ${functionName.label}${offset}, inlined_at ${place}`;
}

/** A debug section, in the form in which it was written. */
const sectionText = (section: SectionDirective): string => [...printSection(section)].join("");
