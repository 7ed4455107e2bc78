import type { DecisionMethod } from "../api/decisions/options.ts";
import type { Distribution } from "./distribution.ts";

/** How an answer came about, next to its distribution. */
export interface Readout {
  readonly method: DecisionMethod;
  /** Share of the first token that the labels had together. */
  readonly mass?: number | undefined;
  /** Orders of the options that the distribution is the mean of. */
  readonly orders?: number | undefined;
  /** The map that the distribution went through. */
  readonly calibration?: AppliedCalibration | undefined;
  /** The models (`provider/model`) that the distribution is the mean of. */
  readonly voters?: readonly string[] | undefined;
  /** Why and whom the question was asked again. */
  readonly escalated?: EscalatedQuestion | undefined;
}

/** A calibration map, as answers name it. */
export interface AppliedCalibration {
  readonly name: string;
  readonly version: number;
  readonly kind: "temperature" | "platt";
}

/** A question that was asked again, since its best two options were close. */
export interface EscalatedQuestion {
  /** Who answered now (`provider/model`). */
  readonly model: string;
  /** Who answered before. */
  readonly from: string;
  /** Difference of the best two options before. */
  readonly margin: number;
}

/** A question with a probability for each of its options. */
export interface DecidedQuestion extends Readout {
  readonly kind: "decided";
  readonly distribution: Distribution;
}

/** A question about a place in a picture; edges from 0 to 1, from the upper left corner. */
export interface LocatedQuestion extends Readout {
  readonly kind: "located";
  readonly box: Box;
  readonly confidence: number | undefined;
}

/** A question that the model declined to answer; the others stand. */
export interface RefusedQuestion extends Readout {
  readonly kind: "refused";
}

/** What became of a question. */
export type QuestionOutcome = DecidedQuestion | LocatedQuestion | RefusedQuestion;

/** A place in a picture. */
export interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}
