import { z } from "zod";
import { counted, ExtraFields, Fallbacks, ModelName } from "./common.ts";
import { Usage } from "./usage.ts";

/** `state` and `instructions`: text, an object, an array or null; numbers and booleans are refused. */
const Situation = z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())], {
  error: "must be a string, an object, an array or null",
});

const questionCount = "at least one question is needed";
const optionBound = "a choice takes 1 to 255 options";
const levelBound = "a score takes 2 to 10 levels";

const isUnique = (names: readonly unknown[]) => new Set(names).size === names.length;

const Criteria = z.looseObject({ true: z.string().nullish(), false: z.string().nullish() });

const MapQuestion = z.preprocess(
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
  ]),
);
export type MapQuestion = z.infer<typeof MapQuestion>;

/** Map form: questions by name, answers by name (inference-resolved.md, section 10). */
export const DecisionMapRequest = z.looseObject({
  model: ModelName,
  state: Situation.nullish(),
  questions: counted(z.record(z.string(), MapQuestion), { minProperties: 1 }, questionCount),
  fallbacks: Fallbacks.optional(),
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

const InputPart = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("input_text"), text: z.string() }),
  z.looseObject({ type: z.literal("input_image"), image_url: z.string() }),
]);
const InputMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: z.union([z.string(), z.array(InputPart)]),
});

/** List form: questions in order, answers in the same order; a missing name becomes `question_<n>`. */
export const DecisionListRequest = z.looseObject({
  model: ModelName,
  input: z.union([z.string(), z.array(InputMessage)]),
  questions: z
    .array(DecisionListQuestion)
    .min(1, questionCount)
    .refine((all) => isUnique(all.map((each, n) => each.name ?? `question_${n}`)), "names must differ"),
  fallbacks: Fallbacks.optional(),
});
export type DecisionListRequest = z.infer<typeof DecisionListRequest>;

/** Body of `POST /v1/decisions`, in either form. */
export const DecisionRequest = z.union([DecisionListRequest, DecisionMapRequest]);
export type DecisionRequest = z.infer<typeof DecisionRequest>;

const probability = z.number().min(0).max(1);
const distribution = z.record(z.string(), probability);

const MapAnswer = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("noul"), value: probability }),
  z.looseObject({
    kind: z.literal("choice"),
    value: z.string(),
    confidence: z.number(),
    probabilities: distribution,
  }),
  z.looseObject({
    kind: z.literal("score"),
    value: z.number(),
    confidence: z.number(),
    probabilities: distribution,
    legend: z.record(z.string(), z.string()),
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
};

const ListAnswer = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("predicate"), ...distributionFields, probability }),
  z.looseObject({ type: z.literal("choice"), ...distributionFields, choice: z.union([z.string(), z.boolean()]) }),
  z.looseObject({ type: z.literal("score"), ...distributionFields, score: z.number() }),
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
export type DecisionResponse = z.infer<typeof DecisionResponse>;
