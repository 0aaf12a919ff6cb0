// Checks the three directives at the start of a module: .version, .target, .address_size. PTX ISA 9.0 sections 11.1.1 to 11.1.3.

import { nearest } from "../base/nearest.js";
import { parseTarget, versionText, type Target } from "../isa/requirement.js";
import { isVersion, knownTarget, newestVersion, targets, type PtxVersion } from "../isa/targets.table.js";
import type { AddressSizeDirective, Name, Outline, TargetDirective, VersionDirective } from "../ptx/tree.js";
import { targetWords } from "../ptx/words.table.js";
import { addressUse, type AddressSize, type AddressUse } from "./address-size.js";
import { requireFeature } from "./require.js";
import type { Reporter } from "./reporter.js";

export interface Header {
  readonly version: PtxVersion;
  readonly target: Target;
  readonly targetOptions: readonly string[];
  /** Line of .target, from 1; 0 if there is none. */
  readonly targetLine: number;
  /** See Platform. */
  readonly convention: boolean;
  readonly conventionInCalls: boolean;
  readonly addresses: AddressUse;
}

/** Assumed after an error, so that the rest of the module is still checked; no feature is then too new. */
const assumed: Header = {
  version: newestVersion,
  target: { name: "sm_121a", sm: 121, suffix: "a" },
  targetOptions: [],
  targetLine: 0,
  convention: true,
  conventionInCalls: true,
  addresses: addressUse(64),
};

/**
 * Reads the header. The parser has reported missing directives. `size` is the address size found in code, if the module does not
 * declare it.
 */
export function checkHeader(
  module: Outline,
  reporter: Reporter,
  assumesVersion = false,
  size: AddressSize | undefined = undefined,
): Header {
  const [first, second] = module.items;
  if (first?.kind !== "version") return assumed;
  const written = first.major * 10 + first.minor;
  const known = first.minor < 10 && isVersion(written);
  const isNewer = written > newestVersion;
  const isAssumed = isNewer && assumesVersion;
  if (!known) reportVersion(first, isNewer, isAssumed, reporter);
  let version = known ? written : newestVersion;
  if (second?.kind !== "target") return { ...assumed, version };
  let target: Target | undefined;
  const targetOptions: string[] = [];
  for (const name of second.names) {
    const parsed = /^(?:sm|compute)_/.test(name.text) ? parseTarget(name.text) : undefined;
    if (parsed !== undefined) {
      // The target's own version is reported once; features that are too new as a consequence are not.
      if (known || isAssumed) version = Math.max(version, checkTargetVersion(name, parsed, version, module, reporter));
      target = parsed;
    } else if (targetWords.has(name.text)) targetOptions.push(name.text);
    else reportNoTarget(name, reporter);
  }
  if (target === undefined) {
    if (targetOptions.length === second.names.length) {
      reporter.report("unsupported-target", second, ".target names no architecture", {
        remedy: "write, for example, .target sm_80",
      });
    }
    target = assumed.target;
  }
  const [firstName] = second.names;
  if (targetOptions.length < second.names.length && targetWords.has(firstName!.text))
    reporter.report("unsupported-target", firstName!, `'${firstName!.text}' comes before the architecture`, {
      remedy: `write the architecture first: .target ${target.name}, ${firstName!.text}`,
    });
  const header = {
    version,
    target,
    targetOptions,
    targetLine: reporter.line(second.start),
    ...conventionOf(module, version),
    addresses: addressUse(statedSize(module) ?? size),
  };
  checkOptions(second, header, reporter);
  checkAddressSizes(module, header, reporter);
  return header;
}

/** Reports a version that is newer than any known one, or that never existed. */
function reportVersion(at: VersionDirective, isNewer: boolean, isAssumed: boolean, reporter: Reporter): void {
  const written = `${at.major}.${at.minor}`;
  const newest = versionText(newestVersion);
  if (isAssumed)
    reporter.report("assumed-version", at, `PTX ISA ${written} is read as ${newest}, the newest that ptxkit knows`);
  else if (isNewer)
    reporter.report("unsupported-version", at, `PTX ISA ${written} is newer than ptxkit knows (${newest})`, {
      remedy: `pass --assume-version to read it as ${newest}, or compile it with an older compiler`,
    });
  else reporter.report("unsupported-version", at, `there is no PTX ISA ${written}`);
}

/**
 * Finds modules without a calling convention, which allow registers of any type as parameters. ptxas compiles as a whole modules
 * with a function of several results, and older ones with .reg or .local variables at module scope. In other older modules
 * functions may have such parameters, as long as nothing calls them.
 */
function conventionOf({ items }: Outline, version: PtxVersion): Pick<Header, "convention" | "conventionInCalls"> {
  const conventionInCalls = !items.some(isWithoutConvention);
  return { convention: conventionInCalls && version >= firstWithConvention, conventionInCalls };
}

const firstWithConvention = 30;

function isWithoutConvention(item: Outline["items"][number]): boolean {
  if (item.kind === "function") return item.returns.length > 1;
  return item.kind === "variable" && (item.type.space === "reg" || item.type.space === "local");
}

/** The version for further checks: the target's first version, if the module's is older, which is reported. */
function checkTargetVersion(
  name: Name,
  target: Target,
  version: PtxVersion,
  { items }: Outline,
  reporter: Reporter,
): PtxVersion {
  const known = knownTarget(target.name);
  if (known === undefined) {
    reportNoTarget(name, reporter);
    return version;
  }
  // ptxas reports it at the first item after the header.
  if (version >= known.since || items.every(({ kind }) => head.has(kind))) return version;
  const needed = versionText(known.since);
  reporter.report(
    "target-version",
    name,
    `${name.text} needs PTX ISA ${needed}; this module is ${versionText(version)}`,
    { remedy: `write .version ${needed}` },
  );
  return known.since;
}

function reportNoTarget(name: Name, reporter: Reporter): void {
  const near = nearest(name.text, [...targets.map((target) => target.name), ...targetWords]);
  const details = near.length === 0 ? {} : { remedy: `did you mean ${near.join(" or ")}?`, replacements: near };
  reporter.report("unsupported-target", name, `there is no target '${name.text}'`, details);
}

const head: ReadonlySet<string> = new Set(["version", "target", "address-size"]);

function checkOptions({ names }: TargetDirective, header: Header, reporter: Reporter): void {
  const unified = names.find(({ text }) => text === "texmode_unified");
  if (unified !== undefined && header.targetOptions.includes("texmode_independent")) {
    reporter.report("unsupported-target", unified, "texmode_unified and texmode_independent exclude each other");
  }
  for (const name of names) {
    requireFeature(name.text, name, header, reporter);
    if (name.text === "map_f64_to_f32" && header.target.sm >= 13) {
      reporter.report("unsupported-target", name, "map_f64_to_f32 is for targets without double precision only");
    }
  }
}

const isAddressSize = (item: Outline["items"][number]): item is AddressSizeDirective => item.kind === "address-size";

/** The address size that the module declares: its first valid .address_size. */
export function statedSize({ items }: Outline): AddressSize | undefined {
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if (isAddressSize(item) && (item.bits === 32n || item.bits === 64n)) return item.bits === 32n ? 32 : 64;
  }
  return undefined;
}

function checkAddressSizes({ items }: Outline, header: Header, reporter: Reporter): void {
  const stated = items.filter(isAddressSize);
  for (const item of stated) {
    requireFeature(".address_size", item, header, reporter);
    const { bits } = item;
    if (bits !== 32n && bits !== 64n) {
      reporter.report("unsupported-target", item, `.address_size ${bits}: addresses have 32 or 64 bits`, {
        remedy: "write .address_size 64",
      });
    } else if (bits !== stated[0]!.bits && header.addresses.size !== Number(bits)) {
      reporter.report(
        "unsupported-target",
        item,
        `.address_size ${bits} in a module of .address_size ${stated[0]!.bits}`,
        {
          remedy: "a module has one size of addresses: leave one of them out",
        },
      );
    }
  }
}

/** Checks a `.target` inside a function body. It has no effect; only its names must exist. */
export function checkTargetNames(directive: TargetDirective, reporter: Reporter): void {
  for (const name of directive.names) {
    const parsed = parseTarget(name.text);
    if (parsed === undefined ? !targetWords.has(name.text) : knownTarget(parsed.name) === undefined)
      reportNoTarget(name, reporter);
  }
}
