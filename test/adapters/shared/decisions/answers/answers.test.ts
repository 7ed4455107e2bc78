import { describe, expect, it } from "vitest";
import { gemini } from "../../../../../adapters/providers/gemini/index.ts";
import { ChatResponse } from "../../../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../../../src/engine/ports/provider.ts";
import { failureOf, pairedNames, playedTransport, readAnswer, recordedCall } from "../../../../fixtures/native.ts";

const request = { model: "gemini/gemini-3.8-flash", messages: [{ role: "user" as const, content: "Hi" }] };

async function answer(body: unknown, call: ProviderCall = recordedCall("gemini-3.8-flash")) {
  const provider = gemini({ apiKey: "k", transport: playedTransport({ bodies: [body] }) });
  return (await provider.chat?.(request, call)) as ChatResponse;
}

const whole = (name: string, call?: ProviderCall) => answer(readAnswer(`gemini/${name}.json`), call);

describe("a whole answer", () => {
  it("without a candidate says so", async () => {
    const failure = await failureOf(answer({ usageMetadata: { promptTokenCount: 3 } }));
    expect(failure).toMatchObject({
      code: "upstream_invalid_response",
      message: expect.stringContaining("no candidate"),
    });
  });

  it.each(pairedNames("gemini"))("%s is valid on the wire, with usage", async (name) => {
    const read = await whole(name);
    expect(ChatResponse.safeParse(read).error).toBeUndefined();
    expect(read.usage?.total_tokens).toBeGreaterThan(0);
  });

  it.each([
    ["text", "stop"],
    ["tools", "tool_calls"],
    ["tools-without-ids", "tool_calls"],
    ["max-tokens", "length"],
    ["safety", "content_filter"],
    ["blocked", "content_filter"],
    ["malformed", "error"],
  ])("%s ends with %s", async (name, reason) => {
    expect((await whole(name)).choices[0]?.finish_reason).toBe(reason);
  });

  it("holds calls with their ids, and the signature that came with the first", async () => {
    const { id, model, created, choices } = await whole("tools");
    expect({ id, model, created }).toEqual({
      id: "TLS0aK2bL8e1nvgP0002",
      model: "gemini-3.8-flash",
      created: 1_795_132_800,
    });
    expect(choices[0]?.message).toEqual({
      role: "assistant",
      content: null,
      reasoning_details: [
        {
          type: "reasoning.encrypted",
          index: 0,
          format: "google-gemini-v1",
          id: "fc-8a1",
          data: expect.stringMatching(/^CiQB.+==$/),
        },
      ],
      tool_calls: [
        {
          id: "fc-8a1",
          type: "function",
          function: { name: "get_weather", arguments: '{"city":"Paris","unit":"celsius"}' },
        },
        {
          id: "fc-8a2",
          type: "function",
          function: { name: "get_time", arguments: '{"zone":"Europe/Paris","precise":true}' },
        },
      ],
    });
  });

  it("makes ids where the vendor gives none: of the attempt's own, each call its own", async () => {
    const { tool_calls = [] } = (await whole("tools-without-ids")).choices[0]?.message ?? {};
    expect(tool_calls.map(({ id, function: named }) => [id, named?.arguments])).toEqual([
      ["call_01jd0000000000000000000000_0", '{"city":"Paris"}'],
      ["call_01jd0000000000000000000000_1", "{}"],
    ]);
  });

  it("tells thoughts from text, and where the signature of the text stands", async () => {
    expect((await whole("thinking")).choices[0]?.message).toMatchObject({
      content: "The answer is 4.",
      reasoning: "**Weighing it**\n\nTwo and two — four.",
      reasoning_details: [
        { type: "reasoning.text", index: 0, text: "**Weighing it**\n\nTwo and two — four." },
        { type: "reasoning.encrypted", index: 1, data: "EtAECs0EAdHtim9+Zw/3kQ==", end_index: 16 },
      ],
    });
  });

  it("counts thoughts in the completion, cached tokens and modalities in the prompt", async () => {
    expect((await whole("thinking")).usage).toEqual({
      prompt_tokens: 12,
      completion_tokens: 146,
      total_tokens: 158,
      prompt_tokens_details: { text_tokens: 12 },
      completion_tokens_details: { reasoning_tokens: 140 },
    });
    expect(await whole("cached")).toMatchObject({
      service_tier: "priority",
      usage: {
        prompt_tokens_details: { text_tokens: 3_300, image_tokens: 516, audio_tokens: 284, cached_read_tokens: 3_072 },
        completion_tokens_details: { text_tokens: 5 },
      },
    });
  });

  it("names the sources of a search by places in the text, which the vendor counts in bytes", async () => {
    const { choices, search_results, usage } = await whole("search");
    const { content, annotations = [] } = choices[0]?.message ?? {};
    expect(
      annotations.map(({ url_citation: c }) => [String(content).slice(c?.start_index, c?.end_index), c?.url]),
    ).toEqual([
      ["Der Mond braucht ≈ 27,3 Tage.", "https://example.org/moon"],
      ["Die Gezeiten folgen ihm.", "https://example.com/tides"],
      ["Die Gezeiten folgen ihm.", "https://example.org/moon"],
    ]);
    expect(search_results).toEqual([
      { url: "https://example.org/moon", title: "example.org" },
      { url: "https://example.com/tides", title: "example.com" },
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 225, completion_tokens_details: { num_search_queries: 2 } });
  });

  it("names pages without a place where the vendor names none, and works that are recited", async () => {
    const grounding = { groundingChunks: [{ web: { uri: "https://a.example" } }, {}] };
    const content = { parts: [{ text: "Hi" }] };
    const read = await answer({ candidates: [{ content, finishReason: "STOP", groundingMetadata: grounding }] });
    expect(read.choices[0]?.message.annotations).toEqual([
      { type: "url_citation", url_citation: { url: "https://a.example" } },
    ]);
    expect((await whole("recitation")).choices[0]?.message.annotations).toEqual([
      { type: "url_citation", url_citation: { start_index: 0, end_index: 19, url: "https://example.org/hamlet" } },
    ]);
  });

  it("gives images as data URLs, with their signature, and tokens by modality", async () => {
    const { choices, usage } = await whole("image");
    expect(choices[0]?.message).toMatchObject({
      content: "Here:",
      images: [{ type: "image_url", index: 0, image_url: { url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==" } }],
      reasoning_details: [{ type: "reasoning.encrypted", id: "image_0", data: "EtAECs0EAdHtim9+Zw/3kQ==" }],
    });
    expect(usage?.completion_tokens_details).toEqual({ image_tokens: 1_290, text_tokens: 5 });
  });

  it("gives sound", async () => {
    const part = { inlineData: { mimeType: "audio/L16;rate=24000", data: "AAAB" } };
    const read = await answer({ candidates: [{ content: { parts: [part] }, finishReason: "STOP" }] });
    expect(read.choices[0]?.message.audio).toEqual({ id: "audio_01jd0000000000000000000000_0", data: "AAAB" });
  });

  it("gives log probabilities with the alternatives", async () => {
    expect((await whole("logprobs")).choices[0]?.log_probs).toEqual({
      content: [
        {
          token: "Yes",
          logprob: -0.05,
          top_logprobs: [
            { token: "Yes", logprob: -0.05 },
            { token: "No", logprob: -3.1 },
          ],
        },
        {
          token: ".",
          logprob: -0.001,
          top_logprobs: [
            { token: ".", logprob: -0.001 },
            { token: "!", logprob: -7 },
          ],
        },
      ],
    });
  });

  it("of several candidates is several choices, in order, with ids of their own", async () => {
    const part = { functionCall: { name: "f" } };
    const candidates = [1, 0].map((index) => ({ index, content: { parts: [part] }, finishReason: "STOP" }));
    const { choices } = await answer({ candidates });
    expect(choices.map(({ index, message }) => [index, message.tool_calls?.[0]?.id])).toEqual([
      [0, "call_01jd0000000000000000000000_0"],
      [1, "call_01jd0000000000000000000000_1_0"],
    ]);
  });

  it("of a blocked prompt says so", async () => {
    expect((await whole("blocked")).choices[0]?.message.refusal).toBe("The prompt was blocked: PROHIBITED_CONTENT.");
  });

  it("warns of an end that is an error, and of parts that have no place on the wire", async () => {
    const call = recordedCall("gemini-3.8-flash");
    await whole("malformed", call);
    const parts = [{ executableCode: { code: "1" } }, { inlineData: { mimeType: "video/mp4", data: "AAAA" } }];
    await answer({ candidates: [{ content: { parts }, finishReason: "STOP" }] }, call);
    expect(call.warnings).toEqual([
      "the answer ended with MALFORMED_FUNCTION_CALL: Malformed function call: print(default_api",
      "a part with `executableCode` in the answer is left out",
      "a part of type video/mp4 in the answer is left out",
    ]);
  });

  it.each([[{}], [{ candidates: [] }], [[]], ["text"]])("that is none is unreadable: %j", async (body) => {
    expect((await failureOf(answer(body))).code).toBe("upstream_invalid_response");
  });
});
