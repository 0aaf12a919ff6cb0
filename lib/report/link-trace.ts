// The time profile of a link in the trace-event format of Chrome and Perfetto ("Trace Event Format", complete events). The caller
// measures times; this file only formats spans. Times are milliseconds from any start.

export interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Shown when the span is selected. */
  readonly detail?: string;
}

/** One JSON document. Nested spans are drawn below their parents. */
export function linkTrace(spans: readonly Span[]): string {
  const origin = spans.reduce((least, { start }) => Math.min(least, start), Infinity);
  const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000);
  const traceEvents = [
    { name: "process_name", ph: "M", pid: 1, tid: 1, args: { name: "ptxkit link" } },
    ...spans.map(({ name, start, end, detail }) => ({
      name,
      cat: "link",
      ph: "X",
      pid: 1,
      tid: 1,
      ts: microseconds(start - origin),
      dur: microseconds(end - start),
      ...(detail === undefined ? {} : { args: { detail } }),
    })),
  ];
  return `${JSON.stringify({ displayTimeUnit: "ms", traceEvents }, undefined, 1)}\n`;
}
