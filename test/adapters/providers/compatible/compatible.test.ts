import { describe, expect, it } from "vitest";
import * as subpath from "../../../../adapters/providers/compatible/index.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { recordedCall } from "../../../../src/testing/conformance/provider/play.ts";

const { azure, compatible, compatibleProviders, custom, ollama } = subpath;
const names = Object.keys(compatibleProviders) as subpath.CompatibleName[];

type Factory = (options: { apiKey: string; fetch: typeof fetch; baseUrl?: string }) => Provider;
const factories = subpath as unknown as Record<string, Factory | undefined>;

/** A fetch that tells what it was asked for and answers with an empty list of models. */
function spy() {
  const asked: { url: string; headers: Record<string, string>; body: Record<string, unknown> }[] = [];
  const send = (async (url: string, init: { headers: Record<string, string>; body: string | null }) => {
    asked.push({ url, headers: init.headers, body: JSON.parse(init.body ?? "{}") });
    return Response.json({ data: [], choices: [{ message: {} }] });
  }) as unknown as typeof fetch;
  return { asked, send };
}

/** Every field of the specification's chat table, with a valid value. */
const everything = {
  frequency_penalty: 0.5,
  presence_penalty: 0.5,
  temperature: 0.5,
  top_p: 0.5,
  top_logprobs: 2,
  logprobs: true,
  logit_bias: { "1": 1 },
  max_completion_tokens: 10,
  metadata: { a: "b" },
  modalities: ["text"],
  parallel_tool_calls: true,
  prompt_cache_key: "k",
  prompt_cache_retention: "24h" as const,
  response_format: { type: "text" },
  safety_identifier: "s",
  service_tier: "auto",
  store: true,
  seed: 1,
  stop: ["x"],
  tool_choice: "auto" as const,
  tools: [{ type: "function" as const, function: { name: "f" } }],
  prediction: { type: "content" as const, content: "x" },
  web_search_options: {},
  truncation: "auto",
  user: "u",
  verbosity: "low" as const,
};

const decisionVendors = new Set(["openrouter", "fireworks", "perplexity", "cloudflare", "databricks", "azure", "vllm"]);

describe.each(names)("%s", (name) => {
  const row = compatibleProviders[name];

  it("has a factory of its name, which makes a provider of its name with the verbs that the vendor has", () => {
    const provider = factories[name]?.({
      apiKey: "sk-123456",
      fetch: spy().send,
      baseUrl: row.baseUrl ?? "https://a.test/v1",
    });
    expect(provider?.name).toBe(name);
    const chats = row.chats === false ? [] : ["chat", "streamChat"];
    const others = [...(row.embeds ? ["embed"] : []), ...(row.dialect.rerank ? ["rerank"] : [])];
    const prefills = row.dialect.prefill ? ["continueChat"] : [];
    const billing = ["litellm", "openrouter", "perplexity", "xai"].includes(name) ? ["billing"] : []; // they state what a call cost
    expect(provider?.billing).toEqual(billing.length === 0 ? undefined : { reportsCost: true });
    const tools = row.dialect.takesCustomTools ? ["takesCustomTools"] : [];
    const decides = decisionVendors.has(name) ? ["decide", "decides"] : []; // they sell models that do nothing else
    const stored = row.stored?.actions.length === 0 ? [] : ["storedResponse"];
    const background = row.stored?.background === false ? [] : ["worksInBackground"];
    const speaks = row.responses === "auto" ? ["speaksResponses", ...stored, ...background] : [];
    const all = [
      ...billing,
      ...decides,
      ...speaks,
      ...tools,
      ...chats,
      ...prefills,
      ...others,
      "listModels",
      "close",
      "name",
      "credentials",
    ];
    expect(Object.keys(provider ?? {}).sort()).toEqual(all.sort());
  });

  it("names the page that states its deviations, and the variable of its key", () => {
    expect(row.docs).toMatch(/^[a-z0-9.-]+\.[a-z]{2,}/);
    expect(row.env).toMatch(/^[A-Z0-9_]+$/);
  });

  it("shows its key in its header, and refuses an empty one by name", async () => {
    const { asked, send } = spy();
    const options = { baseUrl: "https://a.test/v1", fetch: send };
    const provider = compatible(name, { ...options, apiKey: " sk-123456\n" });
    if (provider.chat) await provider.chat({ model: "x/y", messages: [] }, recordedCall("y"));
    else await expect(provider.embed?.({ model: "x/y", input: "a" }, recordedCall("y"))).rejects.toThrow("vectors");
    expect(asked[0]?.headers[row.keyHeader ?? "authorization"]).toBe(row.keyHeader ? "sk-123456" : "Bearer sk-123456");
    const wrong = expect.objectContaining({ code: "invalid_configuration", param: "apiKey", provider: name });
    for (const apiKey of ["", "  "]) expect(() => compatible(name, { ...options, apiKey })).toThrow(wrong);
    if (row.needsKey) expect(() => compatible(name, options)).toThrow(wrong);
    else expect(compatible(name, options).name).toBe(name);
  });

  it("refuses a base URL that is none, by name", () => {
    const wrong = expect.objectContaining({ code: "invalid_configuration", param: "baseUrl" });
    expect(() => compatible(name, { apiKey: "sk-123456", baseUrl: "nowhere" })).toThrow(wrong);
  });
});

describe.each(names.filter((name) => compatibleProviders[name].chats !== false))("a chat with %s", (name) => {
  const row = compatibleProviders[name];

  it("sends, renames or warns of every field of the specification: none is lost in silence", async () => {
    const { asked, send } = spy();
    const provider = compatible(name, { apiKey: "sk-123456", fetch: send, baseUrl: "https://a.test/v1" });
    const call = recordedCall("some-model");
    await provider.chat?.(
      { model: `${name}/some-model`, messages: [{ role: "user", content: "Hi" }], ...everything },
      call,
    );
    const body = asked[0]?.body ?? {};
    const warned = new Set(call.warnings.map((warning) => /^`(\w+)` is not supported/.exec(warning)?.[1]));
    const { renamed = {}, countsLogprobs } = row.dialect;
    for (const [field, value] of Object.entries(everything)) {
      if (countsLogprobs && /logprobs/.test(field)) continue;
      const sent = body[renamed[field] ?? field];
      expect({ field, sent }).toEqual({ field, sent: warned.has(field) ? undefined : value });
    }
    expect(
      Object.keys(body).every(
        (field) =>
          field in everything || Object.values(renamed).includes(field) || /^(model|messages|stream)$/.test(field),
      ),
    ).toBe(true);
  });
});

describe("deviations of one vendor", () => {
  it("Mistral takes the tool calls of another vendor's conversation by names of its own form", async () => {
    const { asked, send } = spy();
    const tool_calls = [
      { id: "call_PTLP8xhu3uwZk4l3nlnrrJha", type: "function", function: { name: "f", arguments: "{}" } },
    ];
    const messages = [
      { role: "assistant" as const, content: null, tool_calls },
      { role: "tool" as const, tool_call_id: "call_PTLP8xhu3uwZk4l3nlnrrJha", content: "x" },
    ];
    await compatible("mistral", { apiKey: "k", fetch: send }).chat?.(
      { model: "mistral/m", messages },
      recordedCall("m"),
    );
    const ids = JSON.stringify(asked[0]?.body).match(/"(?:id|tool_call_id)":"([a-zA-Z0-9]{9})"/g);
    expect(ids).toHaveLength(2);
  });

  it.each([
    ["none", { thinking: { type: "disabled" } }],
    ["low", { thinking: { type: "enabled" }, reasoning_effort: "low" }],
    ["medium", { thinking: { type: "enabled" }, reasoning_effort: "high" }],
    ["xhigh", { thinking: { type: "enabled" }, reasoning_effort: "high" }],
  ] as const)("DeepSeek thinks at its own nearest level when %s is asked for", async (effort, body) => {
    const { asked, send } = spy();
    const request = { model: "deepseek/m", messages: [], reasoning: { effort } };
    await compatible("deepseek", { apiKey: "k", fetch: send }).chat?.(request, recordedCall("m"));
    expect(asked[0]?.body).toEqual({ model: "m", messages: [], stream: false, ...body });
  });

  it("Cerebras has no role of developers, and takes a prediction", async () => {
    const { asked, send } = spy();
    const prediction = { type: "content" as const, content: "x" };
    const messages = [{ role: "developer" as const, content: "Be brief." }];
    await compatible("cerebras", { apiKey: "k", fetch: send }).chat?.(
      { model: "cerebras/m", messages, prediction },
      recordedCall("m"),
    );
    expect(asked[0]?.body).toMatchObject({ messages: [{ role: "system", content: "Be brief." }], prediction });
  });

  it("Perplexity has the city in the location itself", async () => {
    const { asked, send } = spy();
    const web_search_options = { user_location: { type: "approximate", approximate: { city: "Bern" } } };
    const request = { model: "perplexity/sonar", messages: [], web_search_options };
    await compatible("perplexity", { apiKey: "k", fetch: send }).chat?.(request, recordedCall("sonar"));
    expect(asked[0]?.body.web_search_options).toEqual({ user_location: { city: "Bern" } });
  });
});

describe("base URLs", () => {
  const urlOf = async (make: (send: typeof fetch) => Provider) => {
    const { asked, send } = spy();
    await make(send).listModels?.(recordedCall(""));
    return asked[0]?.url;
  };

  it("get the row's path when they have none", async () => {
    const apiKey = "sk-123456";
    expect(await urlOf((fetch) => compatible("groq", { apiKey, fetch }))).toBe("https://api.groq.com/openai/v1/models");
    expect(await urlOf((fetch) => ollama({ fetch, baseUrl: "http://gpu:11434" }))).toBe("http://gpu:11434/v1/models");
    expect(await urlOf((fetch) => ollama({ fetch, baseUrl: "http://gpu:11434/api/v1/" }))).toBe(
      "http://gpu:11434/api/v1/models",
    );
    const endpoint = "https://r.openai.azure.com/";
    expect(await urlOf((fetch) => azure({ apiKey, fetch, baseUrl: endpoint }))).toBe(`${endpoint}openai/v1/models`);
  });

  it("of Azure are made of the resource", async () => {
    const apiKey = "sk-123456";
    expect(await urlOf((fetch) => azure({ apiKey, resource: "my-r", fetch }))).toBe(
      "https://my-r.openai.azure.com/openai/v1/models",
    );
    const wrong = expect.objectContaining({ code: "invalid_configuration", param: "resource" });
    expect(() => azure({ apiKey, resource: "a.b/c" })).toThrow(wrong);
    expect(() => azure({ apiKey })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", param: "baseUrl" }),
    );
  });
});

describe("custom", () => {
  it("takes a name, a base URL and deviations of its own", async () => {
    const { asked, send } = spy();
    const dialect = { renamed: { seed: "random_seed" }, unsupported: ["user"] };
    const provider = custom("in-house", {
      baseUrl: "https://llm.test/v2",
      fetch: send,
      dialect,
      embeds: false,
      models: ["a", "b"],
    });
    const call = recordedCall("m");
    await provider.chat?.({ model: "in-house/m", messages: [], seed: 1, user: "u" }, call);
    expect(asked[0]).toMatchObject({ url: "https://llm.test/v2/chat/completions", body: { random_seed: 1 } });
    expect(asked[0]?.headers.authorization).toBeUndefined();
    expect(call.warnings).toEqual(["`user` is not supported by in-house"]);
    expect(provider.embed).toBeUndefined();
    expect(await provider.listModels?.(recordedCall(""))).toEqual([{ id: "a" }, { id: "b" }]);
  });

  it("refuses a name that no model name can hold", () => {
    const wrong = expect.objectContaining({ code: "invalid_configuration", param: "name" });
    for (const name of ["", "A", "a/b", "-a", "a b"])
      expect(() => custom(name, { baseUrl: "https://a.test" })).toThrow(wrong);
  });
});
