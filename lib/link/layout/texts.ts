// Pass: which functions' code goes into the image: that of every symbol that was chosen, in command-line order. The code
// of a weak definition that lost is left out, because nothing can refer to it. docs/linking.md, "Layout".

/** One function's code that is kept. */
export interface KeptText {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's sections. */
  readonly section: number;
  /** Index among the merged symbols of the function whose code it is. */
  readonly symbol: number;
}
