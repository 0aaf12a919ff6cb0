// The three directives at the head of a module: .version, .target, .address_size. PTX ISA 9.0 sections 11.1.1 to 11.1.3.

import { parseTarget, versionText, type PtxVersion, type Target } from "../isa/requirement.js";
import { knownTarget, newestVersion } from "../isa/targets.table.js";
import type { Module, ModuleItem, TargetDirective } from "../ptx/tree.js";
import type { Reporter } from "./reporter.js";

export interface Header {
  readonly version: PtxVersion;
  readonly target: Target;
  readonly targetOptions: readonly string[];
}

/** Used after an error, so that the rest of the module is still checked: nothing is then too new. */
const assumed: Header = {
  version: newestVersion,
  target: { name: "sm_121a", sm: 121, suffix: "a" },
  targetOptions: [],
};

const options: ReadonlySet<string> = new Set(["texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"]);

export function checkHeader(module: Module, reporter: Reporter): Header {
  const [first, second] = module.items;
  if (first?.kind !== "version") {
    reporter.report("missing-header", first ?? { start: 0, end: 0 }, "a PTX module begins with .version", {
      remedy: "write, for example, .version 8.5",
    });
    return assumed;
  }
  const version = first.major * 10 + first.minor;
  if (version > newestVersion || version < 10) {
    reporter.report(
      "unsupported-version",
      first,
      `PTX ISA ${versionText(version)} is not known; versions 1.0 to ${versionText(newestVersion)} are`,
    );
  }
  if (second?.kind !== "target") {
    reporter.report("missing-header", second ?? first, "behind .version comes .target", {
      remedy: "write, for example, .target sm_80",
    });
    return { ...assumed, version: Math.min(version, newestVersion) };
  }
  let target: Target | undefined;
  const targetOptions: string[] = [];
  for (const name of second.names) {
    const parsed = name.text.startsWith("sm_") || name.text.startsWith("compute_") ? parseTarget(name.text) : undefined;
    if (parsed !== undefined) {
      const known = knownTarget(parsed.name);
      if (known === undefined) reporter.report("unsupported-target", name, `there is no target '${name.text}'`);
      else if (version < known.since) {
        reporter.report(
          "target-version",
          name,
          `${name.text} needs PTX ISA ${versionText(known.since)}; this module is ${versionText(version)}`,
          {
            remedy: `write .version ${versionText(known.since)}`,
          },
        );
      }
      target = parsed;
    } else if (options.has(name.text)) targetOptions.push(name.text);
    else reporter.report("unsupported-target", name, `there is no target '${name.text}'`);
  }
  if (target === undefined) {
    reporter.report("unsupported-target", second, ".target names no architecture", {
      remedy: "write, for example, .target sm_80",
    });
    target = assumed.target;
  }
  checkRepeats(module.items, reporter);
  return { version, target, targetOptions };
}

/** A `.target` inside a function body, which changes nothing: its names exist, that is all. */
export function checkTargetNames(directive: TargetDirective, reporter: Reporter): void {
  for (const name of directive.names) {
    const parsed = parseTarget(name.text);
    if (parsed === undefined ? !options.has(name.text) : knownTarget(parsed.name) === undefined)
      reporter.report("unsupported-target", name, `there is no target '${name.text}'`);
  }
}

function checkRepeats(items: readonly ModuleItem[], reporter: Reporter): void {
  items.forEach((item, i) => {
    if (item.kind === "version" && i > 0)
      reporter.report("missing-header", item, ".version stands once, at the beginning");
    if (item.kind === "address-size" && item.bits !== 64n) {
      reporter.report("unsupported-target", item, `.address_size ${item.bits}: only 64-bit modules are supported`, {
        remedy: "compile for 64 bits; ptxas dropped 32-bit code too",
      });
    }
  });
}
