// What a hardware suite answers: how many recorded results were tried, and which differ. The records are an H200's
// (testdata/hardware/h200, whose READMEs give the formats); `--records` names another folder of the same layout.

/** Outcome of one group of records: an operation, an instruction, a program. */
export interface Outcome {
  readonly name: string;
  /** Recorded results that were compared, and those that ptxkit's are equal to. */
  readonly compared: number;
  readonly equal: number;
  /** The first difference, or why nothing could be compared. */
  readonly difference?: string;
  /** Set where agreement is welcome and not required (records of class `quirk`): shown, never a failure. */
  readonly optional?: boolean;
}

export interface SuiteOptions {
  /** Folder of the suite's records. */
  readonly folder: string;
  /** Both engines must agree with the records; a suite runs each that it names. */
  readonly engines: readonly ("reference" | "fast")[];
  /** Only groups whose name contains this. */
  readonly filter: string;
  /** Try one group in so many: for the sample in `npm test`. */
  readonly every: number;
  /** Everything, where the reference engine tries a sample otherwise: hours. */
  readonly whole?: boolean;
}

export interface Suite {
  readonly name: string;
  readonly title: string;
  readonly run: (options: SuiteOptions) => AsyncIterable<Outcome> | Iterable<Outcome>;
}
