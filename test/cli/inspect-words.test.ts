// Options of readelf and cuobjdump: page and table have the same rows, and each option does what the equivalent command
// line does.

import test from "ava";
import { translateInspectOptions, INSPECT_WORDS, wordsOf } from "../../cli/options/inspect-words.table.js";
import { containerBytes } from "../formats/containers.js";
import { holdPart } from "../page.js";
import { ptxkit } from "./surroundings.js";

const files = { program: containerBytes("program"), "twice.cubin": containerBytes("twice.sm_90.cubin") };

test("docs/cli.md has the table", (t) => {
  const rows = INSPECT_WORDS.map((row) => {
    const value = row.value === undefined ? "" : ` ${row.value}`;
    return `| ${row.there.map((word) => `\`${word}${value}\``).join(", ")} | ${row.of} | ${wordsOf(row)} |\n`;
  });
  holdPart(t, "cli.md", "inspect words", `\n| there | of | here |\n| --- | --- | --- |\n${rows.join("")}\n`);
});

const values: Readonly<Record<string, string>> = { SECTION: ".text", PART: "sm_90", sm_90: "sm_90", NAME: "scale" };

test("each option of cuobjdump is accepted as its equivalent, with its value joined or separate", async (t) => {
  for (const { there, here, value } of INSPECT_WORDS) {
    if (here === undefined) continue;
    const given = value === undefined ? undefined : values[value]!;
    const ours = here.map((word) => (word === "VALUE" ? given! : word));
    for (const word of there) {
      const lines = given === undefined ? [[word]] : [[word, given], [`${word}=${given}`]];
      for (const line of lines) t.deepEqual(translateInspectOptions([...line, "a"]), [...ours, "a"], line.join(" "));
    }
    // All of them are options of this program.
    const more = ["--arch", "--function"].some((word) => here.includes(word)) ? ["--kernels"] : [];
    const { status, err } = await ptxkit(["inspect", "program", ...ours, ...more], { files });
    t.is(status, here.includes("--hex") || here.includes("--function") ? status : 0, `${ours.join(" ")}: ${err}`);
    t.not(status, 2, err);
  }
});

test("lists are in cuobjdump's form", async (t) => {
  const out = async (...words: readonly string[]): Promise<string> =>
    (await ptxkit(["inspect", "program", ...words], { files })).out.split("\n\n")[1]!;
  t.is(await out("-lelf"), "ELF file    1: 3.sm_90.cubin\nELF file    2: 5.sm_90.cubin\n");
  t.is(await out("-lptx"), "PTX file    1: 1.sm_90.ptx\nPTX file    2: 2.sm_75.ptx\nPTX file    3: 4.sm_90.ptx\n");
  t.is(await out("-lptx", "-arch", "sm_75"), "PTX file    1: 2.sm_75.ptx\n");
  t.is((await out("-lelf", "-lptx")).trimEnd().split("\n").length, 5);
});

test("extraction of selected parts", async (t) => {
  const written = async (...words: readonly string[]): Promise<readonly string[]> =>
    [...(await ptxkit(["inspect", "program", ...words], { files })).written.keys()].sort();
  t.deepEqual(await written("-xptx", "all"), ["1.sm_90.ptx", "2.sm_75.ptx", "4.sm_90.ptx"]);
  t.deepEqual(await written("-xelf", "5.sm"), ["5.sm_90.cubin"]);
  t.deepEqual(await written("-xelf=all", "-xptx=all", "-arch=sm_75"), ["2.sm_75.ptx"]);
});

test("options for machine code are refused with a sentence, options without their value too", async (t) => {
  const { status, err } = await ptxkit(["inspect", "-sass", "program"], { files });
  t.is(status, 2);
  t.is(
    err,
    "ptxkit: error: -sass: machine code (SASS) has no public encoding and is not disassembled [command-line]\n" +
      "help: use cuobjdump -sass or nvdisasm of the CUDA toolkit; -ptx here shows the PTX\n",
  );
  t.regex((await ptxkit(["inspect", "program", "-xelf"], { files })).err, /-xelf needs a value: -xelf PART/);
});

test("options for a file that is not a container", async (t) => {
  t.is((await ptxkit(["inspect", "-symbols", "twice.cubin"], { files })).status, 0);
  const { status, out, err } = await ptxkit(["inspect", "-ptx", "twice.cubin"], { files });
  t.is(status, 1);
  t.is(out, "");
  t.regex(err, /twice\.cubin is no ptx, and holds none/);
});
