import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DecisionListRequest,
  DecisionMapRequest,
  DecisionResponse,
  type ListAnswer,
} from "../../../../src/engine/api/decisions.ts";
import { writeAnswers } from "../../../../src/engine/decisions/answers.ts";
import { askByEnum } from "../../../../src/engine/decisions/by-enum.ts";
import { askByToken, fitsToken, readByToken } from "../../../../src/engine/decisions/by-token.ts";
import { askByTool, readByTool } from "../../../../src/engine/decisions/by-tool.ts";
import { boundDecision, boundToolForm } from "../../../../src/engine/decisions/cost-bound.ts";
import {
  confidenceOf,
  type Distribution,
  expectedPosition,
  normalise,
} from "../../../../src/engine/decisions/distribution.ts";
import { ordersOf } from "../../../../src/engine/decisions/orders.ts";
import { type DecisionQuestions, readQuestions } from "../../../../src/engine/decisions/question.ts";
import { readAnswers } from "../../../../src/engine/decisions/reading.ts";
import { boundChat, type Consumable } from "../../../../src/engine/metering/usage-bound.ts";
import { anyAnswered, anyDistribution, anyRequest, closeTo } from "../../support/anything.ts";
import { toolCall } from "../../support/judges.ts";

const written = (inquiry: DecisionQuestions, distributions: readonly Distribution[]) =>
  writeAnswers(
    inquiry,
    distributions.map((distribution) => ({ kind: "decided", method: "tokens", distribution, mass: 1 })),
  );
const answersOf = (inquiry: DecisionQuestions, distributions: readonly Distribution[]) =>
  Object.values(written(inquiry, distributions)) as Record<string, never>[];

/** The options as they are, under letters. */
const formOf = ({ options }: { readonly options: readonly unknown[] }) => ({
  order: options.map((_, at) => at),
  labels: "letters" as const,
});

describe("any request", () => {
  it("of these is one that the API takes, in the form that it says", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const form = Array.isArray(request.questions) ? DecisionListRequest : DecisionMapRequest;
        expect(form.safeParse(request).error).toBeUndefined();
      }),
    );
  });

  it("has options that their keys tell apart", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        for (const { options } of readQuestions(request).questions)
          expect(new Set(options.map(({ key }) => key)).size).toBe(options.length);
      }),
    );
  });

  it("is bounded by no less than the chats that may be made of it", () => {
    fc.assert(
      fc.property(
        anyRequest,
        fc.constantFrom(undefined, 100, 4_096),
        fc.boolean(),
        (...[request, largest, isShort]) => {
          const facts = { model: "m", ...(largest === undefined ? {} : { max_output_tokens: largest }) };
          const inquiry = readQuestions(request);
          const known = { ...facts, lacksLogprobs: isShort };
          const sent = inquiry.questions.map((question) =>
            fitsToken(question) && !isShort
              ? askByToken(inquiry, question, formOf(question))
              : askByTool(inquiry, question),
          );
          const chats = sent.map((body) => boundChat({ model: "m", ...body }, facts));
          expectCovered(boundDecision(request, known), chats);
          for (const question of inquiry.questions) {
            const orders = fitsToken(question) ? ordersOf(question.options.length, request.permutations ?? 1) : [];
            const labels = request.labels ?? "letters";
            const others = [
              askByTool(inquiry, question),
              ...orders.map((order) => askByEnum(inquiry, question, { order, labels })),
            ].map((body) => boundChat({ model: "m", ...body }, facts));
            expectCovered(boundToolForm(request, question.name, facts), others);
          }
        },
      ),
    );
  });
});

/** A bound holds so many chats, and no more of them than there are. */
function expectCovered(bound: Consumable, chats: readonly Consumable[]): void {
  expect(bound.prompt.hard).toBeGreaterThanOrEqual(chats.reduce((sum, { prompt }) => sum + prompt.hard, 0));
  expect(bound.completion.hard).toBeGreaterThanOrEqual(chats.reduce((sum, { completion }) => sum + completion.hard, 0));
  expect(bound.images).toBe(chats.reduce((sum, { images }) => sum + images, 0));
  expect(bound.requests).toBe(chats.length);
}

describe("answers", () => {
  it("have the shape of the API, in the form of the question", () => {
    fc.assert(
      fc.property(anyAnswered, ({ request, inquiry, distributions }) => {
        const answers = written(inquiry, distributions);
        expect(DecisionResponse.safeParse({ id: "i", model: "m", answers }).error).toBeUndefined();
        expect(Array.isArray(answers)).toBe(Array.isArray(request.questions));
      }),
    );
  });

  it("are those to the questions, all of them and in their order", () => {
    fc.assert(
      fc.property(anyAnswered, ({ request, inquiry, distributions }) => {
        const answers = written(inquiry, distributions);
        const names = Array.isArray(request.questions)
          ? request.questions.map((question, at) => ("name" in question ? question.name : `question_${at}`))
          : Object.keys(request.questions);
        const told = Array.isArray(answers) ? answers.map((answer: ListAnswer) => answer.name) : Object.keys(answers);
        expect(told).toEqual(names);
      }),
    );
  });

  it("are read back as the distributions that they were written from", () => {
    fc.assert(
      fc.property(anyAnswered, ({ inquiry, distributions }) => {
        const read = readAnswers(inquiry, JSON.parse(JSON.stringify(written(inquiry, distributions))));
        expect(
          "problem" in read
            ? read
            : read.every(
                (one, at) => one.kind === "decided" && closeTo(one.distribution, distributions[at] as Distribution),
              ),
        ).toBe(true);
      }),
    );
  });

  it("are refused as a whole when one is missing", () => {
    fc.assert(
      fc.property(anyAnswered, fc.nat(), ({ inquiry, distributions }, draw) => {
        const answers = written(inquiry, distributions);
        const at = draw % inquiry.questions.length;
        const { name = "" } = inquiry.questions[at] ?? {};
        const fewer = Array.isArray(answers)
          ? answers.filter((answer) => answer.name !== name)
          : Object.fromEntries(Object.entries(answers).filter(([key]) => key !== name));
        expect(readAnswers(inquiry, fewer)).toEqual({ question: name, problem: "is missing" });
      }),
    );
  });

  it("say the level as its expected position and the choice as the likeliest option", () => {
    fc.assert(
      fc.property(anyAnswered, ({ inquiry, distributions }) => {
        for (const [at, answer] of answersOf(inquiry, distributions).entries()) {
          const distribution = distributions[at] as Distribution;
          const { kind, options } = inquiry.questions[at] as DecisionQuestions["questions"][number];
          const stated = answer.value ?? answer.score ?? answer.choice ?? answer.probability;
          if (kind === "noul") expect(stated).toBe(distribution[0]);
          if (kind === "score") expect(stated).toBeCloseTo(expectedPosition(distribution), 9);
          if (kind === "choice") {
            const chosen = options.findIndex(({ key, value }) => stated === value || stated === key);
            expect(distribution[chosen]).toBe(Math.max(...distribution));
          }
        }
      }),
    );
  });
});

describe("a distribution", () => {
  const counted = fc.integer({ min: 1, max: 40 }).chain((count) => anyDistribution(count));

  it("is as sure as (N·pmax − 1)/(N − 1) says, from 0 to 1", () => {
    fc.assert(
      fc.property(counted, (distribution) => {
        const [count, highest] = [distribution.length, Math.max(...distribution)];
        const sure = confidenceOf(distribution);
        expect(sure).toBeGreaterThanOrEqual(0);
        expect(sure).toBeLessThanOrEqual(1);
        if (count > 1) expect(sure).toBeCloseTo((count * highest - 1) / (count - 1), 9);
      }),
    );
  });

  it("is made of stated probabilities exactly when they sum to 1 ± 0.05, and sums to 1 then", () => {
    fc.assert(
      fc.property(counted, fc.double({ min: 0.5, max: 1.5, noNaN: true }), (distribution, scale) => {
        const stated = distribution.map((probability) => probability * scale);
        const sum = stated.reduce((total, value) => total + value, 0);
        fc.pre(Math.abs(Math.abs(sum - 1) - 0.05) > 1e-6);
        const made = normalise(stated);
        const isTaken = Math.abs(sum - 1) < 0.05 && stated.every((value) => value <= 1);
        expect(made !== undefined).toBe(isTaken);
        if (made) expect(made.reduce((total, value) => total + value, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  it.each([[[0.5, -0.1, 0.6]], [[Number.NaN, 1]], [["1", 0]], [[null, 1]], [[1.04]], [[Infinity]], [[]]])(
    "is not made of %j",
    (stated) => expect(normalise(stated)).toBeUndefined(),
  );
});

describe("a chat model's answer", () => {
  it("by token gives the softmax over the letters, whatever else is listed beside them", () => {
    fc.assert(
      fc.property(anyAnswered, fc.double({ min: 0.01, max: 1, noNaN: true }), ({ inquiry, distributions }, mass) => {
        for (const [at, question] of inquiry.questions.entries()) {
          const distribution = distributions[at] as Distribution;
          if (distribution.length > 20) continue;
          const letters = distribution.map((probability, position) => {
            return { token: "ABCDEFGHIJKLMNOPQRST".charAt(position), logprob: Math.log(probability * mass) };
          });
          const others = [
            { token: "The", logprob: Math.log(0.5) },
            { token: "AB", logprob: -1 },
          ];
          const content = [{ token: "The", logprob: -0.7, top_logprobs: [...others, ...letters] }];
          const told = { choices: [{ index: 0, finish_reason: "length", log_probs: { content }, message: blank }] };
          expect(
            closeTo(readByToken(question, told as never, formOf(question))?.distribution ?? [], distribution),
          ).toBe(true);
        }
      }),
    );
  });

  it("by tool gives what was stated, by label", () => {
    fc.assert(
      fc.property(anyAnswered, ({ inquiry, distributions }) => {
        for (const [at, question] of inquiry.questions.entries()) {
          const distribution = distributions[at] as Distribution;
          const parameters = askByTool(inquiry, question).tools?.[0]?.function?.parameters;
          const labels = Object.keys(parameters?.properties ?? {});
          expect(parameters?.required).toEqual(labels);
          const stated = Object.fromEntries(labels.map((label, position) => [label, distribution[position]]));
          const told = { choices: [{ index: 0, ...toolCall(JSON.stringify(stated)) }] };
          expect(closeTo(readByTool(question, told as never) ?? [], distribution)).toBe(true);
        }
      }),
    );
  });
});

const blank = { role: "assistant", content: null };
