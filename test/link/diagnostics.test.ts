// Diagnostics of the linker: each names the symbol, each module concerned with its line, and a remedy.

import test from "ava";
import { allNotes, type Diagnostic, type Place } from "../../lib/diag/diagnostic.js";
import { linkAll, linkBodies, moduleText, objectOf } from "./build.js";

function placeText(place: Place | undefined): string {
  if (place === undefined) return "-";
  return place.kind === "line" ? `${place.file}:${place.line}` : place.file;
}

/** Code, place and message on one line, then a line for each note, without the remedy. */
function linesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.flatMap((diagnostic) => [
    `${diagnostic.code} ${placeText(diagnostic.place)} ${diagnostic.message}`,
    ...allNotes(diagnostic).map((note) => `${placeText(note.place)} ${note.message}`),
  ]);
}

const use = (name: string): string => `.visible .entry use()
{
  .reg .b64 %a;
  mov.u64 %a, ${name};
  ret;
}`;

const cases: Readonly<Record<string, { readonly bodies: readonly string[]; readonly says: readonly string[] }>> = {
  "three definitions are one error with all their places": {
    bodies: [".visible .global .u32 a = 1;", "\n.visible .global .u32 a = 2;", ".visible .global .u32 a = 3;"],
    says: [
      "duplicate-symbol b.ptx:5 duplicate symbol: a",
      "a.ptx:4 first defined here as .global .u32 a",
      "c.ptx:4 defined here as .global .u32 a",
      "b.ptx:5 b.ptx has 0x02 at byte 0 and 0x01 there, in a.ptx",
      "c.ptx:4 c.ptx has 0x03 at byte 0 and 0x01 there, in a.ptx",
    ],
  },
  "definitions that say the same are said to": {
    bodies: [
      ".visible .func f() { .reg .b32 %r; mov.u32 %r, 1; ret; }",
      ".visible .global .u32 x;\n.visible .func f() { .reg .b32 %other; mov.u32 %other, 1; ret; }",
    ],
    says: [
      "duplicate-symbol b.ptx:5 duplicate symbol: f",
      "a.ptx:4 first defined here as .func f ()",
      "- both definitions are identical",
    ],
  },
  "bodies that differ are shown where": {
    bodies: [
      ".visible .func f() {\n.reg .b32 %r;\nmov.u32 %r, 1;\nret;\n}",
      ".visible .func f() {\n.reg .b32 %r;\nmov.u32 %r, 2;\nret;\n}",
    ],
    says: [
      "duplicate-symbol b.ptx:4 duplicate symbol: f",
      "a.ptx:4 first defined here as .func f ()",
      "b.ptx:6 b.ptx has other operands in instruction 1, mov.u32, than there, in a.ptx",
    ],
  },
  "modules that are wrong in one way are one error, and the odd one is named": {
    bodies: [
      `.extern .global .u64 a;\n${use("a")}`,
      `.extern .global .u64 a;\n${use("a").replace("use", "use2")}`,
      ".visible .global .u32 a = 7;",
    ],
    says: [
      "symbol-size a.ptx:4 'a' has 8 bytes here and 4 bytes there: .global .u64 a in a.ptx, b.ptx, .global .u32 a in c.ptx; c.ptx is the odd one of 3",
      "c.ptx:4 defined here as .global .u32 a",
      "b.ptx:4 declared here as .global .u64 a too",
    ],
  },
  "one module against several is the odd one": {
    bodies: [
      ".visible .global .u32 a = 7;",
      `.extern .global .u32 a;\n${use("a")}`,
      `.extern .const .u32 a;\n${use("a").replace("use", "use2")}`,
    ],
    says: [
      "symbol-space c.ptx:4 'a' is in two state spaces: .const .u32 a in c.ptx, .global .u32 a in a.ptx; c.ptx is the odd one of 3",
      "a.ptx:4 defined here as .global .u32 a",
      "b.ptx:4 declared here as .global .u32 a",
    ],
  },
  "a texture and a surface": {
    bodies: [".visible .global .texref t;", ".visible .global .surfref t;"],
    says: [
      "symbol-kind b.ptx:4 't' is a .surfref here and a .texref there: .surfref t in b.ptx, .texref t in a.ptx",
      "a.ptx:4 declared here as .texref t",
    ],
  },
  "an undefined variable is reported at its first use": {
    bodies: [`.extern .global .u32 shade;\n${use("shade")}`],
    says: [
      "undefined-symbol a.ptx:8 undefined symbol: shade",
      "a.ptx:8 referenced by 'use'",
      "a.ptx:4 declared as .global .u32 shade",
    ],
  },
  "an undefined variable that nothing uses is reported at its declaration": {
    bodies: [".extern .global .u32 shade;"],
    says: [
      "undefined-symbol a.ptx:4 undefined symbol: shade",
      "a.ptx:4 declared as .global .u32 shade",
      "- nothing refers to it: with --gc-sections it may stay undefined",
    ],
  },
  "all references to an undefined name are kept": {
    bodies: [
      `.extern .global .u32 shade;\n.global .u64 p[2] = {shade, shade};\n${use("shade")}`,
      ".extern .global .u32 shade;\n.global .u64 p = shade;",
    ],
    says: [
      "undefined-symbol a.ptx:5 undefined symbol: shade",
      "a.ptx:5 referenced by 'p'",
      "a.ptx:9 referenced by 'use'",
      "b.ptx:5 referenced by 'p'",
      "a.ptx:4 declared as .global .u32 shade",
    ],
  },
  "the nearest name is offered": {
    bodies: [`.extern .global .u32 shade;\n${use("shade")}`, ".visible .global .u32 shader = 2;"],
    says: [
      "undefined-symbol a.ptx:8 undefined symbol: shade",
      "a.ptx:8 referenced by 'use'",
      "b.ptx:4 did you mean shader",
      "a.ptx:4 declared as .global .u32 shade",
    ],
  },
  "a static definition elsewhere is pointed at": {
    bodies: [`.extern .global .u32 shade;\n${use("shade")}`, ".global .u32 shade = 2;"],
    says: [
      "undefined-symbol a.ptx:8 undefined symbol: shade",
      "a.ptx:8 referenced by 'use'",
      "a.ptx:4 declared as .global .u32 shade",
      "b.ptx:4 .global .u32 shade is defined without .visible in b.ptx",
    ],
  },
  "a name that differs in mangling only is pointed at": {
    bodies: [".extern .func shade;\n.visible .entry k() { call shade; ret; }", ".visible .func _Z5shadev() { ret; }"],
    says: [
      "undefined-symbol a.ptx:5 undefined symbol: shade",
      "a.ptx:5 referenced by 'k'",
      "b.ptx:4 did you mean _Z5shadev (shade())",
      "a.ptx:4 declared as .func shade ()",
    ],
  },
  "undefined names are demangled": {
    bodies: [".extern .func _ZN3ray5shadeEf;\n.visible .entry k() { call _ZN3ray5shadeEf; ret; }"],
    says: [
      "undefined-symbol a.ptx:5 undefined symbol: _ZN3ray5shadeEf (ray::shade(float))",
      "a.ptx:5 referenced by 'k'",
      "a.ptx:4 declared as .func _ZN3ray5shadeEf ()",
    ],
  },
  "sizes that differ": {
    bodies: [`.extern .global .u64 a;\n${use("a")}`, ".visible .global .u32 a = 7;"],
    says: [
      "symbol-size a.ptx:4 'a' has 8 bytes here and 4 bytes there: .global .u64 a in a.ptx, .global .u32 a in b.ptx",
      "b.ptx:4 defined here as .global .u32 a",
    ],
  },
  "state spaces that differ": {
    bodies: [`.extern .const .u32 a;\n${use("a")}`, ".visible .global .u32 a = 7;"],
    says: [
      "symbol-space a.ptx:4 'a' is in two state spaces: .const .u32 a in a.ptx, .global .u32 a in b.ptx",
      "b.ptx:4 defined here as .global .u32 a",
    ],
  },
  "managed in one module only": {
    bodies: [`.extern .global .attribute(.managed) .u32 a;\n${use("a")}`, ".visible .global .u32 a;"],
    says: [
      "symbol-managed a.ptx:4 'a' is managed here and is not there: .global .attribute(.managed) .u32 a in a.ptx, .global .u32 a in b.ptx",
      "b.ptx:4 defined here as .global .u32 a",
    ],
  },
  "types that differ are a warning": {
    bodies: [`.extern .global .f32 a;\n${use("a")}`, ".visible .global .u32 a;"],
    says: [
      "symbol-type a.ptx:4 'a' is of type .f32 here and .u32 there: .global .f32 a in a.ptx, .global .u32 a in b.ptx",
      "b.ptx:4 defined here as .global .u32 a",
    ],
  },
  "more alignment than there is is a warning": {
    bodies: [`.extern .global .align 16 .u32 a;\n${use("a")}`, ".visible .global .u32 a;"],
    says: [
      "symbol-align a.ptx:4 'a' is taken to be aligned to 16 bytes here and is aligned to 4 bytes: .global .u32 a in a.ptx, .global .u32 a in b.ptx",
      "b.ptx:4 defined here as .global .u32 a",
    ],
  },
  "alignment and type are told together": {
    bodies: [`.extern .global .align 16 .f32 a;\n${use("a")}`, ".visible .global .u32 a;"],
    says: [
      "symbol-align a.ptx:4 'a' is taken to be aligned to 16 bytes here and is aligned to 4 bytes, and is of type .f32 here and .u32 there: .global .f32 a in a.ptx, .global .u32 a in b.ptx",
      "b.ptx:4 defined here as .global .u32 a",
    ],
  },
  "shapes that differ are a warning": {
    bodies: [".weak .global .f32 a[3][2];", ".weak .global .f32 a[2][3];"],
    says: [
      "symbol-type b.ptx:4 'a' has other dimensions here than there: .global .f32 a[2][3] in b.ptx, .global .f32 a[3][2] in a.ptx",
      "a.ptx:4 defined here as .global .f32 a[3][2]",
    ],
  },
  "bytes of the same size, open arrays and less alignment are ordinary": {
    bodies: [
      `.extern .global .align 4 .b8 a[80];\n.extern .global .align 4 .b8 b[];\n${use("a")}`,
      ".visible .global .align 16 .f32 a[5][4];\n.visible .global .align 16 .f32 b[5][4];",
    ],
    says: [],
  },
  "a variable and a function": {
    bodies: [".visible .global .u32 a;", ".visible .func a() { ret; }"],
    says: [
      "symbol-kind b.ptx:4 'a' is a function here and a .global variable there: .func a () in b.ptx, .global .u32 a in a.ptx",
      "a.ptx:4 defined here as .global .u32 a",
    ],
  },
  "a kernel and a function": {
    bodies: [".visible .entry k() { ret; }", ".visible .func k() { ret; }"],
    says: [
      "symbol-kind b.ptx:4 'k' is a function here and a kernel there: .func k () in b.ptx, .entry k () in a.ptx",
      "a.ptx:4 defined here as .entry k ()",
    ],
  },
  "prototypes that differ": {
    bodies: [
      ".visible .func f(.param .u32 x) { ret; }",
      ".extern .func f(.param .f32 x);\n.visible .entry k() { { .param .f32 p; call f, (p); } ret; }",
    ],
    says: [
      "symbol-prototype b.ptx:4 'f' has two prototypes, with .f32 as parameter 1 here and .u32 there: .func f (.f32) in b.ptx, .func f (.u32) in a.ptx",
      "a.ptx:4 defined here as .func f (.u32)",
    ],
  },
  "a common variable larger than its definition": {
    bodies: [".common .global .u32 a[2];", ".visible .global .u32 a = 7;"],
    says: [
      "symbol-size a.ptx:4 'a' has 8 bytes here and 4 bytes there, and a .common variable may not be larger than its definition: .global .u32 a[2] in a.ptx, .global .u32 a in b.ptx",
      "b.ptx:4 defined here as .global .u32 a",
    ],
  },
  "constants of all modules beyond the bank": {
    bodies: [".visible .const .u8 a[40000];", ".visible .const .u8 b[40000];"],
    says: [
      "constant-bank - 80000 bytes of .const variables in all modules; the constant bank has 65536",
      "a.ptx:4 'a' has 40000 bytes",
      "b.ptx:4 'b' has 40000 bytes",
    ],
  },
  "the five largest constants are named, the dead among them, and the rest is counted": {
    bodies: [
      ".weak .const .u8 a[30000];\n.visible .const .align 4 .u8 b[9], c[8], d[7], e[6];",
      ".weak .const .u8 a[30000];\n.visible .const .u8 f[20000];",
    ],
    says: [
      "constant-bank - 80033 bytes of .const variables in all modules; the constant bank has 65536",
      "a.ptx:4 'a' has 30000 bytes",
      "b.ptx:4 'a' has 30000 bytes, though another definition was taken",
      "b.ptx:5 'f' has 20000 bytes",
      "a.ptx:5 'b' has 9 bytes",
      "a.ptx:5 'c' has 8 bytes",
      "- 2 more and padding have 16 bytes",
    ],
  },
  "static shared memory beyond a block's": {
    bodies: [
      ".shared .u8 s[49153];\n.visible .entry k() { .reg .b16 %h; ld.shared.u8 %h, [s]; st.shared.u8 [s], %h; ret; }",
    ],
    says: [
      "shared-limit a.ptx:5 kernel 'k' uses 49153 bytes of static shared memory; a block has 49152",
      "a.ptx:4 's' has 49153 bytes",
    ],
  },
};

for (const [what, { bodies, says }] of Object.entries(cases))
  test(what, (t) => {
    const { image, diagnostics } = linkBodies(...bodies);
    t.deepEqual(linesOf(diagnostics), says);
    t.is(
      image === undefined,
      diagnostics.some(({ severity }) => severity === "error"),
    );
    t.true(diagnostics.every(({ remedy }) => remedy !== undefined));
  });

test("a link of nothing is an error", (t) => {
  t.deepEqual(linesOf(linkAll([]).diagnostics), ["no-input - there is nothing to link"]);
});

test("an image cannot be linked again", (t) => {
  const { image } = linkBodies(".visible .entry k() { ret; }");
  const { diagnostics } = linkAll([image!]);
  t.deepEqual(linesOf(diagnostics), ["already-linked a.out a.out is a linked image, not a relocatable object"]);
});

test("incompatible modules are named with both targets", (t) => {
  const objects = ["sm_75", "sm_80"].map((target) => objectOf(`${target}.ptx`, moduleText(".global .u32 a;", target)));
  t.deepEqual(linesOf(linkAll(objects).diagnostics), [
    "incompatible-target sm_80.ptx:2 sm_80.ptx is for sm_80, which cannot be linked for sm_75",
    "sm_75.ptx:2 the first input, sm_75.ptx, is for sm_75",
  ]);
  t.deepEqual(linesOf(linkAll(objects, { arch: "sm_80" }).diagnostics), [
    "incompatible-target sm_75.ptx:2 sm_75.ptx is for sm_75, which cannot be linked for sm_80",
    "- --arch asks for sm_80",
  ]);
});

test("modules of one wrong target are one error, and the odd one of three is named", (t) => {
  const objects = (...targets: readonly string[]) =>
    targets.map((target, i) => objectOf(`${"abcd"[i]}.ptx`, moduleText(`.global .u32 v${i};`, target)));
  const says = (...targets: readonly string[]) => linesOf(linkAll(objects(...targets)).diagnostics);
  t.deepEqual(says("sm_75", "sm_80", "sm_80"), [
    "incompatible-target b.ptx:2 b.ptx is for sm_80, which cannot be linked for sm_75; a.ptx is the odd one of 3",
    "a.ptx:2 the first input, a.ptx, is for sm_75",
    "c.ptx:2 c.ptx is for sm_80 too",
  ]);
  t.deepEqual(says("sm_75", "sm_80", "sm_75"), [
    "incompatible-target b.ptx:2 b.ptx is for sm_80, which cannot be linked for sm_75; b.ptx is the odd one of 3",
    "a.ptx:2 the first input, a.ptx, is for sm_75",
  ]);
  t.deepEqual(says("sm_75", "sm_80", "sm_75", "sm_80"), [
    "incompatible-target b.ptx:2 b.ptx is for sm_80, which cannot be linked for sm_75",
    "a.ptx:2 the first input, a.ptx, is for sm_75",
    "d.ptx:2 d.ptx is for sm_80 too",
  ]);
});

test("an unknown target is refused", (t) => {
  for (const arch of ["sm_eighty", "sm_999", "sm_80a"]) {
    const { diagnostics } = linkAll([objectOf("a.ptx", moduleText(".global .u32 a;"))], { arch });
    t.deepEqual(linesOf(diagnostics), [`unknown-target - "${arch}" is not a target`]);
  }
});

test("names that the caller allows may stay undefined", (t) => {
  const object = objectOf("a.ptx", moduleText(`.extern .global .u32 shade;\n${use("shade")}`));
  const { image, diagnostics } = linkAll([object], { allowUndefined: (name) => name === "shade" });
  t.deepEqual(diagnostics, []);
  t.is(image!.symbols.find(({ name }) => name === "shade")!.placement.kind, "undefined");
});

test("an image with more data than allowed is refused", (t) => {
  const object = objectOf(
    "a.ptx",
    moduleText(".visible .global .u8 a[1000] = {1};\n.visible .global .u8 b[10] = {1};"),
  );
  t.deepEqual(linesOf(linkAll([object], { maxImageBytes: 1000 }).diagnostics), [
    "image-too-large - the image would have 1010 bytes of initialised data; at most 1000 are allowed",
    "a.ptx:4 'a' has 1000 bytes",
    "a.ptx:5 'b' has 10 bytes",
  ]);
});

test("two definitions of different kinds are one error that says how they differ", (t) => {
  const says = (...bodies: readonly string[]) => linesOf(linkBodies(...bodies).diagnostics);
  const last = (...bodies: readonly string[]) => {
    const lines = says(...bodies);
    t.is(lines.filter((line) => /^[a-z]+-[a-z]+ /.test(line)).length, 1, lines.join("\n"));
    return lines.at(-1);
  };
  t.is(
    last(".visible .entry k() { ret; }", ".visible .entry k(.param .u64 p) { ret; }"),
    "b.ptx:4 b.ptx has .entry k (.u64) and .entry k () there, in a.ptx",
  );
  t.is(
    last(".visible .global .u32 x[2];", ".visible .global .u32 x[3];"),
    "b.ptx:4 b.ptx has .align 4 .u32[3] and .align 4 .u32[2] there, in a.ptx",
  );
  t.is(
    last(".visible .global .u32 x;", ".visible .const .u32 x;"),
    "b.ptx:4 b.ptx has it in .const and in .global there, in a.ptx",
  );
  t.is(
    last(".visible .global .attribute(.managed) .u32 x;", ".visible .global .u32 x;"),
    "b.ptx:4 b.ptx has it not managed, and managed there, in a.ptx",
  );
});

// The largest array that `ptxas -c -arch=sm_90a a.ptx; nvlink -arch=sm_90a a.cubin -o out` accepts (CUDA 13.0).
for (const [target, most] of [
  ["sm_90", 49152],
  ["sm_90a", 232448],
  ["sm_100a", 232448],
  ["sm_100f", 49152],
  ["sm_103a", 232448],
  ["sm_110a", 232448],
  ["sm_110f", 49152],
  ["sm_120a", 101376],
  ["sm_120f", 49152],
  ["sm_121a", 101376],
] as const)
  test(`a kernel for ${target} may have ${most} bytes of static shared memory`, (t) => {
    const errors = [most, most + 1].map((size) => {
      const body = `.shared .u8 s[${size}];\n.visible .entry k() { .reg .b16 %h; ld.shared.u8 %h, [s]; st.shared.u8 [s], %h; ret; }`;
      const text = `.version 9.0\n.target ${target}\n.address_size 64\n${body}\n`;
      return linkAll([objectOf("a.ptx", text)]).diagnostics.map(({ code }) => code);
    });
    t.deepEqual(errors, [[], ["shared-limit"]]);
  });
