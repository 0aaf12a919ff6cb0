// Makes docs/api-reference.md from lib/index.ts: each export with its doc comment and declaration, in the order and
// under the headings of that file. Only syntax is read, which takes a fraction of a second.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import ts from "typescript";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Entry {
  readonly section: string;
  readonly name: string;
  /** Empty without a doc comment. */
  readonly doc: string;
  /** Without the body of a function and the value of a constant. */
  readonly declaration: string;
  /** Relative to the checkout's root. */
  readonly file: string;
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
}

/** Every export of lib/index.ts. */
export function apiEntries(): readonly Entry[] {
  const index = parse("lib/index.ts");
  let section = "";
  const files = new Map<string, ts.SourceFile>();
  const read = (file: string): ts.SourceFile => {
    const source = files.get(file) ?? parse(file);
    files.set(file, source);
    return source;
  };
  /** The file that declares a name, which the given file may only re-export. */
  const origin = (file: string, name: string): { readonly file: string; readonly declared: readonly Declaration[] } => {
    const source = read(file);
    const declared = declarationsOf(source, name);
    if (declared.length > 0) return { file, declared };
    for (const statement of source.statements) {
      const named = namesOf(statement).find((each) => each.name.text === name);
      const specifier = (statement as ts.ImportDeclaration).moduleSpecifier;
      if (named !== undefined && specifier !== undefined && ts.isStringLiteral(specifier))
        return origin(
          path.posix.join(path.posix.dirname(file), specifier.text.replace(/\.js$/, ".ts")),
          (named.propertyName ?? named.name).text,
        );
    }
    throw new Error(`${file} has no ${name}`);
  };
  return index.statements.filter(ts.isExportDeclaration).flatMap((statement) => {
    section = headingOf(statement) ?? section;
    const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
    const file = path.posix.join("lib", specifier.replace(/\.js$/, ".ts"));
    return (statement.exportClause as ts.NamedExports).elements.map((element): Entry => {
      const { file: home, declared } = origin(file, (element.propertyName ?? element.name).text);
      const doc = declared.map(docOf).find((each) => each !== "") ?? "";
      return {
        section,
        name: element.name.text,
        doc,
        declaration: declared.map((each) => shown(each, element.name.text)).join("\n"),
        file: home,
      };
    });
  });
}

/** Names that a statement imports, or re-exports. */
function namesOf(statement: ts.Statement): readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] {
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    return bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  }
  if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) return [];
  return ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : [];
}

/** The comment over the first export of a group: "PTX text." */
function headingOf(statement: ts.Statement): string | undefined {
  const text = statement.getSourceFile().text;
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const last = comments.at(-1);
  // The file's own comment is no group's: a blank line follows it.
  if (last === undefined || /\n\s*\n/.test(text.slice(last.end, statement.getStart()))) return undefined;
  return text
    .slice(last.pos + 2, last.end)
    .trim()
    .replace(/[.:].*$/s, "");
}

type Declaration =
  | ts.FunctionDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.ClassDeclaration
  | ts.VariableStatement;

/** All overloads of a function without its implementation, or the one declaration. */
function declarationsOf(source: ts.SourceFile, name: string): readonly Declaration[] {
  const found = source.statements.filter((statement): statement is Declaration => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.some((each) => each.name.getText() === name);
    const isDeclaration =
      ts.isFunctionDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement);
    return isDeclaration && statement.name?.text === name;
  });
  const overloads = found.filter((each) => ts.isFunctionDeclaration(each) && each.body === undefined);
  return overloads.length > 0 ? overloads : found;
}

function docOf(declaration: Declaration): string {
  const [comment] = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(comment?.comment) ?? "").replaceAll(/\s*\n\s*/g, " ");
}

/** As in the source, without function bodies and values. */
function shown(declaration: Declaration, name: string): string {
  const text = declaration.getText();
  const upTo = (node: ts.Node): string => text.slice(0, node.getStart() - declaration.getStart()).trimEnd();
  const plain = (code: string): string => code.replace(/^export /, "");
  if (ts.isFunctionDeclaration(declaration))
    return plain(declaration.body === undefined ? text : `${upTo(declaration.body)};`);
  if (!ts.isVariableStatement(declaration)) return plain(text);
  const variable = declaration.declarationList.declarations.find((each) => each.name.getText() === name)!;
  const { initializer, type } = variable;
  if (type !== undefined) return `const ${name}: ${type.getText()};`;
  if (initializer !== undefined && ts.isArrowFunction(initializer))
    return plain(`${upTo(initializer.equalsGreaterThanToken)};`);
  return `const ${name};`;
}

/** The page. */
export function apiReference(): string {
  const lines = [
    "# API reference",
    "",
    "Every export of `ptxkit` and `ptxkit/browser`, made from the sources by `PTXKIT_UPDATE=1 npx ava test/api-reference.test.ts`.",
    "[api.md](api.md) shows them at work; [stability.md](stability.md) says what of them stays.",
  ];
  let section = "";
  for (const entry of apiEntries()) {
    if (entry.section !== section) lines.push("", `## ${entry.section}`);
    section = entry.section;
    lines.push(
      "",
      `### \`${entry.name}\``,
      "",
      entry.doc,
      "",
      "````ts",
      entry.declaration,
      "````",
      "",
      `\`${entry.file}\``,
    );
  }
  return `${lines.join("\n")}\n`;
}
