// The interface of a hardware suite: how many recorded results were compared, and which differ. The records are an
// H200's (testdata/hardware/h200, whose READMEs describe the formats); `--records` names another folder with the same
// layout.

/** Outcome of one group of records: an operation, an instruction, a program. */
export interface Outcome {
  readonly name: string;
  /** Recorded results that were compared, and those that ptxkit's equal. */
  readonly compared: number;
  readonly equal: number;
  /** The first difference, or why nothing could be compared. */
  readonly difference?: string;
  /** Set for records of class `quirk`: differences are shown, but are no failure. */
  readonly optional?: boolean;
}

export interface SuiteOptions {
  /** Folder of the suite's records. */
  readonly folder: string;
  /** Engines to compare with the records. */
  readonly engines: readonly ("reference" | "fast")[];
  /** Only groups whose name contains this. */
  readonly filter: string;
  /** Takes one group in that many: for the sample in `npm test`. */
  readonly every: number;
  /** Everything, also where the reference engine usually takes a sample: hours. */
  readonly whole?: boolean;
}

export interface Suite {
  readonly name: string;
  readonly title: string;
  readonly run: (options: SuiteOptions) => AsyncIterable<Outcome> | Iterable<Outcome>;
}
