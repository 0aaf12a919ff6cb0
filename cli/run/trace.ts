// Implements `run --trace FILE`. In a file of its own, because it is loaded on demand.

import { konataLog } from "../../lib/report/trace-konata.js";
import { perfettoTrace } from "../../lib/report/trace-perfetto.js";
import type { TimedLaunch } from "../../lib/report/timing-text.js";
import type { EventOptions } from "../../lib/timing/sm/events.js";
import type { Host } from "../files/host.js";
import { writeTogether } from "../files/outputs.js";
import { chunksOf } from "../files/stream.js";

export type TraceFormat = "perfetto" | "konata";

export interface TraceOptions {
  readonly trace?: string;
  readonly traceFormat?: TraceFormat;
  readonly traceSms?: readonly number[];
  readonly traceLimit?: number;
}

/** Default of --trace-limit: number of waits and issues of warps that are written; some 30 MB of JSON. */
const SPANS = 200_000;

/** The events to record; undefined without a trace. */
export const traceEvents = ({ trace, traceSms, traceLimit }: TraceOptions): EventOptions | undefined =>
  trace === undefined ? undefined : { sms: traceSms ?? [0], limit: traceLimit ?? SPANS };

/** Writes the trace; if it is incomplete, a line on standard error says so. */
export function writeTrace({ trace, traceFormat }: TraceOptions, launches: readonly TimedLaunch[], host: Host): void {
  if (trace === undefined) return;
  const format = traceFormat ?? (/\.(kanata|log)$/i.test(trace) ? "konata" : "perfetto");
  const parts = format === "konata" ? konataLog(launches) : perfettoTrace(launches);
  writeTogether(host, (host) => host.write(trace, chunksOf(parts)));
  if (launches.some(({ timing }) => timing.events?.isCut === true))
    host.err(`ptxkit: note: ${trace} ends before the run does: --trace-limit is reached\n`);
}
