// Meaning of names: --defsym, --wrap, --export and --localize, allowed undefined symbols, several definitions. Each
// link is made from modules and from the files of their objects, and both must give the same image.

import test, { type ExecutionContext } from "ava";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { createSink } from "../../lib/diag/sink.js";
import type { LinkOptions } from "../../lib/link/options.js";
import { linkRelocatable } from "../../lib/link/link-objects.js";
import type { LinkedImage, RelocObject } from "../../lib/object/object.js";
import { disassemble } from "../../lib/object/print/disassemble.js";
import { readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { linkAll, moduleText, objectOf, symbolsOf } from "./build.js";

function throughFile<T extends RelocObject | LinkedImage>(object: T): T {
  const sink = createSink();
  const read = readObject(writeObject(object), object.name, sink);
  if (read === undefined) throw new Error(sink.all.map(({ message }) => message).join("\n"));
  return read as T;
}

interface Both {
  readonly image: LinkedImage | undefined;
  /** Place, message and code of each, in order. */
  readonly says: readonly string[];
}

const placed = ({ code, place, message }: Diagnostic): string => {
  const where = place === undefined ? "-" : place.kind === "line" ? `${place.file}:${place.line}` : place.file;
  return `${where} ${message} [${code}]`;
};

/** Links modules a.ptx, b.ptx and so on, directly and from the files of their objects. */
function link(t: ExecutionContext, options: LinkOptions, ...bodies: readonly string[]): Both {
  const objects = bodies.map((body, i) => objectOf(`${"abcdefgh"[i]}.ptx`, moduleText(body)));
  const direct = linkAll(objects, options);
  const fromFiles = linkAll(objects.map(throughFile), options);
  t.deepEqual(fromFiles.diagnostics, direct.diagnostics);
  const [image, other] = [direct.image, fromFiles.image];
  if (image !== undefined) t.deepEqual(writeObject(image), writeObject(other!));
  return { image: image && throughFile(image), says: direct.diagnostics.map(placed) };
}

function textOf(image: LinkedImage): string {
  const text = disassemble(image);
  if (!text.ok) throw new Error(text.error.what);
  return text.value;
}

/** A function that returns its argument plus a number. */
const adder = (name: string, plus: number, linkage = ".visible "): string =>
  `${linkage}.func (.param .b32 r) ${name}(.param .b32 x)
{ .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, ${plus}; st.param.b32 [r], %a; ret; }`;
const declared = (name: string): string => `.extern .func (.param .b32 r) ${name}(.param .b32 x);`;
const calling = (name: string, kernel = "k"): string =>
  `.visible .entry ${kernel}()
{ .param .b32 x; .param .b32 r; st.param.b32 [x], 1; call (r), ${name}, (x); ret; }`;
const loading = (name: string, space: string): string =>
  `.visible .entry load_${name}() { .reg .b32 %a; ld.${space}.u32 %a, [${name}]; ret; }`;

// --------------------------------------------------------------------------------------------------------------- --defsym

const data =
  ".visible .global .align 16 .u32 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n.visible .const .u32 pair[2] = {7, 8};";

test("--defsym makes a name an address in a variable, for code, data and hosts", (t) => {
  const uses = `.extern .global .u32 third;\n.extern .const .u32 second;\n.visible .global .u64 p = third+4;
${loading("third", "global")}\n${loading("second", "const")}`;
  const define = [
    { name: "third", base: "table", offset: 8n },
    { name: "second", base: "pair", offset: 4n },
  ];
  const { image, says } = link(t, { define }, uses, data);
  t.deepEqual(says, []);
  const [table] = symbolsOf(image!, "table");
  const [third] = symbolsOf(image!, "third");
  if (table?.placement.kind !== "section" || third?.placement.kind !== "section") return t.fail();
  t.is(third.placement.offset, table.placement.offset + 8);
  t.like(third, { kind: "variable", alias: true, linkage: "visible", layout: { size: 4, align: 4 } });
  const text = textOf(image!);
  t.regex(text, /p = table\+12;/);
  t.regex(text, /ld\.global\.u32 %a, \[table\+8\]/);
  t.regex(text, /ld\.const\.u32 %a, \[pair\+4\]/);
  t.notRegex(text, /third;|second;/);
});

test("--defsym of a name that no module declares is for hosts: its size is the rest of the variable, in bytes", (t) => {
  const { image, says } = link(t, { define: [{ name: "tail", base: "table", offset: 20n }] }, data);
  t.deepEqual(says, []);
  t.like(symbolsOf(image!, "tail")[0], { layout: { size: 12, align: 1, dimensions: [12] }, alias: true });
});

test("--defsym refers to the shared name, not to statics of other modules, also where --localize hides it", (t) => {
  const bodies = [".visible .global .u32 x = 1;", ".global .u64 x[4] = {2};", ".extern .global .u32 A;"];
  for (const visibility of [[], [{ to: "localize", pattern: "x" }]] as const)
    for (const order of [bodies, bodies.toReversed()]) {
      const { image } = link(t, { define: [{ name: "A", base: "x", offset: 0n }], visibility }, ...order);
      const [alias] = symbolsOf(image!, "A");
      const base = symbolsOf(image!, "x").find((symbol) => symbol.kind === "variable" && symbol.layout.size === 4);
      t.deepEqual(alias!.placement, base!.placement);
    }
});

test("--defsym of functions: chains, driver functions, and the alias in the image", (t) => {
  const define = [
    { name: "helper", base: "middle", offset: 0n },
    { name: "middle", base: "add5", offset: 0n },
    { name: "get", base: "malloc", offset: 0n },
  ];
  const get = `.extern .func (.param .b64 r) get(.param .b64 n);
.visible .func g() { .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call (r), get, (n); ret; }`;
  const { image, says } = link(t, { define }, `${declared("helper")}\n${calling("helper")}\n${get}`, adder("add5", 5));
  t.deepEqual(says, []);
  const text = textOf(image!);
  t.regex(text, /call \(r\), add5, \(x\)/);
  t.regex(text, /call \(r\), malloc, \(n\)/);
  t.regex(text, /\.alias helper, add5;\n\.alias middle, add5;/);
});

test("--defsym of an absolute address is written at each use", (t) => {
  const uses = `.extern .global .u32 device;\n.visible .global .u64 p = device+4;\n.visible .global .u8 low = 0xFF(device);
${loading("device", "global")}`;
  const { image, says } = link(t, { define: [{ name: "device", offset: 0x1234n }] }, uses);
  t.deepEqual(says, []);
  const text = textOf(image!);
  t.regex(text, /p = 4664;/);
  t.regex(text, /low = 52;/);
  t.regex(text, /ld\.global\.u32 %a, \[4660\]/);
  t.deepEqual(symbolsOf(image!, "device"), []);
});

test("--defsym: each invalid definition is one error, with suggestions", (t) => {
  const names = (...pairs: readonly (readonly [name: string, base: string, offset?: bigint])[]): LinkOptions => ({
    define: pairs.map(([name, base, offset = 0n]) => ({ name, base, offset })),
  });
  const uses = `.extern .global .u32 x;\n.visible .global .u64 p = x;`;
  const says = (options: LinkOptions, ...bodies: readonly string[]) => link(t, options, ...bodies).says;
  t.deepEqual(says(names(["x", "y"], ["y", "z"], ["z", "y"]), uses), [
    "- --defsym y=z=y is a cycle [symbol-assignment]",
  ]);
  t.deepEqual(says(names(["x", "x"]), uses), ["- --defsym x=x is a cycle [symbol-assignment]"]);
  t.deepEqual(says(names(["x", "tables"]), uses, data), [
    "- undefined symbol: tables, named by --defsym x=tables [undefined-symbol]",
  ]);
  t.deepEqual(says(names(["table", "pair"]), data), [
    "a.ptx:4 duplicate symbol: table, defined by --defsym table=pair and by a module [duplicate-symbol]",
  ]);
  t.deepEqual(says(names(["x", "table", 32n]), uses, data), [
    "a.ptx:4 'x' reaches to byte 36 of the 32 bytes of 'table': declared as .global .u32 x, and --defsym makes it .global .u32 table[8] [symbol-size]",
  ]);
  t.deepEqual(says(names(["x", "table", 33n]), uses, data), [
    "- --defsym x=table+33: 33 is outside 'table', which has 32 bytes [symbol-assignment]",
  ]);
  t.deepEqual(says(names(["x", "table", 2n]), uses, data), [
    "a.ptx:4 'x' is taken to be aligned to 4 bytes and is aligned to 2 bytes: declared as .global .u32 x, and --defsym makes it .global .u32 table[8] [symbol-align]",
  ]);
  t.deepEqual(says(names(["x", "pair"]), uses, data), [
    "a.ptx:4 'x' is in two state spaces: declared as .global .u32 x, and --defsym makes it .const .u32 pair[2] [symbol-space]",
  ]);
  t.deepEqual(says(names(["x", "f"]), uses, adder("f", 1)), [
    "a.ptx:4 'x' is a .global variable and would be an alias of a function: declared as .global .u32 x, and --defsym makes it .func (.b32) f (.b32) [symbol-kind]",
  ]);
  t.deepEqual(says(names(["f", "g", 4n]), declared("f"), adder("g", 1)), [
    "- --defsym f=g+4: 'g' is a function, and nothing lies inside it [symbol-assignment]",
  ]);
  t.deepEqual(says(names(["j", "k"]), ".visible .entry k() { ret; }"), [
    "- --defsym j=k: 'k' is a kernel, which has one name [symbol-assignment]",
  ]);
  t.deepEqual(says({ define: [{ name: "f", offset: 16n }] }, `${declared("f")}\n${calling("f")}`), [
    "a.ptx:4 --defsym f=0x10: 'f' is a function, and an address is a variable's [symbol-kind]",
  ]);
});

test("--gc-sections keeps the targets of --defsym", (t) => {
  const body = `${data}\n.global .u32 idle = 1;\n.visible .entry k() { ret; }`;
  const options: LinkOptions = {
    gcSections: true,
    roots: { keepExports: false },
    define: [{ name: "tail", base: "table", offset: 16n }],
  };
  const { image, says } = link(t, options, body);
  t.deepEqual(says, []);
  t.deepEqual(
    image!.symbols.map(({ name }) => name),
    ["table", "k", "tail"],
  );
});

// ----------------------------------------------------------------------------------------------------------------- --wrap

test("--wrap redirects references of other modules to __wrap_NAME, and of __real_NAME to NAME", (t) => {
  const wrapper = `${declared("__real_f")}\n.visible .func (.param .b32 r) __wrap_f(.param .b32 x)
{ .param .b32 y; .param .b32 s; .reg .b32 %a; ld.param.b32 %a, [x]; st.param.b32 [y], %a; call (s), __real_f, (y);
ld.param.b32 %a, [s]; st.param.b32 [r], %a; ret; }`;
  const definer = `${adder("f", 5)}\n${calling("f", "inside")}`;
  const { image, says } = link(t, { wrap: ["f"] }, `${declared("f")}\n${calling("f")}`, wrapper, definer);
  t.deepEqual(says, []);
  const callee = (name: string): readonly string[] =>
    image!.calls
      .filter(({ caller }) => image!.symbols[caller]!.name === name)
      .map((c) => image!.symbols[c.callee]!.name);
  t.deepEqual(callee("k"), ["__wrap_f"]);
  t.deepEqual(callee("__wrap_f"), ["f"]);
  // As in GNU ld and lld, the module that defines f refers to its own.
  t.deepEqual(callee("inside"), ["f"]);
});

test("an undefined __wrap_NAME is explained by the option that refers to it", (t) => {
  const objects = [objectOf("a.ptx", moduleText(`${declared("f")}\n${calling("f")}`))];
  const [told] = linkAll(objects, { wrap: ["g", "f"] }).diagnostics;
  t.is(told!.message, "undefined symbol: __wrap_f");
  t.is(told!.notes.at(-1)!.message, "--wrap f lets references to 'f' mean this name");
  t.is(told!.remedy, "link the module that defines '__wrap_f', or leave out --wrap f");
  const [plain] = linkAll(objects, { wrap: ["g"] }).diagnostics;
  t.notRegex(JSON.stringify(plain), /--wrap/);
});

test("--wrap of variables and of driver functions", (t) => {
  const user = `.extern .global .u32 level;\n.visible .global .u64 p = level;
.extern .func (.param .b64 r) malloc(.param .b64 n);
.visible .func g() { .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call (r), malloc, (n); ret; }`;
  const wraps = `.visible .global .u32 __wrap_level = 3;
.extern .func (.param .b64 r) __real_malloc(.param .b64 n);
.visible .func (.param .b64 r) __wrap_malloc(.param .b64 n)
{ .param .b64 m; .param .b64 s; st.param.b64 [m], 16; call (s), __real_malloc, (m); ret; }`;
  const { image, says } = link(t, { wrap: ["level", "malloc"] }, user, wraps);
  t.deepEqual(says, []);
  const text = textOf(image!);
  t.regex(text, /p = __wrap_level;/);
  t.regex(text, /call \(r\), __wrap_malloc/);
  t.regex(text, /call \(s\), malloc/);
});

test("--wrap without a wrapper reports the missing one", (t) => {
  const { says } = link(t, { wrap: ["f"] }, `${declared("f")}\n${calling("f")}`, adder("f", 5));
  t.deepEqual(says, ["a.ptx:6 undefined symbol: __wrap_f [undefined-symbol]"]);
});

// --------------------------------------------------------------------------------------------------- --export, --localize

const linkages = (image: LinkedImage): Readonly<Record<string, string>> =>
  Object.fromEntries(image.symbols.map(({ name, linkage }) => [name, linkage]));

test("--localize and --export: the last match counts, and kernels stay unless named", (t) => {
  const user = `${declared("api_f")}\n.extern .global .u32 level;\n${calling("api_f")}\n.visible .global .u64 p = level;`;
  const definer = `${adder("api_f", 1)}\n.visible .global .u32 level;\n.global .u32 api_own = 1;\n.visible .entry other() { ret; }`;
  const rules = (...list: readonly (readonly ["export" | "localize", string])[]): LinkOptions => ({
    visibility: list.map(([to, pattern]) => ({ to, pattern })),
  });
  const of = (options: LinkOptions) => {
    const { image, says } = link(t, options, user, definer);
    t.deepEqual(says, []);
    return linkages(image!);
  };
  t.like(of(rules(["localize", "*"])), { api_f: "static", level: "static", p: "static", k: "visible" });
  t.like(of(rules(["localize", "*"], ["export", "api_*"])), { api_f: "visible", level: "static", api_own: "visible" });
  t.like(of(rules(["export", "api_*"], ["localize", "*"])), { api_f: "static", api_own: "static" });
  t.like(of(rules(["localize", "other"])), { k: "visible", other: "static", level: "visible" });
});

test("names resolved as one before --localize stay one", (t) => {
  const { image } = link(
    t,
    { visibility: [{ to: "localize", pattern: "*" }] },
    ".extern .global .u32 level;\n.visible .global .u64 p = level;",
    ".visible .global .u32 level = 7;",
  );
  t.regex(textOf(image!), /^\.global .u64 p = level;$/m);
  t.is(symbolsOf(image!, "level").length, 1);
});

test("a pattern of --export and --localize without a match is reported", (t) => {
  const says = (pattern: string) =>
    link(
      t,
      { visibility: [{ to: "localize", pattern }] },
      ".visible .global .u32 factor;\n.visible .entry scale() { ret; }",
    ).says;
  t.deepEqual(says("factor"), []);
  t.deepEqual(says("scale"), []);
  t.deepEqual(says("*"), []);
  t.regex(says("facto").join(), /--localize=facto matches no definition in the inputs \[no-effect\]/);
  t.regex(says("sc*").join(), /--localize=sc\* matches only kernels \[no-effect\]/);
});

test("-r leaves .common variables to the final link, with --localize or without", (t) => {
  const sink = createSink();
  const objects = [objectOf("a.ptx", moduleText(".common .global .u32 x;\n.visible .global .u32 y;"))];
  const joined = linkRelocatable(objects, { visibility: [{ to: "localize", pattern: "*" }] }, sink)!;
  t.deepEqual(sink.all, []);
  const again = readObject(writeObject(joined), "joined.o", sink)!;
  t.like(linkages(linkAll([again]).image!), { x: "common", y: "static" });
});

test("two static symbols cannot be exported under one name", (t) => {
  const { says } = link(t, { visibility: [{ to: "export", pattern: "x" }] }, ".global .u32 x;", ".global .u32 x;");
  t.deepEqual(says, ["b.ptx:4 duplicate symbol: x, which --export makes one of several modules [duplicate-symbol]"]);
});

test("--gc-sections drops variables that --localize made unreachable", (t) => {
  const body = ".visible .global .u32 seen = 1;\n.visible .global .u32 hidden = 2;\n.visible .entry k() { ret; }";
  const { image } = link(t, { gcSections: true, visibility: [{ to: "localize", pattern: "hid*" }] }, body);
  t.deepEqual(Object.keys(linkages(image!)), ["seen", "k"]);
});

test("a relocatable object keeps the effect of --localize", (t) => {
  const part = linkRelocatable(
    [objectOf("a.ptx", moduleText(".visible .global .u32 x = 1;\n.visible .global .u64 p = x;"))],
    { visibility: [{ to: "localize", pattern: "x" }] },
    createSink(),
  );
  const { image, says } = link(t, {}, ".visible .global .u32 x = 2;");
  t.deepEqual(says, []);
  const both = linkAll([throughFile(part!), objectOf("b.ptx", moduleText(".visible .global .u32 x = 2;"))]);
  t.deepEqual(both.diagnostics, []);
  t.deepEqual(
    symbolsOf(both.image!, "x").map(({ linkage }) => linkage),
    ["static", "visible"],
  );
  t.is(symbolsOf(image!, "x").length, 1);
});

// ------------------------------------------------------------------------------------------ undefined and several times

test("undefined symbols: allowed by name, or warned of", (t) => {
  const body = `.extern .global .u32 shade;\n${declared("helper")}\n${loading("shade", "global")}\n${calling("helper")}`;
  const allowed = link(t, { allowUndefined: (name) => name.startsWith("sh"), warnUndefined: true }, body);
  t.deepEqual(allowed.says, ["a.ptx:8 undefined symbol: helper [unresolved-symbol]"]);
  t.deepEqual(
    allowed.image!.symbols.filter(({ placement }) => placement.kind === "undefined").map(({ name }) => name),
    ["helper", "shade"],
  );
});

test("--allow-multiple-definition: the first definition counts, and a warning lists all", (t) => {
  const { image, says } = link(
    t,
    { allowDuplicates: true },
    ".visible .global .u32 a = 1;",
    ".visible .global .u32 a = 2;\n.visible .global .u64 p = a;",
    ".visible .global .u32 a = 3;",
  );
  t.deepEqual(says, ["b.ptx:4 duplicate symbol: a; that of a.ptx counts [repeated-definition]"]);
  t.regex(textOf(image!), /a = 1;/);
  t.is(symbolsOf(image!, "a").length, 1);
});

test("--warn-common reports what .common variables were merged with", (t) => {
  const common = ".common .global .u32 c;";
  const says = (...bodies: readonly string[]) => link(t, { warnCommon: true }, ...bodies).says;
  t.deepEqual(says(common), []);
  t.deepEqual(says(common, ".extern .global .u32 c;"), []);
  t.deepEqual(says(common, ".common .global .u32 c[2];"), [
    "a.ptx:4 'c' is .common in a.ptx, b.ptx, and one variable of 8 bytes in the image, the largest of their sizes [common-symbol]",
  ]);
  t.deepEqual(says(common, ".visible .global .u32 c = 1;"), [
    "a.ptx:4 'c' is .common in a.ptx, and gives way to the definition in b.ptx [common-symbol]",
  ]);
  t.deepEqual(link(t, {}, common, common).says, []);
});
