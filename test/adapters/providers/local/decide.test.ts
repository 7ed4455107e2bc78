import { describe, expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { DecisionResponse } from "../../../../src/engine/api/decisions.ts";
import { createEngine } from "../../../../src/index.ts";
import { call, failure, provider } from "../../support/local/asking.ts";

const questions = {
  refund: { kind: "noul" as const },
  team: { kind: "choice" as const, criteria: { billing: "charges", shipping: null, sales: null, other: null } },
  anger: { kind: "score" as const, criteria: ["calm", "annoyed", "furious"] },
};

describe("decisions of the echo", () => {
  it("answer every kind, all options alike, and say that no model was asked", async () => {
    const engine = createEngine({ providers: [local()] });
    const told = await engine.decide({ model: "local/echo", state: "I was charged twice.", questions });
    expect(DecisionResponse.parse(told).answers).toMatchObject({
      refund: { kind: "noul", value: 0.5 },
      team: {
        kind: "choice",
        value: "billing",
        confidence: 0,
        probabilities: { billing: 0.25, shipping: 0.25, sales: 0.25, other: 0.25 },
      },
      anger: {
        kind: "score",
        value: 1,
        confidence: 0,
        probabilities: { 0: 1 / 3, 1: 1 / 3, 2: 1 / 3 },
        legend: { 0: "calm", 1: "annoyed", 2: "furious" },
      },
    });
    expect(told.extra_fields?.warnings).toContainEqual(expect.stringContaining("no model was asked"));
  });

  it.each([1, 2, 20, 21, 255])("take a choice of %i options, in the list form too", async (count) => {
    const engine = createEngine({ providers: [local()] });
    const choices = Array.from({ length: count }, (_, at) => ({ value: `option ${at}` }));
    const told = await engine.decide({ model: "local/echo", input: "?", questions: [{ type: "choice", choices }] });
    const [answer] = told.answers as { name: string; choice: string; probabilities: unknown[]; confidence: number }[];
    expect(answer).toMatchObject({ name: "question_0", choice: "option 0" });
    expect(answer?.probabilities).toHaveLength(count);
    expect(answer?.confidence).toBeCloseTo(count === 1 ? 1 : 0, 9);
  });

  it("are alike by tool too, with votes and orders", async () => {
    const engine = createEngine({ providers: [local()] });
    const how = { method: "tool", permutations: 2 } as const;
    const told = await engine.decide({ model: "local/echo", state: "I was charged twice.", questions, ...how });
    expect(told.answers).toMatchObject({
      refund: { value: 0.5, method: "tool" },
      team: { probabilities: { billing: 0.25, shipping: 0.25, sales: 0.25, other: 0.25 }, method: "tool" },
    });
  });

  it("name what they leave out, and are the echo's alone", async () => {
    const asked = call();
    await provider.decide?.({ model: "local/echo", state: null, questions, user: "me" }, asked);
    expect(asked.warnings[0]).toBe("`user` is not supported by local");
    const thrown = await failure(provider.decide?.({ model: "local/x", questions }, call({ model: "bm25" })) as never);
    expect(thrown.upstream?.status).toBe(404);
  });
});
