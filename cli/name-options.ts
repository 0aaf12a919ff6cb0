// The options of ptxkit link about which name means what, and about what the image tells of its making. --export and --localize
// are one list, because the order among them counts.

import { InvalidArgumentError, Option, type Command } from "commander";
import type { SymbolDefinition } from "../lib/link/names/defsym.js";
import type { VisibilityRule } from "../lib/link/names/visibility-rules.js";
import { NAME } from "../lib/base/ptx-name.js";
import { collectPatterns, collectSymbols, collecting, nonEmpty } from "./collecting.js";
import { wholeNumber } from "./common.js";

export interface NameOptions {
  readonly defsym?: readonly SymbolDefinition[];
  readonly wrap?: readonly string[];
  readonly visibility?: readonly VisibilityRule[];
  readonly unresolvedSymbols?: (typeof unresolvedChoices)[number];
  readonly ignoreUnresolvedSymbol?: readonly string[];
  readonly warnUnresolvedSymbols?: boolean;
  readonly allowMultipleDefinition?: boolean;
  readonly warnCommon?: boolean;
  readonly stripDebug?: boolean;
  readonly discardAll?: boolean;
  readonly stripAll?: boolean;
  readonly emitRelocs?: boolean;
  readonly debugLine?: boolean;
  readonly reverseSections?: boolean;
  /** The seed. */
  readonly shuffleSections?: number;
  readonly symbolOrderingFile?: string;
  readonly sortSection?: "name" | "alignment";
}

/** GNU ld's and lld's words; there are no shared libraries here, so that two of them mean what the others mean. */
const unresolvedChoices = ["report-all", "ignore-all", "ignore-in-object-files", "ignore-in-shared-libs"] as const;

export function addNameOptions(command: Command): Command {
  command.optionsGroup("What names mean, and what is kept:");
  for (const to of ["export", "localize"] as const) {
    command.on(`option:${to}`, (pattern: string) => {
      const { visibility } = command.opts<{ visibility?: VisibilityRule[] }>();
      if (visibility === undefined) command.setOptionValue("visibility", [{ to, pattern }]);
      else visibility.push({ to, pattern });
    });
  }
  return command
    .option(
      "--defsym <name=symbol>",
      "let a name stand for SYMBOL, SYMBOL+BYTES or an address",
      collecting(parseDefinition),
    )
    .option(
      "--wrap <symbol>",
      "let references to SYMBOL mean __wrap_SYMBOL, those to __real_SYMBOL SYMBOL",
      collectSymbols,
    )
    .option(
      "--export <glob>",
      "let others see these definitions; of --export and --localize the last one counts",
      nonEmpty,
    )
    .option("--localize <glob>", "hide these definitions; kernels only where named in full", nonEmpty)
    .addOption(new Option("--unresolved-symbols <how>", "what becomes of undefined symbols").choices(unresolvedChoices))
    .option("--ignore-unresolved-symbol <glob>", "let these symbols be undefined", collectPatterns)
    .option("--warn-unresolved-symbols", "warn of undefined symbols, and link")
    .option("--allow-multiple-definition", "let the first of several definitions count, with a warning")
    .option("--warn-common", "warn where .common variables meet others of their name")
    .option("-S, --strip-debug", "leave out lines, .file entries and DWARF")
    .option("-x, --discard-all", "leave out names of static variables that nothing in the image refers to")
    .option("-s, --strip-all", "do what -S and -x do")
    .option("-q, --emit-relocs", "keep the relocations that were applied, for inspect and other tools")
    .option("--debug-line", "make .debug_line of .loc lines where there is none, for readelf and other tools")
    .option("--reverse-sections", "lay modules' data out from the last to the first, to find what depends on places")
    .addOption(
      new Option("--shuffle-sections <seed>", "the same in an order that a number chooses")
        .argParser(wholeNumber)
        .conflicts("reverseSections"),
    )
    .addOption(
      new Option(
        "--symbol-ordering-file <file>",
        "lay variables and functions out as the file names them, a name a line",
      ).conflicts(["reverseSections", "shuffleSections"]),
    )
    .addOption(
      new Option("--sort-section <by>", "sort variables that have no other order")
        .choices(["name", "alignment"])
        .conflicts(["reverseSections", "shuffleSections"]),
    );
}

const definitionPattern = (() => {
  const number = "(?:0[xX][0-9a-fA-F]+|\\d+)";
  return new RegExp(`^ *(${NAME}) *= *(?:(${NAME}) *(?:([+-]) *(${number}))?|(${number})) *$`);
})();

const LAST_ADDRESS = 2n ** 64n - 1n;

/** "a=b", "a=b+0x10", "a=b-4", "a=0x1000". */
export function parseDefinition(text: string): SymbolDefinition {
  const match = definitionPattern.exec(text);
  if (match === null)
    throw new InvalidArgumentError("write NAME=SYMBOL, NAME=SYMBOL+BYTES or NAME=ADDRESS, such as table=data+0x40");
  const [, defined, base, sign, bytes, address] = match;
  if (address !== undefined && BigInt(address) > LAST_ADDRESS)
    throw new InvalidArgumentError(`addresses have 64 bits: the last one is 0x${LAST_ADDRESS.toString(16)}`);
  const offset = BigInt(bytes ?? address ?? 0) * (sign === "-" ? -1n : 1n);
  return { name: defined!, ...(base === undefined ? {} : { base }), offset };
}
