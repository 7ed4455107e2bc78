import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openai } from "../../../../adapters/providers/openai.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { createEngine, type Provider } from "../../../../src/index.ts";
import { readEvents } from "../../support/dialects/frames.ts";
import { eventsOf, type Item, newestOpenai, responseWith } from "../../support/responses/newest-openai.ts";

const thought: Item = {
  id: "rs_a1",
  type: "reasoning",
  summary: [{ type: "summary_text", text: "I look." }],
  encrypted_content: "SEALED",
};
const call: Item = {
  id: "fc_a1",
  type: "function_call",
  call_id: "c1",
  name: "w",
  arguments: '{"c":"Oslo"}',
  status: "completed",
};
const patch: Item = { id: "ctc_a1", type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin" };
const message: Item = {
  id: "msg_a1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "It rains.", annotations: [], logprobs: [] }],
};
const search: Item = {
  id: "ws_a1",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: "x" },
};
const weather = { name: "w", parameters: { type: "object", properties: { c: { type: "string" } } } };
const tools = [
  { type: "function", ...weather },
  { type: "custom", name: "apply_patch" },
];

function rig(responses: Parameters<typeof newestOpenai>[0], others: readonly Provider[] = [], size?: number) {
  const vendor = newestOpenai(responses, { size });
  const provider = openai({ apiKey: "k", transport: vendor.transport });
  return { ...vendor, engine: createEngine({ providers: [provider, ...others] }) };
}

type Rig = ReturnType<typeof rig>;

async function post({ engine }: Pick<Rig, "engine">, body: object) {
  const headers = { "content-type": "application/json" };
  const answer = await engine.fetch("http://e/v1/responses", { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await textOf(answer), warnings: answer.headers.get("x-tg-warnings") };
}

/** The text of a body, also of one that breaks. */
async function textOf(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of answer.body ?? []) pieces.push(piece);
  } catch {} // the last frame says why
  return Buffer.concat(pieces).toString();
}

const ask = { model: "openai/gpt-5.6-sol", input: "go", reasoning: { effort: "high", summary: "auto" }, tools };

describe("a Responses request to OpenAI", () => {
  const items = fc.subarray([thought, search, call, patch, message], { minLength: 1 });

  it("and its answer pass untouched, whole", async () => {
    const field = fc.constantFrom("top_p", "of_tomorrow", "metadata", "prompt_cache_key");
    await fc.assert(
      fc.asyncProperty(items, fc.dictionary(field, fc.constant(1)), fc.array(items), async (output, more, turns) => {
        const { top_p, of_tomorrow, prompt_cache_key, metadata } = more;
        const extra = {
          ...(top_p && { top_p }),
          ...(of_tomorrow && { of_tomorrow }),
          ...(prompt_cache_key && { prompt_cache_key: "k" }),
          ...(metadata && { metadata: { a: "b" } }),
        };
        const asked = { ...ask, ...extra, input: [{ role: "user", content: "go" }, ...turns.flat()] };
        const response = responseWith([thought, ...output]);
        const openaiRig = rig([response]);
        const answer = await post(openaiRig, asked);
        expect(JSON.parse(answer.text)).toEqual(response);
        expect(openaiRig.asked).toEqual([{ path: "/v1/responses", body: { ...asked, model: "gpt-5.6-sol" } }]);
        expect(answer.warnings).toBeNull();
        await openaiRig.engine.close();
      }),
      { numRuns: 40 },
    );
  });

  it("and its answer pass untouched, streamed: events, order, ids, seals", async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 9 }), async (output, size) => {
        const response = responseWith(output);
        const openaiRig = rig([response], [], size);
        const { text } = await post(openaiRig, { ...ask, stream: true });
        expect(readEvents(text).map(({ data }) => data)).toEqual(JSON.parse(JSON.stringify(eventsOf(response, size))));
        await openaiRig.engine.close();
      }),
      { numRuns: 40 },
    );
  });

  it("with hosted tools and stored turns reaches OpenAI; others refuse it", async () => {
    const hosted = { ...ask, previous_response_id: "resp_0", tools: [{ type: "code_interpreter", container: {} }] };
    const openaiRig = rig([responseWith([message])]);
    expect((await post(openaiRig, hosted)).status).toBe(200);
    expect(openaiRig.asked[0]?.body).toMatchObject({ previous_response_id: "resp_0", tools: hosted.tools });
    const other = createEngine({ providers: [{ name: "lab", chat: () => Promise.reject(new Error("asked")) }] });
    const refused = await post({ engine: other }, { ...hosted, model: "lab/m" });
    expect(JSON.parse(refused.text).error).toMatchObject({
      code: "unsupported_operation",
      param: "previous_response_id",
    });
    await openaiRig.engine.close();
    await other.close();
  });

  it("leaves out thoughts of other vendors, with a warning", async () => {
    const packed =
      Buffer.from("tollgate1").toString("base64") + Buffer.from('{"type":"reasoning.text"}').toString("base64");
    const foreign = { id: "rs_x_0", type: "reasoning", summary: [], encrypted_content: packed };
    const openaiRig = rig([responseWith([thought, message])]);
    const input = [{ role: "user", content: "go" }, foreign, { ...call, id: "fc_x_1" }];
    const answer = await post(openaiRig, { ...ask, input });
    expect(answer.status).toBe(200);
    const { id: _ours, ...sent } = call;
    expect(openaiRig.asked[0]?.body.input).toEqual([input[0], sent]);
    expect(answer.warnings).toContain("`input.1` holds reasoning of another vendor");
    await openaiRig.engine.close();
  });

  it.each([
    ["failed", { error: { code: "server_error", message: "Broken." } }, "response.failed"],
    ["incomplete", { incomplete_details: { reason: "max_output_tokens" } }, "response.incomplete"],
  ])("that is %s ends so", async (status, more, last) => {
    const openaiRig = rig([responseWith([message], { status, ...more })]);
    const { text } = await post(openaiRig, { ...ask, stream: true });
    expect(readEvents(text).at(-1)?.data).toMatchObject({ type: last, response: { status } });
    const whole = await post(openaiRig, ask);
    expect(whole.status).toBe(status === "failed" ? 502 : 200);
    await openaiRig.engine.close();
  });
});

describe("a chat with a model that OpenAI serves at /responses only", () => {
  const chat: ChatRequest = {
    model: "openai/gpt-5.6-sol",
    messages: [{ role: "user", content: "go" }],
    reasoning: { effort: "high" },
    tools: [{ type: "function", function: weather }],
  };

  it("is translated, and its thoughts come back to OpenAI in the next turn, whole and streamed", async () => {
    const output = [thought, message, call, patch];
    const openaiRig = rig([responseWith(output)]);
    const whole = await openaiRig.engine.chat(chat);
    const [choice] = whole.choices;
    expect(choice).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: "It rains.", reasoning: "I look." },
    });
    expect(whole.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 });
    const second = [
      ...chat.messages,
      choice?.message ?? chat.messages[0],
      { role: "tool", tool_call_id: "c1", content: "ok" },
    ];
    await openaiRig.engine.chat({ ...chat, messages: second as ChatRequest["messages"] });
    expect(openaiRig.asked.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/responses"]);
    expect(openaiRig.asked[0]?.body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
    expect(openaiRig.asked[1]?.body.input).toMatchObject([
      { role: "user" },
      { type: "reasoning", id: "rs_a1", encrypted_content: "SEALED" },
      { role: "assistant", content: [{ type: "output_text", text: "It rains." }] },
      { type: "function_call", call_id: "c1", name: "w", arguments: '{"c":"Oslo"}' },
      { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin" },
      { type: "function_call_output", call_id: "c1", output: "ok" },
    ]);
    const streamed = { text: "", reasoning: "", arguments: "", input: "", seal: "", finish: "" };
    for await (const { choices } of await openaiRig.engine.streamChat(chat)) {
      const { delta, finish_reason: finish } = choices[0] ?? { delta: {}, finish_reason: null };
      streamed.text += delta.content ?? "";
      streamed.reasoning += delta.reasoning ?? "";
      streamed.seal += delta.reasoning_details?.map(({ data = "" }) => data).join("") ?? "";
      for (const { function: called, custom } of delta.tool_calls ?? []) {
        streamed.arguments += called?.arguments ?? "";
        streamed.input += (custom as { input?: string } | undefined)?.input ?? "";
      }
      streamed.finish += finish ?? "";
    }
    const expected = { text: "It rains.", reasoning: "I look.", arguments: '{"c":"Oslo"}', input: "*** Begin" };
    expect(streamed).toEqual({ ...expected, seal: "SEALED", finish: "tool_calls" });
    await openaiRig.engine.close();
  });

  it("of an unknown name is sent on after the refusal, which is remembered and seen in the events", async () => {
    const openaiRig = rig([responseWith([message])]);
    const endpoints: unknown[] = [];
    openaiRig.engine.on("attempted", ({ endpoint }) => endpoints.push(endpoint));
    const unknown = { ...chat, model: "openai/orion" };
    await openaiRig.engine.chat(unknown);
    for await (const _chunk of await openaiRig.engine.streamChat(unknown));
    const paths = openaiRig.asked.map(({ path }) => path);
    expect(paths).toEqual(["/v1/chat/completions", "/v1/responses", "/v1/responses"]);
    expect(endpoints).toEqual(["/responses", "/responses"]);
    const other = rig([responseWith([message])]);
    for await (const _chunk of await other.engine.streamChat(unknown));
    expect(other.asked.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/responses"]);
    await openaiRig.engine.close();
    await other.engine.close();
  });

  it("that fails is an error, and the fallback answers", async () => {
    const failed = responseWith([], { status: "failed", error: { code: "server_error", message: "Broken." } });
    const head = { id: "a", created: 1, object: "chat.completion", model: "m" };
    const message = { role: "assistant" as const, content: "from the lab" };
    const lab: Provider = {
      name: "lab",
      chat: async () => ({ ...head, choices: [{ index: 0, finish_reason: "stop", message }] }),
    };
    const openaiRig = rig([failed], [lab]);
    await expect(openaiRig.engine.chat(chat)).rejects.toMatchObject({ code: "upstream_error", message: "Broken." });
    const answer = await openaiRig.engine.chat({ ...chat, fallbacks: ["lab/m"] });
    expect(answer.choices[0]?.message.content).toBe("from the lab");
    const native = await post(openaiRig, { ...ask, fallbacks: ["lab/m"] });
    expect(JSON.parse(native.text).output[0]).toMatchObject({ content: [{ text: "from the lab" }] });
    await openaiRig.engine.close();
  });
});
