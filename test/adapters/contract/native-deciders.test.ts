import { describe, expect, it } from "vitest";
import {
  azure,
  cloudflare,
  databricks,
  fireworks,
  openrouter,
  perplexity,
  vllm,
} from "../../../adapters/providers/compatible/index.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { engineOver } from "../../engine/support/support.ts";
import { vendorDouble } from "./vendor-double.ts";

const request = {
  state: "I was charged twice.",
  questions: {
    refund: { kind: "noul" as const, instructions: "Money back?" },
    team: { kind: "choice" as const, criteria: { billing: "charges", shipping: null } },
  },
};
const usage = { input_tokens: 1_000, output_tokens: 5 };
const mapAnswers = {
  refund: { type: "noul", noul: 0.97 },
  team: { type: "choice", choice: "billing", confidence: 0.8, probabilities: { billing: 0.9, shipping: 0.1 } },
};
const mapAnswer = { model: "m", answers: mapAnswers, usage };
const answers = {
  refund: { kind: "noul", value: 0.97, method: "native" },
  team: { kind: "choice", value: "billing", probabilities: { billing: 0.9, shipping: 0.1 }, method: "native" },
};
const mapBody = {
  state: "I was charged twice.",
  questions: {
    refund: { type: "noul", instructions: "Money back?" },
    team: { type: "choice", criteria: { billing: "charges", shipping: null } },
  },
};

interface Case {
  readonly model: string;
  readonly make: (options: { apiKey: string; fetch: typeof fetch }) => Provider;
  readonly url: string;
  /** Absent where the address names the model. */
  readonly sent?: string;
  readonly answer?: unknown;
}

const rows: readonly Case[] = [
  {
    model: "openrouter/typesafe/jev-1.14.0",
    make: openrouter,
    url: "https://openrouter.ai/api/alpha/decisions",
    sent: "typesafe/jev-1.14.0",
  },
  {
    model: "perplexity/pplx-decider-latest",
    make: perplexity,
    url: "https://api.perplexity.ai/v1/decisions",
    sent: "pplx-decider-latest",
  },
  {
    model: "fireworks/accounts/fireworks/routers/rune",
    make: fireworks,
    url: "https://api.fireworks.ai/inference/v1/systemone",
    sent: "accounts/fireworks/routers/rune",
  },
  {
    model: "azure/Microsoft-Decision-1",
    make: (options) => azure({ ...options, baseUrl: "https://r.openai.azure.com" }),
    url: "https://r.services.ai.azure.com/providers/microsoft/v1/systemone",
    sent: "Microsoft-Decision-1",
  },
  {
    model: "cloudflare/clef-flash",
    make: (options) => cloudflare({ ...options, baseUrl: "https://api.cloudflare.com/client/v4/accounts/a1/ai/v1" }),
    url: "https://api.cloudflare.com/client/v4/accounts/a1/ai/run/@cf/cloudflare/clef-flash",
    sent: "clef-flash",
    answer: { result: mapAnswer, success: true, errors: [], messages: [] },
  },
  {
    model: "databricks/databricks-openjev-qwen35-4b",
    make: (options) => databricks({ ...options, baseUrl: "https://dbc.test" }),
    url: "https://dbc.test/serving-endpoints/databricks-openjev-qwen35-4b/invocations",
    sent: "databricks-openjev-qwen35-4b",
  },
  {
    model: "databricks/ai_decide",
    make: (options) => databricks({ ...options, baseUrl: "https://dbc.test" }),
    url: "https://dbc.test/api/2.0/ai-functions/ai-decide",
    answer: { response: { answers: { ...mapAnswers, refund: { type: "noul", probability: 0.97 } } }, usage },
  },
  {
    model: "vllm/bespokelabs/Bespoke-Nimble-9B",
    make: ({ fetch }) => vllm({ fetch, baseUrl: "http://gpu.test:8000" }),
    url: "http://gpu.test:8000/v1/systemone",
    sent: "bespokelabs/Bespoke-Nimble-9B",
  },
];

describe("a model that decides natively is asked in its vendor's form", () => {
  it.each(rows)("$model", async ({ model, make, url, sent, answer = mapAnswer }) => {
    const { seen, options } = vendorDouble(() => answer);
    const { engine } = engineOver([make(options as never)]);
    const decided = await engine.decide({ ...request, model });
    expect(seen.map((each) => each.url)).toEqual([url]);
    expect(seen[0]?.body).toEqual({ ...mapBody, ...(sent === undefined ? {} : { model: sent }) });
    expect(decided.answers).toMatchObject(answers);
    expect(decided.usage).toMatchObject({ prompt_tokens: 1_000, completion_tokens: 5 });
    const list = await engine.decide({
      model,
      input: "I was charged twice.",
      questions: [{ type: "predicate", name: "refund", instructions: "Money back?" }],
    });
    expect(list.answers).toMatchObject([{ type: "predicate", name: "refund", probability: 0.97 }]);
  });
});

describe("pictures go to", () => {
  const images = ["data:image/png;base64,AAAA", "data:image/jpeg;base64,BBBB"];
  const ask = async (provider: Provider, model: string) => {
    const { engine } = engineOver([provider]);
    return engine.decide({ model, state: "Look.", images, questions: { refund: request.questions.refund } });
  };

  it("Cloudflare in `images`, at most four", async () => {
    const { seen, options } = vendorDouble(() => mapAnswer);
    const provider = cloudflare({ ...options, baseUrl: "https://c.test/ai/v1" });
    await ask(provider, "cloudflare/clef");
    expect(seen[0]?.body).toMatchObject({ state: "Look.", images });
    const { engine } = engineOver([provider]);
    const five = Array.from({ length: 5 }, () => images[0] as string);
    const failed = engine.decide({ model: "cloudflare/clef", images: five, questions: request.questions });
    await expect(failed).rejects.toMatchObject({ code: "unsupported_operation" });
  });

  it("OpenRouter as parts of the state", async () => {
    const { seen, options } = vendorDouble(() => mapAnswer);
    await ask(openrouter(options), "openrouter/cloudflare/clef");
    expect(seen[0]?.body.state).toEqual(["Look.", ...images.map((url) => ({ type: "image_url", image_url: { url } }))]);
  });

  it("no vendor that takes none: Perplexity is not asked", async () => {
    const { seen, options } = vendorDouble(() => mapAnswer);
    await expect(ask(perplexity(options), "perplexity/pplx-decider-latest")).rejects.toMatchObject({
      code: "unsupported_operation",
    });
    expect(seen).toEqual([]);
  });
});

it("a cost that OpenRouter states is the bill", async () => {
  const { options } = vendorDouble(() => ({ ...mapAnswer, usage: { ...usage, cost: 0.0123 } }));
  const { engine } = engineOver([openrouter(options)]);
  const decided = await engine.decide({ ...request, model: "openrouter/typesafe/jev-1.14.0" });
  expect(decided.usage?.cost?.total_cost).toBe(0.0123);
});
