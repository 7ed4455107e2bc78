import { describe, expect, it } from "vitest";
import { custom } from "../../../../adapters/providers/compatible/index.ts";
import { createEngine } from "../../../../src/index.ts";
import { readEvents } from "../../support/dialects/frames.ts";

const sealed = {
  ...{ index: 0, id: "fc1", type: "function", function: { name: "f", arguments: "{}" } },
  extra_content: { google: { thought_signature: "SIG" } },
};
const envelope = { id: "c", created: 1, model: "m" };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** What is read of an answer, in each dialect. */
interface Answered {
  readonly choices: readonly {
    readonly message: { readonly tool_calls: (typeof sealed)[] } & Record<string, unknown>;
  }[];
  readonly content: readonly { readonly id: string }[];
  readonly output: readonly object[];
}

/** Gemini behind OpenAI's dialect, which calls a tool in each answer; and what it was sent. */
function vendor(model = "gemini-3-pro") {
  const asked: { messages: { tool_calls?: { extra_content?: unknown }[] }[] }[] = [];
  const send = (async (_url: string, { body }: { body: string }) => {
    const request = JSON.parse(body);
    asked.push(request);
    const choice = { index: 0, finish_reason: "tool_calls" };
    if (!request.stream) {
      const message = { role: "assistant", content: null, tool_calls: [sealed] };
      return Response.json({ ...envelope, object: "chat.completion", choices: [{ ...choice, message }], usage });
    }
    const chunk = { ...envelope, object: "chat.completion.chunk", usage };
    const delta = { role: "assistant", tool_calls: [sealed] };
    const text = `data: ${JSON.stringify({ ...chunk, choices: [{ ...choice, delta }] })}\n\ndata: [DONE]\n\n`;
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  }) as unknown as typeof fetch;
  const engine = createEngine({ providers: [custom("g", { baseUrl: "https://vendor.example/v1", fetch: send })] });
  const post = async (path: string, body: object) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await engine.fetch(`http://engine${path}`, init);
    expect(response.status).toBe(200);
    return response;
  };
  const ask = async (path: string, body: object) => (await (await post(path, body)).json()) as Answered;
  const sentSeal = () => asked.at(-1)?.messages.flatMap(({ tool_calls: calls }) => calls ?? [])[0]?.extra_content;
  return { post, ask, sentSeal, model: `g/${model}` };
}

const user = { role: "user", content: "go" };

describe("Gemini's seal of a call is back at the vendor in the second turn", () => {
  it("by /v1/chat/completions, also from a client that keeps known fields only", async () => {
    const { ask, post, sentSeal, model } = vendor();
    const { choices } = await ask("/v1/chat/completions", { model, messages: [user] });
    const message = choices[0]?.message ?? { tool_calls: [] };
    const { role, content, tool_calls: calls, reasoning_details } = message as Answered["choices"][number]["message"];
    const known = calls.map(({ id, type, function: called }) => ({ id, type, function: called }));
    const result = { role: "tool", tool_call_id: "fc1", content: "r" };
    for (const turn of [
      { role, content, tool_calls: calls },
      { role, content, tool_calls: known, reasoning_details },
    ]) {
      await post("/v1/chat/completions", { model, messages: [user, turn, result] });
      expect(sentSeal()).toEqual({ google: { thought_signature: "SIG" } });
    }
  });

  it("by /anthropic, whole and streamed", async () => {
    const { ask, post, sentSeal, model } = vendor();
    const first = { model, max_tokens: 9, messages: [user] };
    const { content: whole } = await ask("/anthropic/v1/messages", first);
    const events = readEvents(await (await post("/anthropic/v1/messages", { ...first, stream: true })).text());
    const streamed = events.flatMap(({ data }) => (data as { content_block?: { id: string } }).content_block ?? []);
    for (const content of [whole, streamed]) {
      const result = { type: "tool_result", tool_use_id: content.at(-1)?.id, content: "r" };
      const messages = [user, { role: "assistant", content }, { role: "user", content: [result] }];
      await post("/anthropic/v1/messages", { ...first, messages });
      expect(sentSeal()).toEqual({ google: { thought_signature: "SIG" } });
    }
  });

  it("by /v1/responses, whole and streamed", async () => {
    const { ask, post, sentSeal, model } = vendor();
    const { output: whole } = await ask("/v1/responses", { model, input: "go" });
    const events = readEvents(await (await post("/v1/responses", { model, input: "go", stream: true })).text());
    const last = events.at(-1)?.data as { response?: Answered } | undefined;
    for (const output of [whole, last?.response?.output ?? []]) {
      const input = [user, ...output, { type: "function_call_output", call_id: "fc1", output: "r" }];
      await post("/v1/responses", { model, input });
      expect(sentSeal()).toEqual({ google: { thought_signature: "SIG" } });
    }
  });

  it("and at no model that does not know it", async () => {
    const { ask, post, sentSeal, model } = vendor("some-model");
    const { choices } = await ask("/v1/chat/completions", { model, messages: [user] });
    const result = { role: "tool", tool_call_id: "fc1", content: "r" };
    await post("/v1/chat/completions", { model, messages: [user, choices[0]?.message, result] });
    expect(sentSeal()).toBeUndefined();
  });
});
