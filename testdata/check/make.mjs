// Records what ptxas says of each line of snippets.txt (whole modules; "\n" is a line break) and bodies.txt (statements of
// one kernel whose declarations stand in prelude.ptx): accepted or not, and its first message.
//   node testdata/check/make.mjs        (needs ptxas 13.0 on the PATH; about a minute)
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const here = import.meta.dirname;
const lines = (name) => readFileSync(path.join(here, name), "utf8").split("\n").filter((line) => line !== "");
export const head = ".version 8.5\n.target sm_75\n.address_size 64\n";
const prelude = readFileSync(path.join(here, "prelude.ptx"), "utf8");
export const moduleOf = (snippet) => `${head}${snippet.replaceAll("\\n", "\n")}\n`;
export const moduleOfBody = (body) => prelude.replace("// BODY", body);

function verdict(text, target) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "verdict-"));
  const file = path.join(folder, "a.ptx");
  writeFileSync(file, text);
  try {
    execFileSync("ptxas", ["-c", `-arch=${target}`, "a.ptx", "-o", "a.o"], { cwd: folder, stdio: "pipe" });
    return { accepted: true };
  } catch (error) {
    const said = `${error.stderr}${error.stdout}`.split("\n").find((line) => /error|fatal/.test(line)) ?? `ended by ${error.signal}`;
    return { accepted: false, says: said.replace(/^ptxas (a\.ptx, )?/, "") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const record = {
  command: "ptxas -c -arch=TARGET (13.0), see make.mjs",
  snippets: lines("snippets.txt").map((text) => {
    const unified = text.includes(".unified");
    const module = unified ? moduleOf(text).replace("sm_75", "sm_90") : moduleOf(text);
    return { text, ...(unified ? { target: "sm_90" } : {}), ...verdict(module, unified ? "sm_90" : "sm_75") };
  }),
  bodies: lines("bodies.txt").map((text) => ({ text, ...verdict(moduleOfBody(text), "sm_90") })),
};
writeFileSync(path.join(here, "verdicts.json"), `${JSON.stringify(record, null, 1)}\n`);
