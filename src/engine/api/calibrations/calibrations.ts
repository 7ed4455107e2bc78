import { z } from "zod";
import { ModelName } from "../common.ts";
import { askingOptions, DecisionMethod, Situation } from "../decisions/options.ts";
import { MapQuestions } from "../decisions.ts";

const CalibrationKind = z.enum(["temperature", "platt"]);

/** How good probabilities are, on labelled answers; less is better. */
const CalibrationScores = z.object({
  /** Mean of −ln p of the right option. */
  log_loss: z.number(),
  /** Mean of Σ (p − truth)² over the options. */
  brier: z.number(),
  /** Expected calibration error of the likeliest option, in ten bins. */
  ece: z.number(),
});

/** Scores on answers that a fit has not seen; `none` are the model's own probabilities. */
const HeldOut = z.object({
  none: CalibrationScores,
  temperature: CalibrationScores.optional(),
  platt: CalibrationScores.optional(),
});

/** A stored calibration map: of one model, one question and one way of asking it. */
export const Calibration = z.object({
  id: z.string(),
  name: z.string(),
  /** 1 for the first, one more each time it is fitted again. */
  version: z.int(),
  /** `provider/model`. */
  model: z.string(),
  /** The name that the question had. */
  question: z.string(),
  method: DecisionMethod,
  kind: CalibrationKind,
  /** Factor of the logarithm of a probability: 1 divided by the temperature. */
  slope: z.number(),
  /** Added to it, by option; all 0 for a temperature. */
  biases: z.array(z.number()),
  /** Labelled answers that it was fitted to. */
  items: z.int(),
  held_out: HeldOut,
  created_at: z.string(),
  updated_at: z.string(),
});
export type Calibration = z.infer<typeof Calibration>;

/** A case with its right answers by the name of the question, as in `examples` of a decision. */
const CalibrationCase = z.strictObject({
  state: Situation.nullish(),
  answers: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])),
  /** Answers that the model gave before, as `/v1/decisions` has them in the map form; it is asked for the others. */
  recorded: z.record(z.string(), z.unknown()).optional(),
});

/** Labelled answers that one fit may read. */
const mostCases = 10_000;

/** Fits calibration maps of a model to labelled answers, one for each question. */
export const CalibrationRequest = z.strictObject({
  model: ModelName,
  questions: MapQuestions,
  cases: z.array(CalibrationCase).min(1).max(mostCases),
  /** What answers call the map; the name of the question unless given. */
  name: z.string().min(1).max(100).optional(),
  /** The only kind to fit; the one with the least log loss on held-out answers unless given. */
  kind: CalibrationKind.optional(),
  ...askingOptions,
});
export type CalibrationRequest = z.infer<typeof CalibrationRequest>;

/** What came of the labelled answers to one question by one way of asking. */
export interface CalibrationReport {
  /** Name of the question. */
  readonly question: string;
  readonly method: z.infer<typeof DecisionMethod>;
  /** Labelled answers; those that the model declined, or that could not be read, are not among them. */
  readonly items: number;
  /** The stored map; absent where the model's own probabilities are best, or answers are too few. */
  readonly calibration?: Calibration | undefined;
  /** Absent where answers are too few to fit anything. */
  readonly held_out?: z.infer<typeof HeldOut> | undefined;
}

/** What came of a request. */
export interface CalibrationResult {
  readonly reports: readonly CalibrationReport[];
  /** Cases that the model did not answer, with the reason, at most ten of them. */
  readonly failures: readonly { readonly case: number; readonly message: string }[];
  /** All of them. */
  readonly failed: number;
}
