// Features that the design has and this version lacks: reported as such, with status 2, and not as a fault of the input.

/** Something that a later version brings; the message names it. */
export class NotYet extends Error {
  override readonly name = "NotYet";
  /** The remedy, if it is more than omitting the feature. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}
