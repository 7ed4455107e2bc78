import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { governed, pricesOf, tokens, vendor } from "../../support/money/world.ts";

const prices = pricesOf({ "a/m": { input_cost_per_token: 1e-6, output_cost_per_token: 1e-5 } });
const budget = { dollars: 0.01, enforcement: "hard" as const };

/** A vendor that answers as long as it may, and what it was asked. */
function obedient() {
  const asked: ChatRequest[] = [];
  const plain = vendor() as Required<Provider>;
  const provider: Provider = {
    name: "a",
    async chat(request, call) {
      asked.push(request);
      return {
        ...(await plain.chat(request, call)),
        usage: tokens(5, (request.max_completion_tokens ?? 4_096) * Number(request.n ?? 1)),
      };
    },
  };
  return { asked, provider };
}

describe("a call that does not fit into a budget", () => {
  it("is refused, and told how long an answer would fit; so long a one is served", async () => {
    const { provider } = obedient();
    const { ask, used } = await governed(provider, [budget], { prices });
    const error = await ask("a/m").catch((thrown: Error) => thrown);
    const fits = Number(/An answer of up to (\d+) tokens would fit/.exec((error as Error).message)?.[1]);
    expect(fits).toBeGreaterThan(900);
    await ask("a/m", { max_completion_tokens: fits });
    expect((await used())[0]).toBeLessThanOrEqual(10_000_000);
  });

  it.each([
    { title: "where the call asks for it", budgets: [budget], options: { fit: true } },
    { title: "where a budget does", budgets: [{ ...budget, fit: true }], options: {} },
    { title: "of a soft budget, too", budgets: [{ dollars: 0.009, fit: true }], options: {} },
  ])("has its answer limited to what is left, $title", async ({ budgets, options }) => {
    const { asked, provider } = obedient();
    const { engine, value, used } = await governed(provider, budgets, { prices });
    const question = { model: "a/m", messages: [{ role: "user" as const, content: "x" }] };
    const { extra_fields } = await engine.chat(question, { key: value, ...options });
    const limit = asked[0]?.max_completion_tokens ?? 0;
    expect(limit).toBeGreaterThan(800);
    expect(extra_fields?.warnings).toEqual([`fit: \`max_completion_tokens\` is ${limit}: the budget leaves no more`]);
    expect((await used())[0]).toBeLessThanOrEqual(10_000_000);
  });

  it("shares what is left among several answers", async () => {
    const { asked, provider } = obedient();
    const { ask, used } = await governed(provider, [{ ...budget, fit: true }], { prices });
    await ask("a/m", { n: 3 });
    expect(asked[0]?.max_completion_tokens).toBeLessThan(340);
    expect((await used())[0]).toBeLessThanOrEqual(10_000_000);
  });

  it("is refused where not even a short answer fits, and where its prompt alone does not", async () => {
    const { provider } = obedient();
    const tiny = await governed(provider, [{ ...budget, dollars: 0.0001, fit: true }], { prices });
    expect(await tiny.outcome("a/m")).toBe("budget_exceeded");
  });

  it("is sent as it is where it fits", async () => {
    const { asked, provider } = obedient();
    const { ask } = await governed(provider, [{ ...budget, fit: true }], { prices });
    const { extra_fields } = await ask("a/m", { max_completion_tokens: 50 });
    expect([asked[0]?.max_completion_tokens, extra_fields?.warnings]).toEqual([50, undefined]);
  });
});
