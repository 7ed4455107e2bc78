import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../../../adapters/providers/cohere/index.ts";
import { gemini } from "../../../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../../../adapters/providers/openai.ts";
import { unreadableAnswer } from "../../../../../adapters/shared/chat/lenient.ts";
import type { ChatResponse } from "../../../../../src/engine/api/chat.ts";
import { ModelListResponse } from "../../../../../src/engine/api/models.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import { collect, failureOf, recordedCall } from "../../../../fixtures/native.ts";
import { answered, streamed } from "../../../../fixtures/odd.ts";

const request = { model: "any/m", messages: [{ role: "user" as const, content: "Go" }] };

/** The rows of a table of one column, lists among them. */
const each = (oddities: readonly unknown[]) => oddities.map((odd) => ({ odd }));

/** An answer of each vendor, of the parts that all of them have. */
interface Parts {
  readonly id?: unknown;
  readonly text?: unknown;
  readonly call?: { readonly id?: unknown; readonly name?: unknown };
  readonly usage?: { readonly prompt?: unknown; readonly completion?: unknown };
}

interface Vendor {
  open(options: { readonly apiKey: string; readonly transport: ReturnType<typeof answered> }): Provider;
  write(parts: Parts): unknown;
}

const vendors: Record<string, Vendor> = {
  openai: {
    open: openai,
    write: ({ id = "1", text = "hi", call, usage }) => ({
      id,
      choices: [
        {
          finish_reason: "stop",
          message: {
            content: text,
            tool_calls: call && [{ id: call.id, function: { name: call.name, arguments: "{}" } }],
          },
        },
      ],
      usage: usage && { prompt_tokens: usage.prompt, completion_tokens: usage.completion },
    }),
  },
  anthropic: {
    open: anthropic,
    write: ({ id = "1", text = "hi", call, usage }) => ({
      id,
      content: [
        { type: "text", text },
        ...(call ? [{ type: "tool_use", id: call.id, name: call.name, input: {} }] : []),
      ],
      stop_reason: "end_turn",
      usage: usage && { input_tokens: usage.prompt, output_tokens: usage.completion },
    }),
  },
  bedrock: {
    open: (options) => bedrock({ region: "us-east-1", ...options }),
    write: ({ text = "hi", call, usage }) => ({
      output: {
        message: {
          content: [{ text }, ...(call ? [{ toolUse: { toolUseId: call.id, name: call.name, input: {} } }] : [])],
        },
      },
      stopReason: "end_turn",
      usage: usage && { inputTokens: usage.prompt, outputTokens: usage.completion },
    }),
  },
  gemini: {
    open: gemini,
    write: ({ id = "1", text = "hi", call, usage }) => ({
      responseId: id,
      candidates: [
        {
          content: {
            parts: [{ text }, ...(call ? [{ functionCall: { id: call.id, name: call.name, args: {} } }] : [])],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: usage && { promptTokenCount: usage.prompt, candidatesTokenCount: usage.completion },
    }),
  },
  cohere: {
    open: cohere,
    write: ({ id = "1", text = "hi", call, usage }) => ({
      id,
      finish_reason: "COMPLETE",
      message: {
        content: [{ type: "text", text }],
        tool_calls: call && [{ id: call.id, function: { name: call.name, arguments: "{}" } }],
      },
      usage: usage && { billed_units: { input_tokens: usage.prompt, output_tokens: usage.completion } },
    }),
  },
};

async function ask({ open, write }: Vendor, parts: Parts): Promise<ChatResponse> {
  const provider = open({ apiKey: "k-0123456789", transport: answered(JSON.stringify(write(parts))) });
  return (await provider.chat?.(request, recordedCall("m"))) as ChatResponse;
}

describe.each(Object.entries(vendors))("an answer of %s", (_name, vendor) => {
  it.each(each([5, "", {}, [], true]))("goes by a name of ours where its own is $odd", async ({ odd: id }) => {
    expect((await ask(vendor, { id })).id).toBe("01jd0000000000000000000000");
  });

  it.each(each([5, 0.5, {}, [], true]))("is none where its text is $odd", async ({ odd: text }) => {
    if (Array.isArray(text) && vendor === vendors.openai) return; // a list of parts
    expect((await failureOf(ask(vendor, { text }))).code).toBe("upstream_invalid_response");
  });

  it.each(each([5, "", null, undefined, {}]))(
    "has an identifier of ours for a call whose own is $odd",
    async ({ odd: id }) => {
      const { choices } = await ask(vendor, { call: { id, name: "f" } });
      expect(choices[0]?.message.tool_calls?.[0]?.id).toMatch(/^call_01jd/);
    },
  );

  it.each(each([5, {}, [], true]))("is none where a call is of $odd", async ({ odd: name }) => {
    expect((await failureOf(ask(vendor, { call: { id: "c", name } }))).code).toBe("upstream_invalid_response");
  });

  it.each(each([-3, "12", {}, true, [5]]))("tells no usage where a count is $odd", async ({ odd: count }) => {
    expect((await ask(vendor, { usage: { prompt: count, completion: 1 } })).usage).toBeUndefined();
    expect((await ask(vendor, { usage: { prompt: 1, completion: count } })).usage).toBeUndefined();
  });

  it("tells no usage where no count is told, so that nothing is billed as if it were free", async () => {
    expect((await ask(vendor, { usage: {} })).usage).toBeUndefined();
    expect((await ask(vendor, { usage: { prompt: 7 } })).usage).toMatchObject({ prompt_tokens: 7, total_tokens: 7 });
  });
});

describe("a message of OpenAI's dialect", () => {
  it.each(each(["hi", 5, true, [], ["hi"]]))(
    "is none where it is $odd: the answer would be empty, and paid for",
    async ({ odd }) => {
      const whole = answered(JSON.stringify({ choices: [{ finish_reason: "stop", message: odd }] }));
      const asked = openai({ apiKey: "k-0123456789", transport: whole }).chat?.(request, recordedCall("m"));
      expect((await failureOf(Promise.resolve(asked))).code).toBe("upstream_invalid_response");
      const chunk = { choices: [{ index: 0, finish_reason: "stop", delta: odd }] };
      const transport = streamed(
        "text/event-stream",
        Buffer.from(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`),
      );
      const chunks = collect(openai({ apiKey: "k-0123456789", transport }).streamChat?.(request, recordedCall("m")));
      expect((await failureOf(chunks)).code).toBe("upstream_invalid_response");
    },
  );
});

describe("vectors", () => {
  it.each(each([[], ["x"], [null], [0.5, "1"], [[]], [[1], 2], "", 5, null, {}]))(
    "are none where one is $odd",
    async ({ odd: embedding }) => {
      const transport = answered(JSON.stringify({ data: [{ index: 0, embedding }] }));
      const asked = openai({ apiKey: "k-0123456789", transport }).embed?.(
        { model: "any/m", input: "a" },
        recordedCall("m"),
      );
      expect((await failureOf(Promise.resolve(asked))).code).toBe("upstream_invalid_response");
    },
  );
});

describe("a list of models", () => {
  const odd = [null, 5, "x", { id: {} }, { name: 5 }, { modelId: ["m"] }];
  const lists = {
    openai: { data: [...odd, { id: "m", name: 5, created: "1", architecture: { modality: 5 } }] },
    anthropic: { data: [...odd, { id: "m", display_name: {}, max_tokens: -3, created_at: 5 }] },
    bedrock: {
      modelSummaries: [...odd, { modelId: "m", modelName: {}, providerName: 5, inputModalities: ["TEXT", 5] }],
      inferenceProfileSummaries: [null, { inferenceProfileId: 5, status: "ACTIVE" }],
    },
    gemini: { models: [...odd, { name: "models/m", displayName: 5, inputTokenLimit: "x", topP: "0.9" }] },
    cohere: { models: [...odd, { name: "m", context_length: "128000", endpoints: 5, features: {} }] },
  };

  it.each(Object.entries(lists))("of %s keeps what it names, without what is none", async (vendor, list) => {
    const transport = answered(JSON.stringify(list));
    const provider = vendors[vendor]?.open({ apiKey: "k-0123456789", transport });
    const { data } = ModelListResponse.parse({ data: await provider?.listModels?.(recordedCall("m")) });
    expect(data.map(({ id }) => id)).toEqual(["m"]);
  });
});

describe("a video beside an answer of OpenAI's dialect", () => {
  it.each(each([5, "", {}, [], true]))("is told without its address where that is $odd", async ({ odd: url }) => {
    const video = { url, thumbnail_url: "https://a.example/t.png", duration: "long", thumbnail_width: 0.5 };
    const told = { choices: [{ finish_reason: "stop", message: { content: "hi" } }], videos: [video] };
    const transport = answered(JSON.stringify(told));
    const answer = await openai({ apiKey: "k-0123456789", transport }).chat?.(request, recordedCall("m"));
    expect(answer).toMatchObject({ videos: [{ thumbnail_url: "https://a.example/t.png" }] });
    const { videos = [] } = answer as { videos?: object[] };
    for (const field of ["url", "duration", "thumbnail_width"]) expect(videos[0]).not.toHaveProperty(field);
  });
});

it("an error tells whose answer it was that cannot be read", () => {
  expect(unreadableAnswer(new TypeError("x"), "acme").message).toBe("The answer of acme cannot be read.");
  expect(unreadableAnswer(new TypeError("x")).message).toBe("An event of the stream cannot be read.");
});
