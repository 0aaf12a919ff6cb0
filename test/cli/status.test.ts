// Exit statuses of CONTRACT.md, by command line.

import test from "ava";
import { InternalError } from "../../lib/base/assert.js";
import { badModule, goodModule, ptxkit, type Surroundings } from "./surroundings.js";

const files = { "good.ptx": goodModule, "bad.ptx": badModule(1), "noise.bin": Uint8Array.of(0, 1, 2, 3) };
const around: Surroundings = { files };

/** A command line with its status and a pattern for standard error. */
type Case = readonly [line: string, status: number, says: RegExp];

const cases: readonly Case[] = [
  ["check good.ptx", 0, /^$/],
  ["check good.ptx good.ptx", 0, /^$/],
  ["check bad.ptx", 1, /^bad\.ptx:4:9: error: .*u33.*\[\S+\]\n/],
  ["check good.ptx bad.ptx", 1, /^bad\.ptx:4:9: error: /],
  ["check noise.bin", 1, /^noise\.bin:0: error: noise\.bin is not PTX text or NVVM IR: it is /],
  ["check absent.ptx", 2, /^ptxkit: error: cannot read absent\.ptx: no such file/],
  ["check bad.ptx absent.ptx", 2, /^bad\.ptx:4:9: error: [^]*cannot read absent\.ptx/],
  ["check absent.ptx bad.ptx", 2, /^ptxkit: error: cannot read absent\.ptx[^]*\nbad\.ptx:4:9: error: /],
  ["link absent.o good.ptx gone.o -o out", 2, /cannot read absent\.o[^]*\n.*cannot read gone\.o/],
  ["as good.ptx", 0, /^$/],
  ["as bad.ptx", 1, /^bad\.ptx:4:9: error: /],
  ["as absent.ptx", 2, /cannot read absent\.ptx/],
  ["as noise.bin", 1, /is not PTX text or NVVM IR/],
  ["as good.ptx -o absent/good.o", 2, /cannot write absent\/good\.o/],
  ["link good.ptx -o out", 0, /^$/],
  ["inspect good.ptx --html x --json", 2, /^ptxkit: error: --html shows everything/],
  ["inspect good.ptx --extract x --kernels", 2, /^ptxkit: error: --extract excludes/],
  ["inspect good.ptx --loads-on sm_90 --kernels", 2, /^ptxkit: error: --loads-on excludes/],
  ["inspect bad.ptx --html x", 1, /^bad\.ptx:4:9: error: /],
  ["serve --port 65536", 2, /a port is a number up to 65535/],
  ["inspect good.ptx --resource-usage", 2, /has no --resource-usage view \[not-supported\]/],
  ["run good.ptx -k k -g 1 -b 1 --gpu h100 --trace-sms 1", 2, /--trace-sms requires --trace /],
  ["run good.ptx -k k -g 1 -b 1 --trace-limit 1", 2, /--trace-limit requires --gpu /],
  ["run good.ptx -k k -g 1 -b 1 --gpu h100 --trace - --json", 2, /--json writes to standard output/],
  ["run good.ptx -k k -g 1 -b 1 --gpu h100 --trace x --dump ./x", 2, /--trace and --dump name one file/],
  ["link -r good.ptx -o out", 0, /^$/],
  ["link --emit ptx good.ptx -o out", 0, /^$/],
  ["link -r --emit ptx good.ptx -o out", 0, /^$/],
  ["link bad.ptx -o out", 1, /^bad\.ptx:4:9: error: /],
  ["link good.ptx good.ptx -o out", 1, /^good\.ptx:\d+:\d+: error: .*counter/],
  ["link good.ptx --arch sm_86 -o out", 0, /^$/],
  ["link good.ptx --arch sm_75 -o out", 1, /good\.ptx.*sm_80.*sm_75.*\[incompatible-target\]/],
  ["link noise.bin -o out", 1, /^noise\.bin:0: error: /],
  ["link good.ptx absent.o -o out", 2, /cannot read absent\.o/],
  ["link --detect-odr-violations good.ptx -o out", 0, /^$/],
  ["link --gc-sections good.ptx -o out", 0, /^$/],
  ["link --gc-sections -u k -u absent good.ptx -o out", 0, /^$/],
  ["link --require-defined absent good.ptx -o out", 1, /undefined symbol: absent.*\[undefined-symbol\]/],
  ["link --gc-sections --kernels-used j good.ptx -o out", 1, /names no kernel[^]*\[unknown-root\][^]*'k'/],
  ["link --print-gc-sections good.ptx -o out", 0, /warning: --print-gc-sections changes nothing.*\[no-effect\]/],
  // Errors in the command line itself, before any input.
  ["run bad.ptx", 2, /^ptxkit: error: specify what to run/],
  ["run bad.ptx -k k", 2, /^ptxkit: error: -k needs -g and -b[^]*\nhelp: give the grid and the block/],
  [
    "run bad.ptx -k k -g 1 -b 1 --launch s.json",
    2,
    /exclude each other[^]*\nhelp: name kernel and arguments in the spec/,
  ],
  ["run bad.ptx -k k -g 1 -b 1 --gpu z80", 2, /there is no such model/],
  ["", 2, /Usage: ptxkit/],
  ["chekc good.ptx", 2, /^ptxkit: error: unknown command 'chekc'[^]*check/],
  ["help chekc", 2, /^ptxkit: error: unknown command 'chekc'[^]*check/],
  ["run bad.ptx -k k -g 0 -b 1", 2, /-g 0: one to three numbers are expected, from 1 to 2147483647,65535,65535 /],
  ["check", 2, /^ptxkit: error: missing required argument/],
  ["as good.ptx good.ptx", 2, /^ptxkit: error: too many arguments/],
  ["link good.ptx", 2, /^ptxkit: error: .*--output/],
  ["link good.ptx --ouput out", 2, /^ptxkit: error: unknown option '--ouput'[^]*Did you mean --output\?/],
  ["check --fast good.ptx", 2, /^ptxkit: error: unknown option '--fast'/],
  ["check good.ptx --diagnostics xml", 2, /text, json, sarif/],
  ["check good.ptx --color sometimes", 2, /auto, always, never/],
  ["check good.ptx --error-limit -1", 2, /error-limit.*whole number/],
  ["check good.ptx --error-limit 1.5", 2, /whole number/],
  ["check good.ptx --error-limit", 2, /argument missing/],
  ["check good.ptx --max-image-size lots", 2, /number of bytes/],
  ["check good.ptx --max-image-size 5G", 2, /at most 2G/],
  ["link good.ptx -o out --arch sm_1", 2, /sm_1.*name a target/],
  ["link good.ptx -o out --arch volta", 2, /volta/],
  ["link good.ptx -o out --emit coff", 2, /elf, ptx/],
  ["link -r --defsym a=b good.ptx -o out", 2, /later links could not use the name/],
  ["link good.ptx -o out -j 0", 2, /a number from 1 on is expected/],
  ["link good.ptx -o out -j many", 2, /many/],
  ["link -o out", 2, /missing required argument 'input'[^]*\nhelp: name at least one module/],
  ["run -k k -g 1 -b 1", 2, /missing required argument 'input'/],
  ["link good.ptx -l m -o out", 2, /cannot find -lm: no folder to search was named.*\[file-access\]/],
  ["link good.ptx -lm -Llib -L lib64 -o out", 2, /cannot find -lm: there is no libm\.a in lib, lib64 \[file-access\]/],
  ["link bad.ptx -lm -o out", 2, /^bad\.ptx:4:9[^]*cannot find -lm/],
  ["link good.ptx --end-lib -o out", 2, /--end-lib without --start-lib[^]*\nhelp: put --start-lib before/],
  ["link good.ptx --start-lib --start-lib -o out", 2, /--start-lib inside --start-lib/],
  ["link good.ptx --pop-state -o out", 2, /--pop-state without --push-state/],
  ["link --start-lib good.ptx -o out", 1, /nothing to link[^]*kernel k is here[^]*-u KERNEL/],
  ["link --start-lib good.ptx -u k -o out", 0, /^$/],
  ["link --start-lib good.ptx --end-lib --start-group good.ptx --end-group -o out", 0, /^$/],
  ["link good.ptx -j 2 -o out", 0, /^$/],
  ...["--trace t.json", "--hot", "--no-warm"].map((option): Case => [
    `run ${option} good.ptx -k k -g 1 -b 1`,
    2,
    /^ptxkit: error: --[a-z -]+ requires --gpu/,
  ]),
  ["run --gpu h200 --trace t.json --trace-sms 3-1 good.ptx -k k -g 1 -b 1", 2, /specify SMs by number/],
];

/** The form of every text diagnostic: CONTRACT.md. */
const diagnosticLine = /^(?:\S+:\d+:\d+|\S+:\d+|ptxkit): (?:error|warning): .+ \[[a-z0-9-]+\]$/;

for (const [line, status, says] of cases) {
  test(`ptxkit ${line}: status ${status}`, async (t) => {
    const answer = await ptxkit(line.split(" ").filter(Boolean), around);
    t.is(answer.status, status, answer.err);
    t.regex(answer.err, says);
    if (status !== 0 && line !== "") t.regex(answer.err.split("\n")[0]!, diagnosticLine);
    t.notRegex(answer.err, /\n\s+at /, "no stack trace");
    if (status !== 0) t.is(answer.written.size, 0, "a failed command leaves no file");
    t.is(answer.out, "");
  });
}

test("a defect of ptxkit is status 70, says so, and asks for a report", async (t) => {
  for (const defect of [new InternalError("the layout went backwards"), new TypeError("x is not a function")]) {
    const answer = await ptxkit(["as", "good.ptx"], { files, defect });
    t.is(answer.status, 70);
    t.regex(answer.err, /^ptxkit: defect: .*(backwards|not a function)\n.*fault in ptxkit itself\. Please report/);
  }
});

test("--max-image-size bounds initialised data, in bytes or K, M and G", async (t) => {
  const text = goodModule.replace(".u32 counter = 7", ".u8 counter[2048] = {1}");
  const check = (...size: string[]) => ptxkit(["check", "big.ptx", ...size], { files: { "big.ptx": text } });
  t.is((await check()).status, 0);
  for (const size of ["2048", "2K", "2k", "1M", "1G"]) t.is((await check("--max-image-size", size)).status, 0, size);
  for (const size of ["2047", "1K", "0"]) {
    const { status, err } = await check("--max-image-size", size);
    t.is(status, 1, size);
    t.regex(err, /\[image-too-large\]/);
  }
});

test("--assume-version reads a newer version as the newest known one, in every command that reads PTX", async (t) => {
  const newer = { "newer.ptx": goodModule.replace(/\.version \S+/, ".version 9.5") };
  const refused = await ptxkit(["check", "newer.ptx"], { files: newer });
  t.is(refused.status, 1);
  t.regex(refused.err, /PTX ISA 9\.5 is newer than ptxkit knows \(9\.4\) \[unsupported-version\]/);
  t.regex(refused.err, /--assume-version/);
  for (const rest of [[], ["-o", "newer.o"], ["-o", "newer.img"]]) {
    const command = rest.length === 0 ? "check" : rest[1] === "newer.o" ? "as" : "link";
    const { status, err } = await ptxkit([command, "newer.ptx", "--assume-version", ...rest], { files: newer });
    t.is(status, 0, command);
    t.regex(err, /warning: PTX ISA 9\.5 is read as 9\.4, the newest that ptxkit knows \[assumed-version\]/, command);
  }
});

test("inspect reports a section or function name that does not exist, and shows the rest", async (t) => {
  const wanted = [
    ["--hex .text", /^good\.ptx:1:1: error: there is no section \.text in good\.ptx \[no-such-member\]\nhelp: /],
    ["--kernels --function none", /^good\.ptx:1:1: error: there is no kernel or function none in good\.ptx \[/],
  ] as const;
  for (const [words, says] of wanted) {
    const { status, err } = await ptxkit(["inspect", "good.ptx", ...words.split(" ")], around);
    t.is(status, 1, words);
    t.regex(err, says, words);
  }
  t.is((await ptxkit(["inspect", "good.ptx", "--kernels", "--function", "k"], around)).status, 0);
});
