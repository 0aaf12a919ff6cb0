// ptxas on the PTX that ptxkit makes of each .ll file under the folders, whoever made it. Nothing of such files is committed.
//
//   npm run oracle:nvvm-ptxas -- FOLDER... [--arch sm_90] [--one-in N] [--seconds N] [--show N]
//
// --one-in: of the files in their order each N-th. --seconds: as many as fit into that time. The exit status says whether ptxas
// refused any, or ptxkit had a defect.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSink } from "../../../lib/diag/sink.js";
import { InputError } from "../../../lib/index.js";
import { compileModule } from "../../../lib/nvvm/compile.js";
import { readModule } from "../../../lib/nvvm/compile-source.js";
import { errorsOf, grouped } from "../ours.js";

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    arch: { type: "string", default: "sm_90" },
    "one-in": { type: "string", default: "1" },
    seconds: { type: "string", default: "Infinity" },
    show: { type: "string", default: "3" },
  },
});
if (folders.length === 0) throw new Error("name the folders of .ll files");

const scratch = mkdtempSync(join(tmpdir(), "ptxkit-nvvm-ptxas-"));
const files = folders
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ll"))
      .map((name) => join(folder, name))
      .sort(),
  )
  .filter((_, i) => i % Number(options["one-in"]) === 0);

/** The PTX of a file; undefined where ptxkit refuses it, as IR or as PTX. */
function ptxOf(name: string): Uint8Array | undefined {
  const sink = createSink();
  const module = readModule({ name, bytes: readFileSync(name) }, sink);
  try {
    const made = module && compileModule(module, { arch: options.arch }, sink);
    if (made === undefined || sink.errorCount > 0) return undefined;
    return errorsOf(Buffer.from(made.bytes).toString("latin1")).length > 0 ? undefined : made.bytes;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** What ptxas says; "" where it accepts. */
function refusal(ptx: Uint8Array): string {
  const file = join(scratch, "module.ptx");
  writeFileSync(file, ptx);
  const { status, signal, stdout, stderr } = spawnSync(
    "ptxas",
    ["-O0", "-c", `-arch=${options.arch}`, file, "-o", join(scratch, "module.o")],
    { encoding: "utf8", timeout: 120_000 },
  );
  if (status === 0) return "";
  const said = `${stdout}${stderr}`.replaceAll(/^ptxas .*?module\.ptx, /gm, "").trim();
  return said === "" ? `died of ${signal ?? status}` : said;
}

const found = new Map<string, { file: string; says: string }[]>();
let read = 0;
let accepted = 0;
let taken = 0;
/** ptxas 13 takes no PTX of 32-bit addresses. */
let narrow = 0;
const end = performance.now() + Number(options.seconds) * 1000;
for (const file of files) {
  if (performance.now() > end) break;
  read++;
  let says: string;
  try {
    const ptx = ptxOf(file);
    if (ptx === undefined) continue;
    accepted++;
    if (Buffer.from(ptx).includes(".address_size 32")) {
      narrow++;
      continue;
    }
    says = refusal(ptx);
  } catch (error) {
    says = `a defect: ${(error as Error).stack}`;
  }
  if (says === "") taken++;
  else {
    const cause = grouped(says.split("\n")[0]!.replace(/^line \d+; /, ""));
    found.set(cause, [...(found.get(cause) ?? []), { file, says }]);
  }
}
rmSync(scratch, { recursive: true });

for (const [cause, list] of [...found].sort((a, b) => b[1].length - a[1].length)) {
  console.log(`${String(list.length).padStart(5)}  ${cause}`);
  for (const { file, says } of list.slice(0, Number(options.show)))
    console.log(`         ${file}\n             ${says.split("\n").slice(0, 4).join("\n             ")}`);
}
console.log(
  `${read} files: ptxkit compiles ${accepted}, ptxas accepts ${taken} of these; ${narrow} have 32-bit addresses, which it takes no longer`,
);
process.exitCode = found.size === 0 ? 0 : 1;
