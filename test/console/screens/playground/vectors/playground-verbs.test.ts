import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  answersOf,
  areQuestionsValid,
  type QuestionDraft,
  questionKinds,
  toQuestion,
} from "../../../../../console/src/screens/playground/questions.ts";
import { linesOf, similarity, vectorsOf } from "../../../../../console/src/screens/playground/vectors.ts";
import { DecisionListRequest } from "../../../../../src/engine/api/decisions.ts";

const vector = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 3, maxLength: 3 });

describe("how alike two vectors are", () => {
  it("is the same from either side, within its bounds, and 1 for a vector and what points where it does", () => {
    fc.assert(
      fc.property(vector, vector, (one, other) => {
        expect(similarity(one, other)).toBeCloseTo(similarity(other, one), 12);
        expect(Math.abs(similarity(one, other))).toBeLessThanOrEqual(1);
        fc.pre(Math.hypot(...one) > 1e-3);
        expect(
          similarity(
            one,
            one.map((value) => value * 3),
          ),
        ).toBeCloseTo(1, 9);
        expect(
          similarity(
            one,
            one.map((value) => -value),
          ),
        ).toBeCloseTo(-1, 9);
      }),
    );
    expect([similarity([1, 0], [0, 1]), similarity([0, 0], [1, 1])]).toEqual([0, 0]);
  });

  it("is told of the texts in their order", () => {
    expect(linesOf(" a\n\n b c \n")).toEqual(["a", "b c"]);
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
      { index: 2, embedding: "AAAA" },
    ];
    expect(vectorsOf({ data })).toEqual([[1], [2]]);
    expect(vectorsOf({})).toEqual([]);
  });
});

describe("questions", () => {
  const line = fc.stringMatching(/^[a-z]{1,4}$/);
  const draft: fc.Arbitrary<QuestionDraft> = fc.record({
    name: fc.oneof(line, fc.constant(" ")),
    kind: fc.constantFrom(...questionKinds),
    instructions: fc.oneof(line, fc.constant("")),
    options: fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n")),
  });

  it("that can be sent are those that the operation takes", () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 4 }), (questions) => {
        const body = { model: "m", input: "text", questions: questions.map(toQuestion) };
        expect(areQuestionsValid(questions)).toBe(DecisionListRequest.safeParse(body).success);
      }),
      { numRuns: 500 },
    );
  });

  it("have answers of each kind", () => {
    const probabilities = [
      { value: "a", probability: 0.75 },
      { value: 1, label: "bad", probability: 0.25 },
    ];
    const options = [
      { label: "a", probability: 0.75 },
      { label: "bad", probability: 0.25 },
    ];
    const answers = [
      { type: "choice", name: "one", choice: "a", confidence: 0.75, probabilities },
      { type: "score", name: "two", score: 0, probabilities },
      { type: "predicate", name: "three", probability: 0.2, probabilities: [] },
      { type: "refusal", name: "four" },
    ];
    expect(answersOf({ answers })).toEqual([
      { type: "choice", name: "one", value: "a", confidence: 0.75, options },
      { type: "score", name: "two", value: 0, confidence: undefined, options },
      { type: "predicate", name: "three", value: false, confidence: undefined, options: [] },
      { type: "refusal", name: "four", value: undefined, confidence: undefined, options: [] },
    ]);
    expect(answersOf({ answers: { one: {} } })).toEqual([]);
  });
});
