// ptxkit inspect: what is in a file.

import type { crossCheck } from "../../formats/elf/elfy-witness.js";
import { NotYet } from "../../lib/base/not-yet.js";
import { inspectFile, VIEWS, type Inspection, type ViewName } from "../../lib/inspect/inspect.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { inSession, type CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import { readSource } from "../inputs.js";
import { status, type Status } from "../status.js";
import { version } from "../version.js";

export interface InspectOptions extends CommonOptions, Partial<Readonly<Record<ViewName, boolean>>> {
  readonly json?: boolean;
  readonly crossCheck?: boolean;
}

export function inspect(file: string, options: InspectOptions, host: Host): Promise<Status> {
  return inSession(host, options, async (session) => {
    const views = VIEWS.filter((view) => options[view] === true);
    const witness = options.crossCheck === true ? { witness: await elfyWitness() } : {};
    const result = inspectFile(readSource(file, session), { views, ...witness }, session.sink);
    if (result.kind === "unsupported") throw new NotYet(result.reason);
    if (result.kind === "inspected") {
      const { inspection } = result;
      const style = session.outColor ? ansiStyler : plainStyler;
      host.out(
        options.json === true ? jsonText(inspection) : renderInspection(inspection, { width: host.outColumns, style }),
      );
    }
    return status.done;
  });
}

/** Loaded only when asked for: it brings a package of its own. */
async function elfyWitness(): Promise<typeof crossCheck> {
  return (await import("../../formats/elf/elfy-witness.js")).crossCheck;
}

function jsonText(inspection: Inspection): string {
  return `${JSON.stringify({ ptxkit: { version: version() }, ...inspection }, undefined, 2)}\n`;
}
