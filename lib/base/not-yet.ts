// Reports features that are designed and not yet implemented, with status 2 instead of as an error of the input.

/** Thrown for an unimplemented feature, which the message names. */
export class NotYet extends Error {
  override readonly name = "NotYet";
  /** The remedy, if it is more than omitting the feature. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}
