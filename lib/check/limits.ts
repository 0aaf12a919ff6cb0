// Checks limits of a whole module and of a function's directives: PTX ISA 9.0 sections 5.1.3 (constant bank) and 11.4
// (performance directives).

import { LARGE_PARAMETERS, MAX_BANK_BYTES, targetFacts } from "../../formats/cuda/index.js";
import type { Ranged } from "../ptx/source-text.js";
import type { FunctionDirective, Outline } from "../ptx/tree.js";
import { functionDirectives, usualRange } from "../ptx/words.table.js";
import { checkPragma } from "./pragma.js";
import { requireFeature, type Platform } from "./require.js";
import type { FunctionSymbol, ModuleSymbol, Variable } from "./module.js";
import type { Reporter } from "./reporter.js";

/**
 * Limit of functions with a body in one module. The largest compiled modules have some thousands. Each function makes one or more
 * sections of the object; more functions would exceed the contract's time limit.
 */
const mostFunctions = 2 ** 17;

/** The module's items up to the limit. The first function beyond it is reported. */
export function withinFunctionLimit(items: Outline["items"], reporter: Reporter): Outline["items"] {
  if (items.length <= mostFunctions) return items;
  let functions = 0;
  const end = items.findIndex(
    (item) => item.kind === "function" && item.body !== undefined && ++functions > mostFunctions,
  );
  if (end < 0) return items;
  reporter.report("too-many-functions", items[end]!, `a module has at most ${mostFunctions} functions`, {
    remedy: "split it into several modules and link them",
  });
  return items.slice(0, end);
}

/** Size in bytes of the user's constant bank. */
const constantBankBytes = 65536;

const isInBank = (symbol: ModuleSymbol): symbol is Variable =>
  symbol.kind === "variable" && symbol.space === "const" && symbol.linkage !== "extern";

/** Checks that the .const variables of one module fit into the bank; the message names the five largest. */
export function checkConstantBank(symbols: readonly ModuleSymbol[], reporter: Reporter): void {
  let total = 0;
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i]!;
    if (isInBank(symbol)) total += symbol.layout.size;
  }
  if (total <= constantBankBytes) return;
  const largest = symbols.filter(isInBank).toSorted((a, b) => b.layout.size - a.layout.size);
  const { place } = largest[0]!;
  reporter.report(
    "constant-bank",
    place,
    `${total} bytes of .const variables; the constant bank has ${constantBankBytes}`,
    {
      notes: largest
        .slice(0, 5)
        .map((symbol) => ({ message: `'${symbol.name}' has ${symbol.layout.size} bytes`, place: symbol.place })),
      remedy: "move tables to .global",
    },
  );
}

/** Directives by their number of arguments; others have none, or the parser checks them. */
const dimensions: ReadonlySet<string> = new Set(["maxntid", "reqntid", "reqnctapercluster"]);
const counts: ReadonlySet<string> = new Set(["minnctapersm", "maxnctapersm", "maxnreg", "maxclusterrank"]);

export function checkDirectives(
  directives: readonly FunctionDirective[],
  entry: boolean,
  platform: Platform,
  reporter: Reporter,
): void {
  if (directives.length === 0) return;
  const seen = new Map<string, FunctionDirective>();
  for (const directive of directives) {
    const { name, values, strings } = directive;
    if (name === "pragma") checkPragma({ ...directive, strings }, "entry", platform, reporter);
    else requireFeature(`.${name}`, directive, platform, reporter);
    const [least, most] = functionDirectives.get(`.${name}`)?.range ?? usualRange;
    if (values.some((value) => value < least || value > most)) {
      reporter.report("directive", directive, `.${name} takes numbers from ${least} to ${most}`);
    }
    const isDimension = dimensions.has(name);
    const isCount = counts.has(name);
    if (isDimension || isCount) {
      if (values.length === 0 || values.length > (isDimension ? 3 : 1)) {
        reporter.report(
          "directive",
          directive,
          `.${name} takes ${isDimension ? "one to three numbers" : "one number"}`,
        );
      }
      if (!entry) reporter.report("directive", directive, `.${name} is for kernels`);
    }
    if (name.startsWith("abi_") && seen.has(name)) reporter.report("directive", directive, `.${name} is given twice`);
    seen.set(name, directive);
  }
  if (entry) adviseOnLaunch(seen, reporter);
  const required = seen.get("reqntid");
  const clusters = seen.get("blocksareclusters");
  if (clusters !== undefined && (required === undefined || !seen.has("reqnctapercluster"))) {
    reporter.report("directive", clusters, ".blocksareclusters requires .reqntid and .reqnctapercluster");
  }
  const rank = seen.get("maxclusterrank");
  if (rank !== undefined && seen.has("reqnctapercluster")) {
    reporter.report("directive", rank, ".maxclusterrank and .reqnctapercluster cannot both be given");
  }
  if (required !== undefined && seen.has("maxntid")) {
    reporter.report("directive", required, ".maxntid and .reqntid cannot both be given");
  }
}

/**
 * Largest number of threads of a block and registers of a thread on any device: the CUDA programming guide's table of technical
 * specifications.
 */
const mostThreads = 1024n;
const mostRegisters = 255n;

function adviseOnLaunch(directives: ReadonlyMap<string, FunctionDirective>, reporter: Reporter): void {
  for (const name of ["maxntid", "reqntid"]) {
    const directive = directives.get(name);
    const threads = directive?.values.reduce((product, value) => product * value, 1n) ?? 0n;
    if (threads > mostThreads)
      reporter.report(
        "launch-limit",
        directive!,
        `.${name} makes ${threads} threads; a block has ${mostThreads} at most`,
      );
  }
  const registers = directives.get("maxnreg");
  const most = registers?.values[0] ?? 0n;
  if (most > mostRegisters)
    reporter.report(
      "launch-limit",
      registers!,
      `.maxnreg ${most} is ignored; a thread has ${mostRegisters} registers at most`,
    );
}

/** Limits of a kernel's parameters in bytes: section 5.1.6.1, for the versions and targets that ptxas 13.0 requires. */
const parameterBytes = 0x7ffc;
const parameterBytesBefore81 = 0x1100;
const parameterBytesBefore20 = 0x100;

export function mostParameterBytes({ version, target }: Pick<Platform, "version" | "target">): number {
  if (version < 20) return parameterBytesBefore20;
  return version < 81 || target.sm < 70 ? parameterBytesBefore81 : parameterBytes;
}

export function checkParameterBytes(kernel: FunctionSymbol, platform: Platform, at: Ranged, reporter: Reporter): void {
  let bytes = 0;
  for (const { layout } of kernel.prototype.parameters)
    bytes = Math.ceil(bytes / layout.align) * layout.align + layout.size;
  const limit = mostParameterBytes(platform);
  if (bytes <= limit) return checkBank(kernel, bytes, platform, at, reporter);
  reporter.report(
    "parameter-space",
    at,
    `kernel '${kernel.name}' has ${bytes} bytes of parameters; the limit is ${limit}`,
    {
      remedy:
        bytes <= parameterBytes && platform.version < 81
          ? "write .version 8.1, for sm_70 or newer"
          : "pass a pointer instead of the largest parameters",
    },
  );
}

/**
 * Checks that parameters end inside their constant bank. They follow the system's data, so that a small parameter aligned to the
 * bank's size would be beyond it. Large parameter lists are aligned from the first parameter on.
 */
function checkBank(
  { name, prototype }: FunctionSymbol,
  bytes: number,
  { target }: Platform,
  at: Ranged,
  reporter: Reporter,
): void {
  if (bytes > LARGE_PARAMETERS || !targetFacts(target.sm).boundsParameterBank) return;
  const wide = prototype.parameters.find(({ layout }) => layout.align >= MAX_BANK_BYTES);
  if (wide === undefined) return;
  reporter.report(
    "parameter-space",
    at,
    `parameter '${wide.name}' of kernel '${name}' is aligned to ${wide.layout.align} bytes, but the constant bank has ${MAX_BANK_BYTES} bytes, the first of which are reserved`,
    { remedy: `align it to ${MAX_BANK_BYTES / 2} at most, or pass a pointer to it` },
  );
}
