// Runs the bundled program with this command line, and keeps what V8 compiled for it, so that the next run of the command need
// not compile it again. A process of its own for each command, as the program's are.
import { writeFileSync } from "node:fs";
import v8 from "node:v8";
import { checkedCode, codeCacheOf, loadBundled } from "../dist/cli/bundled.js";

// Code fits the flags under which it was compiled. The program sets some while it runs: numbers, which say when code is optimised,
// make no difference here, and what it does not set back itself is set back behind it.
const { setFlagsFromString } = v8;
const opposite = (flag) => (flag.startsWith("--no-") ? flag.replace("--no-", "--") : flag.replace("--", "--no-"));
const left = new Set();
v8.setFlagsFromString = (flag) => {
  if (flag.includes("=")) return;
  if (!left.delete(opposite(flag))) left.add(flag);
  setFlagsFromString(flag);
};

const args = process.argv.slice(2);
const { script, start } = loadBundled(args);
process.exitCode = await start(args);
for (const flag of left) setFlagsFromString(opposite(flag));
writeFileSync(codeCacheOf(args), checkedCode(script.createCachedData()));
