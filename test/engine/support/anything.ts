import fc from "fast-check";
import type { DecisionListRequest, DecisionMapRequest } from "../../../src/engine/api/decisions.ts";
import type { Distribution } from "../../../src/engine/decisions/distribution.ts";
import { readQuestions } from "../../../src/engine/decisions/question.ts";

const text = fc.string({ maxLength: 20 });
const instructions = fc.oneof(text, fc.constant(null), fc.dictionary(text, text, { maxKeys: 3 }), fc.array(text));
const name = fc.string({ minLength: 1, maxLength: 12 }).filter((each) => each !== "__proto__");
const levels = fc.uniqueArray(text, { minLength: 2, maxLength: 10 });
const described = fc.option(text, { nil: undefined });
const criteria = fc.record({ true: text, false: text }, { requiredKeys: [] });

const mapQuestion = fc.oneof(
  fc.record({ kind: fc.constant("noul" as const), instructions, criteria }, { requiredKeys: ["kind"] }),
  fc.record({
    kind: fc.constant("choice" as const),
    instructions,
    criteria: fc.dictionary(name, fc.option(text), { minKeys: 1, maxKeys: 40 }),
  }),
  fc.record({ kind: fc.constant("score" as const), instructions, criteria: levels }),
);

const listQuestion = fc.oneof(
  fc.record({ type: fc.constant("predicate" as const), instructions, criteria }, { requiredKeys: ["type"] }),
  fc.record({
    type: fc.constant("choice" as const),
    instructions,
    choices: fc.uniqueArray(
      fc.record({ value: fc.oneof(name, fc.boolean(), fc.constantFrom("true", "false")), description: described }),
      { minLength: 1, maxLength: 40, selector: ({ value }) => value },
    ),
  }),
  fc.record({
    type: fc.constant("score" as const),
    instructions,
    levels: levels.chain((labels) =>
      fc.tuple(...labels.map((label) => fc.record({ label: fc.constant(label), description: described }))),
    ),
  }),
);

const state = fc.oneof(text, fc.constant(null), fc.dictionary(text, fc.jsonValue()), fc.array(fc.jsonValue()));

/** Any request in the map form. */
const anyMapRequest = fc.record({
  model: fc.constant("a/m"),
  state,
  questions: fc.dictionary(name, mapQuestion, { minKeys: 1, maxKeys: 5 }),
}) as fc.Arbitrary<DecisionMapRequest>;

const part = fc.oneof(
  fc.record({ type: fc.constant("input_text" as const), text }),
  fc.record({ type: fc.constant("input_image" as const), image_url: fc.constant("data:image/png;base64,AAAA") }),
);
const message = fc.record({
  role: fc.constantFrom("system" as const, "user" as const, "assistant" as const),
  content: fc.oneof(text, fc.array(part, { maxLength: 3 })),
});

/** Any request in the list form; every other question has a name. */
const anyListRequest = fc
  .record({
    model: fc.constant("a/m"),
    input: fc.oneof(text, fc.array(message, { maxLength: 3 })),
    questions: fc.array(listQuestion, { minLength: 1, maxLength: 5 }),
  })
  .map((request) => ({
    ...request,
    questions: request.questions.map((question, at) => (at % 2 ? { ...question, name: `named ${at}` } : question)),
  })) as fc.Arbitrary<DecisionListRequest>;

export const anyRequest = fc.oneof(anyMapRequest, anyListRequest);

/** Any distribution over so many options; some options may have nothing. */
export function anyDistribution(count: number): fc.Arbitrary<Distribution> {
  return fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: count, maxLength: count }).map((weights) => {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return sum === 0 ? weights.map(() => 1 / count) : weights.map((weight) => weight / sum);
  });
}

/** A request with a distribution for each of its questions. */
export const anyAnswered = anyRequest.chain((request) => {
  const inquiry = readQuestions(request);
  const each = fc.tuple(...inquiry.questions.map(({ options }) => anyDistribution(options.length)));
  return each.map((distributions) => ({ request, inquiry, distributions: distributions as readonly Distribution[] }));
});

/** True for two lists of the same numbers, but for rounding. */
export const closeTo = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((value, at) => Math.abs(value - (other[at] as number)) < 1e-9);
