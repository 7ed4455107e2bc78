import { z } from "zod";
import { counted, ExtraFields, Fallbacks, ModelName } from "./common.ts";
import { DecisionMethod, decisionOptions, Situation } from "./decisions/options.ts";
import { DecisionInput } from "./decisions/parts.ts";
import { Usage } from "./usage.ts";

/** Questions of one request (inference-resolved.md, section 10). */
const mostQuestions = 128;
const questionCount = `takes 1 to ${mostQuestions} questions`;
const optionBound = "a choice takes 1 to 255 options";
const levelBound = "a score takes 2 to 10 levels";

const isUnique = (names: readonly unknown[]) => new Set(names).size === names.length;

const Criteria = z.looseObject({ true: z.string().nullish(), false: z.string().nullish() });

/** A question of the map form. */
export const MapQuestion = z.preprocess(
  (question) => {
    if (typeof question !== "object" || question === null || !("type" in question) || "kind" in question)
      return question;
    const { type, ...rest } = question;
    return { ...rest, kind: type };
  },
  z.discriminatedUnion("kind", [
    z.looseObject({ kind: z.literal("noul"), instructions: Situation.nullish(), criteria: Criteria.nullish() }),
    z.looseObject({
      kind: z.literal("choice"),
      instructions: Situation.nullish(),
      criteria: counted(
        z.record(z.string(), z.string().nullable()),
        { minProperties: 1, maxProperties: 255 },
        optionBound,
      ),
    }),
    z.looseObject({
      kind: z.literal("score"),
      instructions: Situation.nullish(),
      criteria: z
        .array(z.string())
        .min(2, levelBound)
        .max(10, levelBound)
        .refine(isUnique, "levels must differ")
        .meta({ uniqueItems: true }),
    }),
    z.looseObject({ kind: z.literal("box"), instructions: Situation.nullish() }),
  ]),
);
export type MapQuestion = z.infer<typeof MapQuestion>;

/** Questions by name. */
export const MapQuestions = counted(
  z.record(z.string(), MapQuestion),
  { minProperties: 1, maxProperties: mostQuestions },
  questionCount,
);

/** A picture that a state refers to by its name. */
const DecisionAsset = z.looseObject({
  type: z.literal("image"),
  /** `png`, `jpeg`, `webp`; `png` unless given. */
  format: z.string().optional(),
  /** The file in base64. */
  data_base64: z.string().optional(),
  /** A data URL or an address, in place of `data_base64`. */
  url: z.string().optional(),
});

/** Map form: questions by name, answers by name (inference-resolved.md, section 10). */
export const DecisionMapRequest = z.looseObject({
  model: ModelName,
  state: Situation.nullish(),
  questions: MapQuestions,
  /** Pictures that the questions are about, as data URLs or addresses. */
  images: z.array(z.string()).max(64).optional(),
  /** Pictures by name. */
  assets: z.record(z.string(), DecisionAsset).optional(),
  fallbacks: Fallbacks.optional(),
  ...decisionOptions,
});
export type DecisionMapRequest = z.infer<typeof DecisionMapRequest>;

const named = { name: z.string().min(1).optional(), instructions: Situation.nullish() };
const OptionChoice = z.looseObject({ value: z.union([z.string(), z.boolean()]), description: z.string().nullish() });
const Level = z.looseObject({ label: z.string(), description: z.string().nullish() });

const DecisionListQuestion = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("predicate"), ...named, criteria: Criteria.nullish() }),
  z.looseObject({
    type: z.literal("choice"),
    ...named,
    choices: z
      .array(OptionChoice)
      .min(1, optionBound)
      .max(255, optionBound)
      .refine((all) => isUnique(all.map((option) => option.value)), "options must differ"),
  }),
  z.looseObject({
    type: z.literal("score"),
    ...named,
    levels: z
      .array(Level)
      .min(2, levelBound)
      .max(10, levelBound)
      .refine((all) => isUnique(all.map((level) => level.label)), "levels must differ"),
  }),
]);
export type DecisionListQuestion = z.infer<typeof DecisionListQuestion>;

/** List form: questions in order, answers in the same order; a missing name becomes `question_<n>`. */
export const DecisionListRequest = z.looseObject({
  model: ModelName,
  input: z.union([z.string(), z.array(DecisionInput)]),
  questions: z
    .array(DecisionListQuestion)
    .min(1, questionCount)
    .max(mostQuestions, questionCount)
    .refine((all) => isUnique(all.map((each, n) => each.name ?? `question_${n}`)), "names must differ"),
  fallbacks: Fallbacks.optional(),
  ...decisionOptions,
});
export type DecisionListRequest = z.infer<typeof DecisionListRequest>;

/** Body of `POST /v1/decisions`, in either form. */
export const DecisionRequest = z.union([DecisionListRequest, DecisionMapRequest]);
export type DecisionRequest = z.infer<typeof DecisionRequest>;

const probability = z.number().min(0).max(1);
const distribution = z.record(z.string(), probability);

/** How an answer came about: on every answer, in either form. */
const readout = {
  /** How the model was asked. */
  method: DecisionMethod.optional(),
  /** Share of the first token that the labels had together, before they were made to sum to 1; of answers by `tokens`. */
  mass: probability.optional(),
  /** Orders of the options that the answer is the mean of, where there are several. */
  orders: z.int().optional(),
  /** The best option is less likely than the `threshold` of the request. */
  abstained: z.boolean().optional(),
  /** The map that the probabilities went through: fitted to labelled answers of the same model to the same question. */
  calibration: z.looseObject({ name: z.string(), version: z.int(), kind: z.enum(["temperature", "platt"]) }).optional(),
  /** The models that the answer is the mean of. */
  voters: z.array(z.string()).optional(),
  /** The question was asked again: the model that answered now, the one before, and how close its best two options were. */
  escalated: z.looseObject({ model: z.string(), from: z.string(), margin: z.number() }).optional(),
};

const edge = z.number().min(0).max(1);
const Box = z.looseObject({ top: edge, left: edge, bottom: edge, right: edge });

export const MapAnswer = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("noul"), value: probability, ...readout }),
  z.looseObject({ kind: z.literal("box"), value: Box, confidence: z.number().optional(), ...readout }),
  z.looseObject({ kind: z.literal("refusal"), ...readout }),
  z.looseObject({
    kind: z.literal("choice"),
    value: z.string(),
    confidence: z.number(),
    probabilities: distribution,
    ...readout,
  }),
  z.looseObject({
    kind: z.literal("score"),
    value: z.number(),
    confidence: z.number(),
    probabilities: distribution,
    legend: z.record(z.string(), z.string()),
    ...readout,
  }),
]);
export type MapAnswer = z.infer<typeof MapAnswer>;

const ValueProbability = z.looseObject({
  value: z.union([z.string(), z.boolean(), z.number()]),
  label: z.string().optional(),
  probability,
});
const distributionFields = {
  name: z.string(),
  probabilities: z.array(ValueProbability),
  confidence: z.number().optional(),
  ...readout,
};

const ListAnswer = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("predicate"), ...distributionFields, probability }),
  z.looseObject({ type: z.literal("choice"), ...distributionFields, choice: z.union([z.string(), z.boolean()]) }),
  z.looseObject({ type: z.literal("score"), ...distributionFields, score: z.number() }),
  z.looseObject({ type: z.literal("refusal"), name: z.string(), ...readout }),
]);
export type ListAnswer = z.infer<typeof ListAnswer>;

/** Answers in the form of the question. */
export const DecisionResponse = z.looseObject({
  id: z.string(),
  model: z.string(),
  answers: z.union([z.array(ListAnswer), z.record(z.string(), MapAnswer)]),
  usage: Usage.optional(),
  extra_fields: ExtraFields.optional(),
});
export interface DecisionResponse extends z.infer<typeof DecisionResponse> {}
