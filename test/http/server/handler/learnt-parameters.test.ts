import { describe, expect, it } from "vitest";
import { custom } from "../../../../adapters/providers/compatible/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { Transport, WireRequest } from "../../../../src/engine/ports/transport.ts";
import { createEngine, type Provider } from "../../../../src/index.ts";

const json = { "content-type": "application/json" };
const answer = {
  id: "c",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } }],
};
const chunk = { ...answer, choices: [{ index: 0, finish_reason: "stop", delta: { content: "ok" } }] };

/** A vendor that refuses bodies with these fields, in these words, and what it was asked. */
function picky(field: string, error: object, status = 400) {
  const asked: Record<string, unknown>[] = [];
  const judge = ({ body }: WireRequest) => {
    const parsed = JSON.parse(`${body}`) as Record<string, unknown>;
    asked.push(parsed);
    return parsed[field] === undefined;
  };
  const transport: Transport = {
    whole: async (request) =>
      judge(request)
        ? { status: 200, headers: json, body: JSON.stringify(answer) }
        : { status, headers: json, body: JSON.stringify({ error }) },
    stream: async (request) =>
      judge(request)
        ? {
            status: 200,
            headers: { "content-type": "text/event-stream" },
            body: textOf(`data: ${JSON.stringify(chunk)}\n\n`),
          }
        : { status, headers: json, body: textOf(JSON.stringify({ error })) },
    close: async () => {},
  };
  return { transport, asked };
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const messages: ChatRequest["messages"] = [{ role: "user", content: "go" }];

async function warningsOf(provider: Provider, request: ChatRequest, isStream: boolean): Promise<string> {
  const engine = createEngine({ providers: [provider] });
  try {
    if (!isStream) return `${(await engine.chat(request)).extra_fields?.warnings}`;
    let warnings = "";
    for await (const { extra_fields: extra } of await engine.streamChat(request))
      warnings += `${extra?.warnings ?? ""}`;
    return warnings;
  } finally {
    await engine.close();
  }
}

describe.each([false, true])("a refusal that names a parameter (streamed: %s)", (isStream) => {
  it.each([
    ["seed", { message: "Unsupported parameter: 'seed' is not supported with this model.", param: "seed" }, 400],
    ["top_p", { message: "Unrecognized request argument supplied: top_p" }, 400],
    ["of_tomorrow", { message: "Unknown field: `of_tomorrow`", param: null }, 422],
  ])(
    "%s is learnt: dropped, asked again once, remembered for the model, named in the warnings",
    async (field, error, status) => {
      const { transport, asked } = picky(field, error, status);
      const provider = custom("lab", { baseUrl: "https://lab.test/v1", transport });
      const request: ChatRequest = { model: "lab/m", messages, seed: 1, top_p: 0.5, of_tomorrow: true };
      expect(await warningsOf(provider, request, isStream)).toContain(`\`${field}\` is not supported by m of lab`);
      expect(asked.map((body) => field in body)).toEqual([true, false]);
      expect(await warningsOf(provider, request, isStream)).toContain(`\`${field}\``);
      expect(asked).toHaveLength(3);
      await warningsOf(provider, { ...request, model: "lab/other" }, isStream);
      expect(asked.slice(3).map((body) => field in body)).toEqual([true, false]);
    },
  );

  it("that gives another name of a bound is followed, and the bound stays", async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const { transport, asked } = picky("max_tokens", { message, param: "max_tokens", code: "unsupported_parameter" });
    const dialect = { renamed: { max_completion_tokens: "max_tokens" } };
    const provider = custom("lab", { baseUrl: "https://lab.test/v1", transport, dialect });
    await warningsOf(provider, { model: "lab/m", messages, max_completion_tokens: 7 }, isStream);
    expect(asked.at(-1)).toMatchObject({ max_completion_tokens: 7 });
  });

  it.each([
    ["tools", "Unsupported parameter: 'tools' is not supported."],
    ["max_completion_tokens", "Unsupported parameter: 'max_completion_tokens' is not supported."],
    ["seed", "Invalid value for 'seed'."],
  ])("%s stands where it asks for something else, or is no refusal of the parameter", async (field, message) => {
    const { transport, asked } = picky(field, { message, param: field });
    const provider = openai({ apiKey: "k", transport });
    const tools = [{ type: "function" as const, function: { name: "f" } }];
    const request: ChatRequest = { model: "openai/gpt-4.1", messages, seed: 1, max_completion_tokens: 7, tools };
    await expect(warningsOf(provider, request, isStream)).rejects.toMatchObject({ code: "upstream_error", message });
    expect(asked).toHaveLength(1);
  });
});
