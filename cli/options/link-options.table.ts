// The options of ptxkit link, one row each: flags, help, the outputs that support them, and the linker options they set. The
// command line, help, shell completion, man page and docs/cli.md are generated from it. A row's key is Commander's name for the
// long flag, under which the program finds the option's value.

import type { LinkOptions } from "../../lib/link/options.js";
import { collect, collectFolders, collectLists, collectNames, collectPatterns, collectSymbols } from "./collecting.js";
import { collecting, nonEmpty } from "./collecting.js";
import { positiveNumber, ptxVersion, targetName, wholeNumber } from "./common.js";
import { parseDefinition } from "./definition.js";

/** The kinds of output; undefined symbols of "open ptx" (-r --emit ptx) may be defined by a later link. */
export type OutputKind = "image" | "object" | "ptx" | "open ptx";

/** Headings of the help; the first has no title. `run` shares the options of inputs. */
export const GROUPS = {
  link: undefined,
  inputs: "Inputs:",
  names: "Symbols and garbage collection:",
  reports: "Reports:",
} as const;

export interface LinkOptionRow {
  /** Flags in Commander's notation. */
  readonly flags: string;
  readonly help: string;
  readonly group: keyof typeof GROUPS;
  /** Parses a value; `before` is the previous one of the same option. Default: a string. Throws InvalidArgumentError. */
  readonly parse?: (text: string, before?: never) => unknown;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** The flag that cancels it. */
  readonly negated?: { readonly flags: string; readonly help: string };
  /** Keys of the options that conflict with it. */
  readonly conflicts?: readonly string[];
  /** The outputs that support it (default: all), and the error for the others, with -r or --emit ptx for {output}. */
  readonly outputs?: { readonly kinds: readonly OutputKind[]; readonly else: string };
  /** When it has no effect: if none of `unless` is given, or one of `with` is. */
  readonly noEffect?: {
    readonly unless?: readonly string[];
    readonly with?: readonly string[];
    readonly why: string;
    readonly remedy: string;
  };
  /** Whether it requests a report, or an output other than an image in -o. */
  readonly asks?: "report" | "output";
  /** The linker options that it sets. */
  readonly sets?: readonly (keyof LinkOptions)[];
  /** Whether the value is a file or folder to write, or a report ("-": standard output). */
  readonly writes?: "file" | "file or report";
  /** Whether --save-repro omits it, because its effect differs elsewhere. Options that write files are always omitted. */
  readonly isLocal?: true;
}

const IMAGE_ONLY = ["image"] as const;
const FILES = ["image", "object"] as const;

const NO_PLACES =
  "{output} assigns no addresses: pass --print-memory-usage and --print-call-graph to the link that makes the image";
const DATA_PLACES =
  "only an image assigns addresses to data: pass --reverse-sections or --shuffle-sections to the link that makes it";
const SYMBOL_PLACES =
  "only an image assigns addresses to variables and functions: pass --symbol-ordering-file or --sort-section to the link that makes it";
const STATIC_NAMES =
  "a later link needs the names of static variables to assign their addresses: pass --strip-all or --discard-all to the link that makes the image, and -S here";

const OF_THE_IMAGE = "pass it to the link that makes the image";
const DROPS_NOTHING = {
  unless: ["gcSections", "whyLive"],
  why: "without --gc-sections",
  remedy: "add --gc-sections: without it nothing is discarded",
} as const;
const LEAVES_UNDEFINED = {
  with: ["relocatable"],
  why: "with -r, which leaves undefined symbols to the last link",
  remedy: OF_THE_IMAGE,
} as const;

export const LINK_OPTIONS = {
  // The action reports a missing --output: Commander would report it even for a line in which it is misspelt.
  output: { group: "link", flags: "-o, --output <file>", help: "the output file", writes: "file" },
  arch: {
    group: "link",
    flags: "--arch <sm_NN>",
    help: "target of the image (default: that of the first input)",
    parse: targetName,
    sets: ["arch"],
  },
  emit: {
    group: "link",
    flags: "--emit <kind>",
    help: "what to write: an image, or one merged PTX module",
    choices: ["elf", "ptx"],
    default: "elf",
    asks: "output",
  },
  ptxVersion: {
    group: "link",
    flags: "--ptx-version <n.m>",
    help: "PTX ISA version of --emit ptx, for older drivers",
    parse: ptxVersion,
    outputs: {
      kinds: ["ptx", "open ptx"],
      else: "--ptx-version requires --emit ptx: the version of an image is that of its modules",
    },
    asks: "output",
  },
  relocatable: {
    group: "link",
    flags: "-r, --relocatable",
    help: "write a relocatable object, to be linked with others",
    asks: "output",
  },
  undefined: {
    group: "link",
    flags: "-u, --undefined <symbol>",
    help: "treat a symbol as referenced",
    parse: collectSymbols,
  },
  undefinedGlob: {
    group: "link",
    flags: "--undefined-glob <glob>",
    help: "treat matching definitions of inputs and archive members as referenced",
    parse: collectPatterns,
  },
  requireDefined: {
    group: "link",
    flags: "--require-defined <symbol>",
    help: "like -u; it is an error if no input defines the symbol",
    parse: collectNames,
  },
  gcSections: {
    group: "link",
    flags: "--gc-sections",
    help: "discard symbols that are not reachable from a kernel, a .visible variable or -u",
  },
  keepExports: {
    group: "link",
    flags: "--no-keep-exports",
    help: "discard unreferenced .visible variables, too",
    noEffect: DROPS_NOTHING,
  },
  kernelsUsed: {
    group: "link",
    flags: "--kernels-used <names>",
    help: "keep only these kernels: names or patterns, separated by commas",
    parse: collectLists,
    noEffect: DROPS_NOTHING,
  },
  variablesUsed: {
    group: "link",
    flags: "--variables-used <names>",
    help: "keep these unreferenced variables",
    parse: collectLists,
    noEffect: DROPS_NOTHING,
  },
  printGcSections: {
    group: "link",
    flags: "--print-gc-sections",
    help: "show what --gc-sections discards, and why",
    noEffect: { ...DROPS_NOTHING, unless: ["gcSections"] },
    asks: "report",
  },
  whyLive: {
    group: "link",
    flags: "--why-live <symbol>",
    help: "show what keeps a symbol alive; a name or a pattern",
    parse: collectNames,
    asks: "report",
  },
  detectOdrViolations: {
    group: "link",
    flags: "--detect-odr-violations",
    help: "warn about different .weak definitions of one name",
    sets: ["detectOdrViolations"],
  },
  json: {
    group: "link",
    flags: "--json",
    help: "write the link's diagnostics and reports as one JSON document",
    asks: "report",
  },
  dependencyFile: {
    group: "link",
    flags: "--dependency-file <file>",
    help: "write the inputs as a make rule",
    writes: "file",
    asks: "report",
  },
  jobs: {
    group: "link",
    flags: "-j, --jobs <n>",
    help: "maximum number of threads that assemble large inputs (default: the number of cores, at most 8)",
    parse: positiveNumber,
  },

  libraryPath: {
    group: "inputs",
    flags: "-L, --library-path <folder>",
    help: "add a folder to the search path of -l, also for -l options before it",
    parse: collectFolders,
  },
  library: {
    group: "inputs",
    flags: "-l, --library <name>",
    help: "link with libNAME.a, or with FILE if NAME is :FILE",
    parse: collect,
  },
  // The state that applies to each input is derived from the words (placed-inputs.ts).
  wholeArchive: {
    group: "inputs",
    flags: "--whole-archive",
    help: "link all members of the archives that follow",
    negated: {
      flags: "--no-whole-archive",
      help: "link only the needed members of the archives that follow",
    },
  },
  startLib: {
    group: "inputs",
    flags: "--start-lib",
    help: "link the files that follow only if needed, like archive members",
  },
  endLib: { group: "inputs", flags: "--end-lib", help: "link all files that follow" },
  pushState: { group: "inputs", flags: "--push-state", help: "save the state of --whole-archive" },
  popState: { group: "inputs", flags: "--pop-state", help: "restore the state that --push-state saved" },
  startGroup: {
    group: "inputs",
    flags: "--start-group",
    help: "accepted without effect; archives may always refer to each other",
  },
  endGroup: { group: "inputs", flags: "--end-group", help: "accepted without effect" },

  defsym: {
    group: "names",
    flags: "--defsym <name=symbol>",
    help: "define a name as SYMBOL, SYMBOL+BYTES or an address",
    parse: collecting(parseDefinition),
    outputs: {
      kinds: ["image", "ptx"],
      else: "an object has no aliases of variables, so later links could not use the name: pass --defsym to the link that makes the image",
    },
  },
  wrap: {
    group: "names",
    flags: "--wrap <symbol>",
    help: "resolve references to SYMBOL as __wrap_SYMBOL, and those to __real_SYMBOL as SYMBOL",
    parse: collectSymbols,
    sets: ["wrap"],
  },
  // The order of --export and --localize matters: addLinkOptions collects both as `visibility`.
  export: {
    group: "names",
    flags: "--export <glob>",
    help: "export matching definitions; the last matching --export or --localize applies",
    parse: (text: string) => nonEmpty(text),
  },
  localize: {
    group: "names",
    flags: "--localize <glob>",
    help: "make matching definitions local; kernels only if named in full",
    parse: (text: string) => nonEmpty(text),
  },
  // Options of GNU ld and lld. Without shared libraries, two of them are synonyms of the others.
  unresolvedSymbols: {
    group: "names",
    flags: "--unresolved-symbols <how>",
    help: "how to treat undefined symbols",
    choices: ["report-all", "ignore-all", "ignore-in-object-files", "ignore-in-shared-libs"],
    noEffect: LEAVES_UNDEFINED,
  },
  ignoreUnresolvedSymbol: {
    group: "names",
    flags: "--ignore-unresolved-symbol <glob>",
    help: "allow these symbols to be undefined",
    parse: collectPatterns,
    noEffect: LEAVES_UNDEFINED,
  },
  warnUnresolvedSymbols: {
    group: "names",
    flags: "--warn-unresolved-symbols",
    help: "report undefined symbols as warnings",
    noEffect: LEAVES_UNDEFINED,
    sets: ["warnUndefined"],
  },
  allowMultipleDefinition: {
    group: "names",
    flags: "--allow-multiple-definition",
    help: "report duplicate definitions as warnings, and use the first",
    sets: ["allowDuplicates"],
  },
  warnCommon: {
    group: "names",
    flags: "--warn-common",
    help: "warn if a .common variable is merged with another definition",
    sets: ["warnCommon"],
  },
  stripDebug: {
    group: "names",
    flags: "-S, --strip-debug",
    help: "remove line information, .file entries and DWARF",
    asks: "output",
    sets: ["stripDebug"],
  },
  discardAll: {
    group: "names",
    flags: "-x, --discard-all",
    help: "remove names of static variables that nothing in the image refers to",
    outputs: { kinds: IMAGE_ONLY, else: STATIC_NAMES },
    asks: "output",
    sets: ["discardLocals"],
  },
  stripAll: {
    group: "names",
    flags: "-s, --strip-all",
    help: "same as -S -x",
    outputs: { kinds: IMAGE_ONLY, else: STATIC_NAMES },
    asks: "output",
    sets: ["stripDebug", "discardLocals"],
  },
  emitRelocs: {
    group: "names",
    flags: "-q, --emit-relocs",
    help: "keep the applied relocations, for inspect and other tools",
    outputs: { kinds: FILES, else: "PTX has no relocations: pass --emit-relocs to the link that makes the image" },
    noEffect: {
      with: ["relocatable"],
      why: "with -r, which applies no relocations and keeps all",
      remedy: OF_THE_IMAGE,
    },
    asks: "output",
    sets: ["emitRelocations"],
  },
  debugLine: {
    group: "names",
    flags: "--debug-line",
    help: "generate .debug_line from .loc if there is none, for readelf and other tools",
    outputs: { kinds: IMAGE_ONLY, else: "code keeps its lines: pass --debug-line to the link that makes the image" },
    noEffect: {
      with: ["stripDebug", "stripAll"],
      why: "with --strip-debug, which removes line information",
      remedy: "use only one of them",
    },
    asks: "output",
    sets: ["lineTables"],
  },
  reverseSections: {
    group: "names",
    flags: "--reverse-sections",
    help: "lay out the modules' data in reverse order, to find code that depends on addresses",
    outputs: { kinds: IMAGE_ONLY, else: DATA_PLACES },
  },
  shuffleSections: {
    group: "names",
    flags: "--shuffle-sections <seed>",
    help: "like --reverse-sections, in a pseudorandom order",
    parse: wholeNumber,
    conflicts: ["reverseSections"],
    outputs: { kinds: IMAGE_ONLY, else: DATA_PLACES },
  },
  symbolOrderingFile: {
    group: "names",
    flags: "--symbol-ordering-file <file>",
    help: "lay out variables and functions in the order of the file, with one name on each line",
    conflicts: ["reverseSections", "shuffleSections"],
    outputs: { kinds: IMAGE_ONLY, else: SYMBOL_PLACES },
  },
  sortSection: {
    group: "names",
    flags: "--sort-section <by>",
    help: "sort variables without another order",
    choices: ["name", "alignment"],
    conflicts: ["reverseSections", "shuffleSections"],
    outputs: { kinds: IMAGE_ONLY, else: SYMBOL_PLACES },
  },

  map: {
    group: "reports",
    flags: "--map <file>",
    help: "write the image's layout and the discarded definitions with reasons; - is standard output",
    writes: "file",
    asks: "report",
  },
  mapFormat: {
    group: "reports",
    flags: "--map-format <format>",
    help: "format of the map (default: json for FILE.json, else text)",
    choices: ["text", "json"],
    noEffect: { unless: ["map"], why: "without --map", remedy: "add --map FILE" },
    asks: "report",
    isLocal: true,
  },
  traceSymbol: {
    group: "reports",
    flags: "-y, --trace-symbol <symbol>",
    help: "show where a symbol is defined, declared and referenced",
    parse: collectNames,
    asks: "report",
  },
  cref: {
    group: "reports",
    flags: "--cref",
    help: "show that of --trace-symbol for every symbol, as a table",
    asks: "report",
  },
  trace: {
    group: "reports",
    flags: "-t, --trace",
    help: "show which files and members are linked, in order",
    asks: "report",
  },
  whyExtract: {
    group: "reports",
    flags: "--why-extract <file>",
    help: "write which archive member was extracted for which symbol; - is standard output",
    writes: "file or report",
    asks: "report",
  },
  printDependencies: {
    group: "reports",
    flags: "--print-dependencies",
    help: "show which module uses which symbol of which other module",
    asks: "report",
  },
  printCallGraph: {
    group: "reports",
    flags: "--print-call-graph",
    help: "show the call graph, the call depth of each kernel, and recursion",
    outputs: { kinds: IMAGE_ONLY, else: NO_PLACES },
    asks: "report",
  },
  printMemoryUsage: {
    group: "reports",
    flags: "--print-memory-usage",
    help: "show the used bytes of each memory, by section",
    outputs: { kinds: IMAGE_ONLY, else: NO_PLACES },
    asks: "report",
  },
  printSymbolCounts: {
    group: "reports",
    flags: "--print-symbol-counts <file>",
    help: "write the numbers of defined and used symbols of each module",
    writes: "file",
    asks: "report",
  },
  stats: {
    group: "reports",
    flags: "--stats",
    help: "show the amount of input, output and used memory",
    asks: "report",
  },
  timeTrace: {
    group: "reports",
    flags: "--time-trace <file>",
    help: "write a time trace for Chrome or Perfetto",
    writes: "file",
    asks: "report",
  },
  buildId: {
    group: "reports",
    flags: "--build-id",
    help: "add a note with a hash of the contents",
    negated: { flags: "--no-build-id", help: "cancel --build-id" },
    outputs: { kinds: FILES, else: "PTX has no notes: pass --build-id to the link that makes the image" },
    asks: "output",
  },
  saveRepro: {
    group: "reports",
    flags: "--save-repro <folder>",
    help: "copy all inputs to a folder, with a response file for the same link",
    writes: "file",
    asks: "report",
  },
  remapInputs: {
    group: "reports",
    flags: "--remap-inputs <from=to>",
    help: "read the file TO instead of FROM",
    parse: collect,
    asks: "report",
    isLocal: true,
  },
} as const satisfies Readonly<Record<string, LinkOptionRow>>;

type Rows = typeof LINK_OPTIONS;
export type LinkOptionName = keyof Rows;

/** The type of Commander's value for an option. */
type ValueOf<Row> = Row extends { readonly parse: (text: string) => infer T }
  ? T extends readonly (infer Item)[]
    ? readonly Item[]
    : T
  : Row extends { readonly choices: readonly (infer C)[] }
    ? C
    : Row extends { readonly flags: `${string}<${string}>` }
      ? string
      : boolean;

/** The options of a command line, by key. */
export type LinkOptionValues = { readonly [Name in LinkOptionName]?: ValueOf<Rows[Name]> };
