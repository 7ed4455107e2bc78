import { z } from "zod";
import { Reasoning } from "../chat.ts";
import { ModelName } from "../common.ts";

/** `state` and `instructions`: text, an object, an array or null; numbers and booleans are refused. */
export const Situation = z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())], {
  error: "must be a string, an object, an array or null",
});

/** Ways in which a model answers a question. */
export const DecisionMethod = z.enum(["native", "tokens", "tool"]);
export type DecisionMethod = z.infer<typeof DecisionMethod>;

/** Most orders of the options that one question is asked in: the rotations of twenty options, forwards and backwards. */
const mostOrders = 40;

/** A case with its right answers by the name of the question: options as they are named, levels by label or position. */
const Example = z.looseObject({
  state: Situation.nullish(),
  answers: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])),
});

/** Models that vote besides the one that is asked. */
const mostVoters = 7;

/** How a decision whose best two options are close is asked again. */
const Escalate = z
  .strictObject({
    /** The model that is asked then; the one that answered unless given, which needs `reasoning`. */
    model: ModelName.optional(),
    /** How it reasons before it answers, by tool then. */
    reasoning: Reasoning.optional(),
    /** Questions whose best two options differ by less are asked again; 0.2 unless given. */
    margin: z.number().min(0).max(1).optional(),
    /** Share of the last thousand decisions that may be asked again; 0.1 unless given. */
    max_share: z.number().min(0).max(1).optional(),
    /** Dollars that this may cost over the last thousand decisions; no bound of its own unless given. */
    max_cost: z.number().min(0).max(9_000_000).optional(),
  })
  .refine(
    ({ model, reasoning }) => model !== undefined || reasoning !== undefined,
    "takes a `model`, `reasoning` or both",
  );

/** How questions are asked; a calibration map holds for one way. */
export const askingOptions = {
  /** The only way to ask; the model's own choice unless given. */
  method: DecisionMethod.optional(),
  /** The least share of the first token that its labels must have together, else the next way is taken; 0.5 unless given. */
  min_mass: z.number().min(0).max(1).optional(),
  /** What the options are called in the prompt: letters, or their own words; `letters` unless given. */
  labels: z.enum(["letters", "words"]).optional(),
  /** The most orders of its options that each question is asked in; the answer is their mean. 1 unless given. */
  permutations: z.int().min(1).max(mostOrders).optional(),
  /** Divides by what the model answers about an empty state. */
  prior: z.boolean().optional(),
  examples: z.array(Example).max(64).optional(),
};

/** What a request for decisions may say of how the questions are asked; every model is asked so, whatever its vendor. */
export const decisionOptions = {
  ...askingOptions,
  /** An answer whose best option is less likely than this is `abstained`. */
  threshold: z.number().min(0).max(1).optional(),
  /** `false` gives the model's own probabilities, also where a calibration map is stored for it. */
  calibration: z.boolean().optional(),
  /** Models that answer along with `model`, each once; the answer is the mean of their distributions. */
  votes: z.array(ModelName).min(1).max(mostVoters, `takes at most ${mostVoters} models`).optional(),
  /** The fewest models that must have answered, `model` among them; more than half of them unless given. */
  min_votes: z
    .int()
    .min(1)
    .max(mostVoters + 1)
    .optional(),
  escalate: Escalate.optional(),
};
