import { expect, it } from "vitest";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { DecisionResponse } from "../../../../../src/engine/api/decisions.ts";
import { createEngine } from "../../../../../src/index.ts";
import { byToken } from "../../../../engine/support/judges.ts";

const judge = (name: string, yes: number) => byToken(name, (_question, option) => (option === "yes" ? yes : 1 - yes));
const questions = { q: { kind: "noul" as const, instructions: "Is it so?" } };

it("POST /v1/decisions takes votes, escalation and calibration, and names each in the answer", async () => {
  const engine = createEngine({
    providers: [judge("a", 0.8), judge("b", 0.4), judge("c", 0.9)],
    store: memoryStore(),
  });
  const { value } = await engine.keys.create({
    name: "k",
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
  });
  const ask = async (body: object) => {
    const response = await engine.fetch(
      new Request("http://engine/v1/decisions", {
        method: "POST",
        headers: { "content-type": "application/json", "x-tg-key": value },
        body: JSON.stringify({ model: "a/m", state: "s", questions, ...body }),
      }),
    );
    // biome-ignore lint/suspicious/noExplicitAny: looked into field by field
    return { status: response.status, answer: (await response.json()) as any };
  };
  const voted = await ask({ votes: ["b/m"] });
  expect(voted.answer.error).toBeUndefined();
  expect(voted.answer.answers.q).toMatchObject({ voters: ["a/m", "b/m"] });
  expect(voted.answer.answers.q.value).toBeCloseTo(0.6, 9);
  const escalated = await ask({ votes: ["b/m"], escalate: { model: "c/m", margin: 0.3 } });
  expect(escalated.answer.answers.q.escalated).toMatchObject({ model: "c/m", from: "a/m" });
  const cases = Array.from({ length: 40 }, (_, at) => ({ state: "s", answers: { q: at % 2 === 0 } }));
  await engine.calibrations.fit({ model: "a/m", questions, cases });
  const mapped = await ask({});
  expect(mapped.answer.answers.q.calibration).toMatchObject({ name: "q", version: 1 });
  expect(mapped.answer.answers.q.value).toBeCloseTo(0.5, 1);
  expect((await ask({ calibration: false })).answer.answers.q.value).toBeCloseTo(0.8, 9);
  for (const { answer } of [voted, escalated, mapped]) expect(DecisionResponse.safeParse(answer).success).toBe(true);
  const refused = await ask({ escalate: { margin: 0.1 } });
  expect([refused.status, refused.answer.error.param]).toEqual([400, "escalate"]);
  await engine.close();
});

it("the OpenAPI document has the fields of several models", async () => {
  const engine = createEngine({ providers: [judge("a", 0.8)] });
  const document = await (await engine.fetch(new Request("http://engine/openapi.json"))).text();
  for (const name of ["votes", "min_votes", "escalate", "max_share", "max_cost", "calibration", "voters", "escalated"])
    expect(document).toContain(`"${name}"`);
  await engine.close();
});
