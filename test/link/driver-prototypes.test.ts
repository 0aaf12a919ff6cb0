// Declarations of the driver's functions with a wrong prototype are warned about, with and without --wrap. nvlink 13.0
// accepts all of them (`ptxas -c -arch=sm_80 x.ptx -o x.cubin && nvlink -arch=sm_80 x.cubin -o out`, status 0 each).

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText } from "./build.js";

const nameIn = (text: string): string => /\w+(?=\()/.exec(text)![0];

/**
 * A module that declares and calls the function. Unused declarations are in no object, and ptxas takes the address of
 * none of these.
 */
function declared(text: string): string {
  const formals = text.match(/\.param [^,()]*/g)!;
  const names = (list = "") => list.match(/\w+(?=(?:\[\d+\])?(?:,|$))/g)?.join(", ") ?? "";
  const [, result, parameters] = /^(?:\((.*?)\) )?\w+\((.*?)\)/.exec(text)!;
  const call = `call ${result === undefined ? "" : `(${names(result)}), `}${nameIn(text)}, (${names(parameters)});`;
  const body = `{\n${formals.map((each) => `  ${each};\n`).join("")}  ${call}\n  ret;\n}`;
  return moduleText(`.extern .func ${text};\n.visible .entry k()\n${body}`);
}

const right = [
  "(.param .b32 r) vprintf(.param .b64 f, .param .b64 v)",
  "(.param .s32 r) vprintf(.param .u64 f, .param .s64 v)",
  "(.param .u64 r) malloc(.param .u64 n)",
  "free(.param .b64 p)",
  "__assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn",
  "__assertfail(.param .b64 a, .param .b64 b, .param .u32 c, .param .b64 d, .param .b64 e)",
  "cnpGetDevice(.param .b32 x)",
];

const wrong: Readonly<Record<string, string>> = {
  "(.param .b32 r) vprintf(.param .b64 f)": "with 1 parameter here and 2 there",
  "vprintf(.param .b64 f, .param .b64 v)": "with 0 results here and 1 there",
  "(.param .b64 r) malloc(.param .b32 n)": "with .b32 as parameter 1 here and .b64 there",
  "(.param .b64 r) malloc(.param .f64 n)": "with .f64 as parameter 1 here and .b64 there",
  "(.param .b64 r) malloc(.param .align 8 .b8 n[8])": "with .b8[8] as parameter 1 here and .b64 there",
  "(.param .b32 r) free(.param .b64 p)": "with 1 result here and 0 there",
  "__assertfail(.param .b64 a, .param .b64 b, .param .b64 c, .param .b64 d, .param .b64 e)":
    "with .b64 as parameter 3 here and .b32 there",
};

for (const text of right)
  test(`${text}: no diagnostic`, async (t) => {
    const { status, err } = await ptxkit(["link", "a.ptx", "-o", "out"], { files: { "a.ptx": declared(text) } });
    t.is(status, 0);
    t.is(err, "");
  });

for (const [text, which] of Object.entries(wrong))
  test(`${text}: ${which}`, async (t) => {
    const files = { "a.ptx": declared(text), "b.ptx": declared(text).replace("entry k", "entry l") };
    const say = (...options: readonly string[]) =>
      ptxkit(["link", "a.ptx", "b.ptx", "-o", "out", ...options], { files });
    const [{ status, err }, ordinary] = await Promise.all([say(), say("--wrap", "nobody")]);
    t.is(status, 0);
    t.is(ordinary.err, err);
    const name = nameIn(text);
    const [first] = err.split("\n");
    t.true(first!.startsWith(`a.ptx:4:${15 + text.indexOf(`${name}(`)}: warning: '${name}' is a function of the driver, ${which}: .func `), err); // prettier-ignore
    t.regex(first!, / in a\.ptx, b\.ptx, \.func .* in the driver \[driver-prototype\]$/);
    t.regex(err, /\nb\.ptx:4:\d+: note: declared here as .* too\n/);
    // The declaration that the remedy suggests causes no warning.
    const remedy = /^help: declare it so.*: \.extern \.func (.*);$/m.exec(err)![1]!;
    t.is((await ptxkit(["link", "a.ptx", "-o", "out"], { files: { "a.ptx": declared(remedy) } })).err, "");
    t.is((await say("-Wno-driver-prototype")).err, "");
    t.is((await say("--werror")).status, 1);
    for (const more of ["-r", "--emit=ptx"]) t.is((await say(more)).err, err, more);
  });

test("a definition of such a name is the program's own function", async (t) => {
  const own = moduleText(`.visible .func (.param .b32 p) malloc(.param .b32 n) { ret; }`);
  const files = { "a.ptx": declared("(.param .b32 p) malloc(.param .b32 n)"), "b.ptx": own };
  t.is((await ptxkit(["link", "a.ptx", "b.ptx", "-o", "out"], { files })).err, "");
});

test("conflicting declarations are an error, and the one that wins is checked against the driver's prototype", async (t) => {
  const [short, whole] = ["(.param .b32 r) vprintf(.param .b64 f)", right[0]!];
  const files = { "a.ptx": declared(short), "b.ptx": declared(whole).replace("entry k", "entry l") };
  const said = async (...names: readonly string[]) =>
    (await ptxkit(["link", ...names, "-o", "out"], { files })).err.match(/^\S+ (?:error|warning): .*(?=\[).*$/gm)!;
  const first = await said("a.ptx", "b.ptx");
  t.is(first.length, 2);
  t.regex(first[0]!, /^b\.ptx:\S+ error: 'vprintf' has two prototypes/);
  t.regex(first[1]!, /^a\.ptx:\S+ warning: 'vprintf' is a function of the driver/);
  t.is((await said("b.ptx", "a.ptx")).length, 1);
});
