// Colours that the charts take of the page.

/** Colours of the page, as its style has them at the time. */
export interface Colours {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly panel: string;
  readonly series: readonly string[];
}
