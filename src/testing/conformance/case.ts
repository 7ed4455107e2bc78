/**
 * One rule of a port and the check of it, for whatever runs tests. `run` is given an adapter that holds nothing yet, and rejects
 * with an AssertionError when the rule does not hold.
 */
export interface ConformanceCase<Subject> {
  /** The rule in a sentence. */
  readonly title: string;
  run(subject: Subject): Promise<void>;
}
