// Colours of the page that charts use.

/** Colours of the page's current style. */
export interface Colours {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly panel: string;
  readonly series: readonly string[];
}
