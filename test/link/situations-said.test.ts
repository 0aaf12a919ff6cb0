// The situations of situations.test.ts with real compiler output. Each folder of testdata/link/situations has what nvcc
// 13.0 made of its .cu files (`nvcc -rdc=true -arch=sm_80 -ptx`; 04 for sm_90; 11's b.cu without -rdc=true, which is
// the mistake it is about; 14 is the program of 03 with JSON output). said.txt has commands behind `$`, their standard
// error and exit status. PTXKIT_UPDATE=1 writes it again, so review the difference.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { ptxkit } from "../cli/surroundings.js";

const folder = new URL("../../../testdata/link/situations/", import.meta.url);

for (const name of readdirSync(folder))
  test(`${name}: messages, word for word`, async (t) => {
    const file = new URL(`${name}/said.txt`, folder);
    const held = readFileSync(file, "utf8");
    const commands = held.match(/(?<=^\$ ptxkit ).*$/gm) ?? [];
    t.not(commands.length, 0);
    let said = "";
    for (const command of commands) {
      const { status, err, written } = await ptxkit(command.split(" "), {
        folder: fileURLToPath(new URL(`${name}/`, folder)),
      });
      t.is(written.has("out"), status === 0, "an output, and only then");
      said += `$ ptxkit ${command}\n${err}status ${status}\n\n`;
    }
    if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(file, said);
    else t.is(said, held);
  });
