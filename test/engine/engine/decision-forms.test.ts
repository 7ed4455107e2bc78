import { expect, it } from "vitest";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { belief, request } from "../support/case.ts";
import { byToken, byTool } from "../support/judges.ts";
import { governed, pricesOf } from "../support/money/world.ts";

const prices = pricesOf({ "a/judge": { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 } });
/** More than three questions of one token cost, and less than one question by tool. */
const forTokens = [{ dollars: 0.004, enforcement: "hard" as const }];

it("a decision reserves the chats that it sends, and the other form of a question only when it is asked", async () => {
  const asked: ChatRequest[] = [];
  const weighing = await governed(byToken("a", belief, asked), forTokens, { prices });
  await weighing.engine.decide(request, { key: weighing.value });
  expect(asked).toHaveLength(3);
  const stating = await governed(byTool("a", belief), forTokens, { prices });
  const refused = stating.engine.decide(request, { key: stating.value });
  await expect(refused).rejects.toMatchObject({ code: "budget_exceeded" });
  expect((await stating.used())[0]).toBeGreaterThan(0); // the chats that were asked for one token are billed
});

it("what a decision reserves for the other form is given back, and all it spent is counted", async () => {
  const { engine, value, key, lines } = await governed(byTool("a", belief), [{ dollars: 1, enforcement: "hard" }], {
    prices,
  });
  for (const known of [false, true]) {
    await engine.decide(request, { key: value });
    const [limit] = await engine.usage.limits(key.id);
    const [line] = await lines();
    expect(limit?.reserved).toBe(0);
    if (!known) expect(limit?.used).toBe(line?.cost);
  }
});

it("twenty yes-or-no questions to a model of $2.5 and $10 a million tokens fit a hard budget of ten cents", async () => {
  const large = pricesOf({ "a/judge": { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 } });
  const { engine, value, used } = await governed(byToken("a", belief), [{ dollars: 0.1, enforcement: "hard" }], {
    prices: large,
  });
  const questions = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`q${n}`, { kind: "noul" as const, instructions: "Is it so?" }]),
  );
  const { answers } = await engine.decide({ ...request, questions }, { key: value });
  expect(Object.keys(answers)).toHaveLength(20);
  expect((await used())[0]).toBe(20 * (100 * 2_500 + 10_000));
});
