// npm run oracle:nvvm-bitcode -- FOLDER...: our reader of bitcode beside llvm-dis on files that nobody here wrote, every one
// under the folders that begins as bitcode does. Nothing of such files is committed.
//
//   node dist/test/oracle/nvvm/bitcode.js FOLDER... [--tool llvm-dis-14] [--show N]
//
// Both have to accept or both to refuse. Of files that both accept, the numbers of functions, blocks and instructions of the
// text that llvm-dis writes, as our reader of text has it, are those of our reader of bitcode.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSink } from "../../../lib/diag/sink.js";
import { readModule } from "../../../lib/nvvm/compile-source.js";
import { isBitcode } from "../../../formats/bitstream/magic.js";

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { tool: { type: "string", default: "llvm-dis-14" }, show: { type: "string", default: "3" } },
});

/** Counts of a module, or the message that refuses it. */
function shapeOf(name: string, bytes: Uint8Array): { readonly counts: string | undefined; readonly says: string } {
  const sink = createSink();
  try {
    const module = readModule({ name, bytes }, sink);
    const bodies = (module?.functions ?? []).flatMap(({ body }) => body?.read(sink) ?? []);
    const [first] = sink.all;
    if (module === undefined || first !== undefined)
      return { counts: undefined, says: first?.message ?? "no module, and no reason" };
    const blocks = bodies.reduce((sum, body) => sum + body.blocks.length, 0);
    const instructions = bodies
      .flatMap((body) => body.blocks)
      .reduce((sum, block) => sum + block.instructions.filter(({ opcode }) => opcode !== "call").length, 0);
    const counts = `${module.variables.length} variables, ${bodies.length} bodies, ${blocks} blocks, ${instructions} instructions without calls`;
    return { counts, says: "" };
  } catch (error) {
    return { counts: undefined, says: `a defect: ${(error as Error).stack}` };
  }
}

const seen = new Set<string>();
const groups = new Map<string, string[]>();
const note = (cause: string, line: string): void => void groups.set(cause, [...(groups.get(cause) ?? []), line]);
let equal = 0;
let refused = 0;
for (const folder of folders)
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const file = join(folder, name);
    let bytes: Buffer;
    try {
      bytes = readFileSync(file);
    } catch {
      continue; // a folder
    }
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (!isBitcode(bytes) || seen.has(hash)) continue;
    seen.add(hash);
    const ours = shapeOf(file, bytes);
    const theirs = spawnSync(options.tool, ["-o", "-"], { input: bytes, maxBuffer: 2 ** 30, timeout: 600_000 });
    const message = theirs.stderr.toString().trim().split("\n")[0] ?? "";
    const refusal = theirs.signal === null ? message : `died of ${theirs.signal}`;
    if (theirs.status !== 0) {
      if (ours.counts === undefined) refused++;
      else note(`only ${options.tool} refuses: ${refusal.replaceAll(/'[^']*'|\d+/g, "N")}`, file);
      continue;
    }
    if (ours.counts === undefined) {
      note(`only we refuse: ${ours.says.split("\n")[0]!.replaceAll(/'[^']*'|\d+/g, "N")}`, `${file}: ${ours.says}`);
      continue;
    }
    const text = shapeOf(`${file}.ll`, theirs.stdout);
    if (text.counts === ours.counts) equal++;
    else if (text.counts === undefined) note(`we refuse ${options.tool}'s text`, `${file}: ${text.says}`);
    else note("the counts differ", `${file}: bitcode ${ours.counts}; text ${text.counts}`);
  }
let others = 0;
for (const [cause, lines] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
  others += lines.length;
  console.log(`${String(lines.length).padStart(5)}  ${cause}`);
  for (const line of lines.slice(0, Number(options.show))) console.log(`         ${line}`);
}
console.log(`${seen.size} files: ${equal} accepted by both and equal, ${refused} refused by both, ${others} differ`);
process.exitCode = others === 0 ? 0 : 1;
