// What the design has and this version has not: said plainly, with status 2, and never mistaken for a fault of the input.

/** Something that a later version brings; the message names it. */
export class NotYet extends Error {
  override readonly name = "NotYet";
  /** What helps instead, where that is more than leaving out what was asked for. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}
