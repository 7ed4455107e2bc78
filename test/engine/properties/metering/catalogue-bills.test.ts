import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { ResetDuration } from "../../../../src/engine/api/governance.ts";
import type { Rates } from "../../../../src/engine/api/rates.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import { automaticTiers, hasTier } from "../../../../src/engine/metering/fees/service-tiers.ts";
import { boundChat } from "../../../../src/engine/metering/usage-bound.ts";
import type { Counters } from "../../../../src/engine/ports/counters.ts";
import type { ModelFacts } from "../../../../src/engine/ports/prices.ts";
import type { Provider, ProviderBilling } from "../../../../src/engine/ports/provider.ts";
import { createEngine } from "../../../../src/index.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { atDepth } from "../../../tiers/depth.ts";

const prices = catalogue();
const now = Date.UTC(2026, 10, 20);
const models = prices.list(now);
const vendors = [...new Set(models.map(({ provider }) => provider))];
const byVendor = vendors.map((vendor) => models.filter(({ provider }) => provider === vendor));
/** Every vendor as often as any other, however many models it has; and names that nobody knows. */
const anyModel = fc
  .constantFrom(...byVendor)
  .chain((own) => fc.constantFrom(...own, { ...(own[0] as ModelFacts), model: "nobody-knows-this-1" }));

const tiers = ["auto", "default", "standard", "priority", "flex", "batch", "ultrafast", "reserved"] as const;
const regions = [
  "us-east-1",
  "us-gov-west-1",
  "eu-central-1",
  "ap-northeast-1",
  "europe-west4",
  "eu",
  "us",
  "global",
] as const;
const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));

/** Most requests leave a field out. */
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const anyRequest = fc.record({
  service_tier: seldom(fc.constantFrom(...tiers)),
  inference_geo: seldom(fc.constantFrom("us", "global")),
  max_completion_tokens: seldom(fc.integer({ min: 1, max: 4_000 })),
  n: seldom(fc.integer({ min: 1, max: 3 })),
  web_search_options: seldom(
    fc.constantFrom({}, { search_context_size: "low" as const }, { search_context_size: "high" as const }),
  ),
  modalities: seldom(fc.constant(["text", "audio"] as string[])),
});
const image = { type: "image_url" as const, image_url: { url: "https://example.com/a.png" } };
const sound = { type: "input_audio" as const, input_audio: { data: "UklGRg==", format: "wav" as const } };
const hour = { type: "text" as const, text: "hi", cache_control: { type: "ephemeral" as const, ttl: "1h" as const } };
/** Prompts on both sides of the thresholds (128,000 to 272,000 tokens). */
const anyContent = fc
  .tuple(fc.subarray([image, sound, hour]), fc.constantFrom(5, 127_000, 199_990, 201_000, 272_100, 290_000))
  .map(([parts, length]) => [...parts, { type: "text" as const, text: "x".repeat(length) }]);

const anyUsage = fc.record({
  prompt: share,
  completion: share,
  read: share,
  write: share,
  hour: share,
  audio: share,
  image: share,
  readAudio: share,
  reasoning: share,
  citation: share,
  spoken: share,
  searches: share,
  tier: fc.constantFrom(undefined, ...tiers),
  geo: fc.constantFrom(undefined, "us", "global"),
});
type Shares = typeof anyUsage extends fc.Arbitrary<infer Value> ? Value : never;

/** A request with what only some vendors read. */
type AskedChat = ChatRequest & { readonly service_tier?: string; readonly inference_geo?: string };

/** What a vendor may say that an answer took: parts of what the request allows. */
function usageOf(request: AskedChat, facts: ModelFacts | undefined, shares: Shares): Usage {
  const bound = boundChat(request, facts);
  const part = (whole: number, of: number) => Math.floor(whole * of);
  const prompt = part(bound.prompt.hard, shares.prompt);
  const completion = part(bound.completion.hard, shares.completion);
  const read = part(prompt, shares.read);
  const write = part(prompt - read, shares.write);
  const searches = part(Math.min(bound.searches.hard, 40), shares.searches);
  const geo = request.inference_geo ?? (facts?.provider === "anthropic" ? shares.geo : undefined);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_read_tokens: read,
      cached_write_tokens: write,
      ...(bound.isCachedForHour ? { cached_write_tokens_1h: part(write, shares.hour) } : {}),
      audio_tokens: part(bound.audio, shares.audio),
      image_tokens: part(bound.images, shares.image),
      cached_read_audio_tokens: Math.min(part(bound.audio, shares.readAudio), read),
    },
    completion_tokens_details: {
      reasoning_tokens: part(completion, shares.reasoning),
      citation_tokens: part(completion, shares.citation),
      ...(bound.isSpoken ? { audio_tokens: part(completion, shares.spoken) } : {}),
      ...(searches > 0 ? { num_search_queries: searches } : {}),
    },
    ...(geo === undefined ? {} : { inference_geo: geo }),
  };
}

/** What the vendor serves: what was asked for or the standard tier; where that is left to the vendor, any that has a price. */
function tierOf(asked: string | undefined, { tier }: Shares, rates: Rates = {}): string | undefined {
  if (asked === "auto")
    return tier !== undefined && automaticTiers.includes(tier) && hasTier(rates, tier) ? tier : undefined;
  return tier === undefined ? undefined : asked;
}

/** Around a call: what its answer takes, where it is served, and the window of the budget. */
interface Circumstances {
  readonly shares: Shares;
  readonly region: string | undefined;
  readonly window: ResetDuration;
}

async function bill(facts: ModelFacts, request: ChatRequest, { shares, region, window }: Circumstances) {
  let asked = 0;
  const billing: ProviderBilling | undefined = region === undefined ? undefined : { region };
  const vendor: Provider = {
    name: facts.provider,
    ...(billing ? { billing } : {}),
    async chat(sent, { model }) {
      asked++;
      const known = prices.find(facts.provider, model, now);
      const tier = tierOf(request.service_tier, shares, known?.rates);
      return {
        ...{ id: "c", object: "chat.completion", created: 1, model, usage: usageOf(sent as AskedChat, known, shares) },
        ...(tier === undefined ? {} : { service_tier: tier }),
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } }],
      };
    },
  };
  const counters = memoryCounters();
  const reserved: number[] = [];
  const watched: Counters = {
    ...counters,
    reserve(call) {
      reserved.push(...call.holds.map(({ amount }) => amount));
      return counters.reserve(call);
    },
  };
  const engine = createEngine({
    providers: [vendor],
    prices,
    store: memoryStore(),
    counters: watched,
    clock: fakeClock({ startAt: now }),
  });
  const { value: key } = await engine.keys.create({
    name: "k",
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
    budgets: [{ max_limit: 1_000_000, reset_duration: window, enforcement: "hard" }],
  });
  const outcome = await engine.chat(request, { key }).then(
    () => "served",
    (error: { code: string }) => error.code,
  );
  const [entry] = (await engine.usage.entries({ limit: 1 })).entries;
  await engine.close();
  return { asked, reserved, outcome, attempts: entry?.attempts ?? [] };
}

const anyCircumstances: fc.Arbitrary<Circumstances> = fc.record({
  shares: anyUsage,
  region: fc.constantFrom(undefined, ...regions),
  window: fc.constantFrom("1m", "1d", "1M", "never"),
});

const withoutShares: Shares = {
  ...{ prompt: 0, completion: 1, read: 0, write: 0, hour: 0, audio: 0, image: 0, readAudio: 0, reasoning: 0 },
  ...{ citation: 0, spoken: 0, searches: 0, tier: undefined, geo: undefined },
};
const hi = [{ type: "text" as const, text: "hi" }];
const nothingAsked = {
  ...{ service_tier: undefined, inference_geo: undefined, max_completion_tokens: undefined, n: undefined },
  ...{ web_search_options: undefined, modalities: undefined },
};
const here: Circumstances = { shares: withoutShares, region: undefined, window: "1d" };
const knownModel = (provider: string, model: string) => prices.find(provider, model, now) ?? { provider, model };
/** What this test has found: a model that ranks, one that only makes images, and an answer from a dearer place than the one reserved for. */
const found = [
  { facts: knownModel("cohere", "rerank-english-v3.0"), more: nothingAsked, circumstances: here },
  { facts: knownModel("openai", "gpt-image-1"), more: nothingAsked, circumstances: here },
  {
    facts: knownModel("anthropic", "claude-opus-4-6"),
    more: { ...nothingAsked, inference_geo: "us" as const },
    circumstances: { ...here, region: "eu-central-1" },
  },
  {
    facts: knownModel("anthropic", "claude-opus-4-6"),
    more: nothingAsked,
    circumstances: { ...here, shares: { ...withoutShares, geo: "us" as const } },
  },
].map((each): [typeof each & { content: typeof hi }] => [{ ...each, content: hi }]);

it("no call of any model costs more than a hard budget reserved for it, and what is billed is the sum of its lines", async () => {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.record({ facts: anyModel, more: anyRequest, content: anyContent, circumstances: anyCircumstances }),
      async ({ facts, more, content, circumstances }) => {
        const messages = [{ role: "user" as const, content }];
        const request = { model: `${facts.provider}/${facts.model}`, messages, ...more };
        const { asked, reserved, outcome, attempts } = await bill(facts, request, circumstances);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (outcome === "model_blocked") expect([asked, attempts.length]).toEqual([0, 0]);
        for (const { cost_nano: cost, items, is_unpriced } of attempts) {
          expect(items.reduce((sum, { amount_nano }) => sum + amount_nano, 0)).toBe(cost);
          expect([cost, cost <= Math.max(...reserved)]).toEqual([cost, true]);
          expect(is_unpriced).toBe(false);
        }
      },
    ),
    { numRuns: 300, examples: found },
  );
  expect([outcomes.get("served"), outcomes.get("model_blocked")].every((times = 0) => times > atDepth(20))).toBe(true);
});
