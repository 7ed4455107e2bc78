import { describe, expect, it } from "vitest";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { recordedCall } from "../../../../src/testing/conformance/provider/play.ts";
import { played } from "../../support/shared/openai/setup.ts";

const request = { model: "acme/m", messages: [{ role: "user" as const, content: "Hi" }] };

async function chat(body: unknown) {
  const { provider } = played({ body });
  return await provider.chat?.(request, recordedCall("m"));
}

async function codeOf(promise: Promise<unknown>) {
  const thrown = await promise.catch((error: unknown) => error);
  return isGatewayError(thrown) ? [thrown.code, thrown.status] : thrown;
}

describe("a whole answer of OpenAI's dialect", () => {
  it("is read when the vendor leaves out all that can be left out", async () => {
    const answer = await chat({ choices: [{ message: { content: "Hi", tool_calls: null } }] });
    expect(answer).toEqual({
      id: "01conformance",
      object: "chat.completion",
      created: Math.floor(recordedCall("m").startedAt / 1_000),
      model: "m",
      choices: [{ index: 0, finish_reason: null, message: { role: "assistant", content: "Hi" } }],
    });
  });

  it("gives tool calls identifiers and text arguments where the vendor gives none", async () => {
    const tool_calls = [
      { function: { name: "a", arguments: { x: 1 } } },
      { id: "", function: { name: "b", arguments: null } },
    ];
    const answer = await chat({ choices: [{ message: { tool_calls } }] });
    expect(answer?.choices[0]?.message.tool_calls).toEqual([
      { id: "call_01conformance_0_0", type: "function", function: { name: "a", arguments: '{"x":1}' } },
      { id: "call_01conformance_0_1", type: "function", function: { name: "b", arguments: "" } },
    ]);
  });

  it("cannot be read where its tool calls are no list, or one of them names no function", async () => {
    const odd = [
      { id: "c", function: { name: "f" } },
      "none",
      [{ id: "c", function: { arguments: "{}" } }],
      [{ id: "c" }],
    ];
    for (const tool_calls of odd)
      expect(await codeOf(chat({ choices: [{ message: { tool_calls } }] }))).toEqual([
        "upstream_invalid_response",
        502,
      ]);
    const custom = [{ id: "c", type: "custom", custom: { name: "grep", input: "a" } }];
    expect((await chat({ choices: [{ message: { tool_calls: custom } }] }))?.choices[0]?.message.tool_calls).toEqual(
      custom,
    );
  });

  it("cites by addresses, whether the vendor tells them or what they stand in", async () => {
    const citations = ["https://a.example/", { url: "https://b.example/", title: "B" }, { title: "C" }, null, 4];
    expect(await chat({ choices: [{ message: {} }], citations })).toMatchObject({
      citations: ["https://a.example/", "https://b.example/"],
    });
  });

  it("is the vendor's error when it holds one", async () => {
    expect(await codeOf(chat({ error: { message: "no", code: 503 } }))).toEqual(["upstream_error", 503]);
    expect(await codeOf(chat({ error: { message: "no" }, choices: [] }))).toEqual(["upstream_error", 502]);
    expect(await codeOf(chat({ choices: [{ message: {}, error: { message: "no", code: 429 } }] }))).toEqual([
      "upstream_error",
      429,
    ]);
    const cut = { choices: [{ message: { content: "half" }, finish_reason: "insufficient_system_resource" }] };
    expect(await codeOf(chat(cut))).toEqual(["upstream_error", 502]);
    expect(await codeOf(chat({ error: null, choices: [{ message: {} }] }))).toMatchObject({ choices: [{ index: 0 }] });
  });

  it("cannot be read without choices", async () => {
    for (const body of [[], "text", 5, null, {}, { choices: "no" }, { choices: [] }, { choices: [null, 5] }]) {
      expect(await codeOf(chat(body))).toEqual(["upstream_invalid_response", 502]);
    }
  });
});

describe("a request of OpenAI's dialect", () => {
  it("is warned of once, however many messages there are", async () => {
    const told = { role: "assistant" as const, content: "Hi", reasoning: "hm" };
    const call = recordedCall("m");
    await played({ body: { choices: [{ message: {} }] } }).provider.chat?.(
      { ...request, messages: [told, told, told] },
      call,
    );
    expect(call.warnings).toEqual(["`messages[].reasoning` is not supported by acme"]);
  });
});

describe("embeddings and models of OpenAI's dialect", () => {
  const embed = async (body: unknown) =>
    await played({ body }).provider.embed?.({ model: "acme/m", input: "a" }, recordedCall("m"));
  const list = async (body: unknown) => await played({ body }).provider.listModels?.(recordedCall(""));

  it("cannot be read without vectors", async () => {
    for (const body of [[], {}, { data: [{ index: 0 }] }, { data: [{ embedding: 5 }] }]) {
      expect(await codeOf(embed(body))).toEqual(["upstream_invalid_response", 502]);
    }
    expect(await codeOf(embed({ error: { message: "no" } }))).toEqual(["upstream_error", 502]);
  });

  it("cannot be read without a list of models; entries without an id are left out", async () => {
    for (const body of [{}, { data: {} }, "x"])
      expect(await codeOf(list(body))).toEqual(["upstream_invalid_response", 502]);
    expect(
      await list({ data: [{ id: "a", created: -1, owned_by: null, context_length: "x" }, { name: "b" }, null] }),
    ).toEqual([{ id: "a" }]);
  });
});
