import { describe, expect, it } from "vitest";
import type { Rates } from "../../../../../src/engine/api/rates.ts";
import { vendorCost } from "../../../../../src/engine/metering/bills/vendor-cost.ts";
import { governed, pricesOf, tokens, vendor } from "../../../support/money/world.ts";

const rates: Rates = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };

describe("the cost that a vendor states", () => {
  it.each([
    ["OpenRouter's number", { upstream_cost: 0.0123 }, 12_300_000],
    [
      "OpenRouter's fee and what the vendor behind a key of one's own charges",
      { upstream_cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      21_000_000,
    ],
    [
      "what is behind OpenRouter's own key is in its number",
      { upstream_cost: 0.0123, is_byok: false, cost_details: { upstream_inference_cost: 0.0123 } },
      12_300_000,
    ],
    ["xAI's ticks", { cost_in_usd_ticks: 37_756_000 }, 3_775_600],
    [
      "Perplexity's object",
      { upstream_cost: { input_tokens_cost: 0.001, request_cost: 0.005, total_cost: 0.006 } },
      6_000_000,
    ],
    ["nothing", {}, undefined],
    ["a negative amount", { upstream_cost: -1 }, undefined],
    ["a text", { upstream_cost: "0.1" }, undefined],
    ["an object without a total", { upstream_cost: { input_tokens_cost: 1 } }, undefined],
    ["more than any answer costs", { upstream_cost: 1e12 }, undefined],
  ])("%s", (_title, stated, total) => expect(vendorCost(tokens(1, 1, stated))?.total).toBe(total));

  const usage = tokens(1_000, 1_000, { upstream_cost: 0.0123 });
  const prices = pricesOf({ "a/known": rates });

  it.each(["whole", "streamed"])("is the bill, %s, and our own price stands beside it", async (way) => {
    const world = await governed(vendor({ usage, billing: { reportsCost: true } }), [{ dollars: 1 }], { prices });
    if (way === "whole") expect((await world.ask("a/known")).usage?.cost?.total_cost).toBe(0.0123);
    else {
      const question = { model: "a/known", messages: [{ role: "user" as const, content: "x" }] };
      for await (const _ of await world.engine.streamChat(question, { key: world.value }));
    }
    const [line] = await world.lines();
    expect(line).toMatchObject({ cost_nano: 12_300_000, is_unpriced: false });
    expect(line?.items).toEqual([
      {
        unit: "vendor_cost",
        quantity: 12_300_000,
        rate: 1e-9,
        amount: 0.0123,
        amount_nano: 12_300_000,
        basis: "vendor",
      },
      { unit: "catalogue_cost", quantity: 3_000_000, rate: 0, amount: 0, amount_nano: 0, basis: "cross-check" },
    ]);
    expect(await world.used()).toEqual([12_300_000]);
  });

  it("is the bill of a model that nobody knows the price of", async () => {
    const { ask } = await governed(vendor({ usage, billing: { reportsCost: true } }), [], { prices });
    const { usage: billed, extra_fields } = await ask("a/auto");
    expect(billed?.cost).toEqual({ total_cost: 0.0123 });
    expect(extra_fields?.warnings).toBeUndefined();
  });

  it("is no bill where the provider does not say that it states costs", async () => {
    const { ask } = await governed(vendor({ usage }), [], { prices });
    expect((await ask("a/known")).usage?.cost?.total_cost).toBe(0.003);
  });
});

describe("the model that a router chose", () => {
  const prices = pricesOf({
    "a/model-router": { input_cost_per_token: 1e-7, output_cost_per_token: 0 },
    "a/small": rates,
  });
  const usage = tokens(1_000, 1_000);

  it("is billed, and the router's fee on top", async () => {
    const { ask, lines } = await governed(vendor({ usage, served: "small" }), [], { prices });
    expect((await ask("a/model-router")).usage?.cost?.total_cost).toBe(0.0031);
    const [line] = await lines();
    expect(line?.items.map(({ amount_nano, basis }) => [amount_nano, basis])).toEqual([
      [1_000_000, "input_cost_per_token"],
      [2_000_000, "output_cost_per_token"],
      [100_000, "router: input_cost_per_token"],
    ]);
  });

  it("is unpriced where nobody knows it, and a hard budget refuses the router", async () => {
    const { ask } = await governed(vendor({ usage, served: "other" }), [], { prices });
    const { usage: billed, extra_fields } = await ask("a/model-router");
    expect(billed?.cost?.total_cost).toBe(0.0001);
    expect(extra_fields?.warnings).toEqual(["unpriced: input_tokens, output_tokens of a/model-router have no price"]);
    const hard = await governed(vendor({ usage }), [{ dollars: 1, enforcement: "hard" }], { prices });
    expect(await hard.outcome("a/model-router", { max_completion_tokens: 10 })).toBe("model_blocked");
  });

  it("stands for a deployment without a price of its own", async () => {
    const { ask } = await governed(vendor({ usage, served: "small" }), [], { prices });
    expect((await ask("a/my-deployment")).usage?.cost?.total_cost).toBe(0.003);
  });
});

describe("the place of a target", () => {
  const dearer: Rates = { input_cost_per_token: 2e-6, output_cost_per_token: 4e-6 };
  const prices = pricesOf({ "a/m": rates, "a/eu-west-2/m": dearer, "a/us/m": dearer });
  const usage = tokens(1_000, 1_000);

  it.each([
    ["of a provider in a region with a price of its own", { billing: { region: "eu-west-2" } }, {}, 0.006],
    ["of a provider in a region without one", { billing: { region: "eu-west-3" } }, {}, 0.003],
    ["that the answer names", { usage: { ...usage, inference_geo: "us" } }, {}, 0.006],
    ["that the request asks for", {}, { inference_geo: "us" }, 0.006],
    ["that is not named", {}, {}, 0.003],
  ])("decides the price: %s", async (...[, says, asks, cost]) => {
    const { ask } = await governed(vendor({ usage, ...says }), [], { prices });
    expect((await ask("a/m", asks)).usage?.cost?.total_cost).toBe(cost);
  });
});
