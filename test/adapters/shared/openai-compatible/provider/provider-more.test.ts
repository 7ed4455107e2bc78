import { describe, expect, it } from "vitest";
import { type CohereOptions, cohere } from "../../../../../adapters/providers/cohere/index.ts";
import { ChatChunk, type ChatResponse } from "../../../../../src/engine/api/chat.ts";
import {
  collect,
  failureOf,
  type PlayedTransport,
  pairedNames,
  playedTransport,
  readBytes,
  recordedCall,
  textOf,
} from "../../../../fixtures/native.ts";

const request = { model: "cohere/command-a", messages: [{ role: "user" as const, content: "Hi" }] };
const provider = (transport: PlayedTransport, options: Partial<CohereOptions> = {}) =>
  cohere({ apiKey: "co-test-0123456789", transport, ...options });

async function whole(body: unknown, call = recordedCall("command-a")) {
  return (await provider(playedTransport({ bodies: [body] })).chat?.(request, call)) as ChatResponse;
}

function stream(events: readonly object[], call = recordedCall("command-a")) {
  const pieces = events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  return collect(provider(playedTransport({ pieces })).streamChat?.(request, call));
}

const text = (words: string) => ({ type: "content-delta", index: 0, delta: { message: { content: { text: words } } } });
const end = (finish_reason: string, more: object = {}) => ({ type: "message-end", delta: { finish_reason, ...more } });

describe("a stream", () => {
  it.each(pairedNames("cohere"))(
    "%s is valid on the wire, role first, finish reason once, usage last",
    async (name) => {
      const transport = playedTransport({ pieces: [readBytes(`cohere/${name}.sse`)] });
      const chunks = await collect(provider(transport).streamChat?.(request, recordedCall("command-a")));
      for (const chunk of chunks) expect(ChatChunk.safeParse(chunk).error).toBeUndefined();
      expect(chunks[0]?.choices[0]?.delta).toEqual({ role: "assistant" });
      const reasons = chunks.flatMap(({ choices }) => choices.map(({ finish_reason }) => finish_reason));
      expect(reasons.filter((reason) => reason !== null)).toEqual([reasons.at(-1)]);
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    },
  );

  it("without a start, block starts or usage is still read", async () => {
    const chunks = await stream([text("Hi"), end("COMPLETE")]);
    expect(textOf(chunks)).toBe("Hi");
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  });

  it("survives one event that cannot be read and events of tomorrow", async () => {
    const call = recordedCall("command-a");
    const pieces = [`data: {"type":\n\n`, `data: {"type":"debug","prompt":"x"}\n\n`, `data: [DONE]\n\n`];
    const broken = playedTransport({ pieces: pieces.map((piece) => Buffer.from(piece)) });
    const failed = await failureOf(collect(provider(broken).streamChat?.(request, call)));
    expect(failed.code).toBe("upstream_stream_broken");
    expect(call.warnings).toEqual(["one event of the stream could not be read and was skipped"]);
  });

  it("that ends in an error is that error, what came before it is given", async () => {
    const pieces = [text("one two"), end("ERROR", { error: "out of memory" })].map((event) =>
      Buffer.from(`data: ${JSON.stringify(event)}\n\n`),
    );
    const seen: string[] = [];
    const read = async () => {
      const chunks = provider(playedTransport({ pieces })).streamChat?.(request, recordedCall("command-a"));
      for await (const chunk of chunks ?? []) seen.push(textOf([chunk]));
    };
    const upstream = { status: 500, type: "ERROR", message: "out of memory" };
    expect(await failureOf(read())).toMatchObject({ code: "upstream_error", upstream });
    expect(seen).toEqual(["one two"]);
  });

  it("names calls that come without an id as the whole answer does", async () => {
    const start = {
      type: "tool-call-start",
      index: 3,
      delta: { message: { tool_calls: { function: { name: "f" } } } },
    };
    const chunks = await stream([start, end("TOOL_CALL")]);
    const [told] = chunks[0]?.choices[0]?.delta.tool_calls ?? [];
    const message = { tool_calls: [{ function: { name: "f" } }] };
    const answer = await whole({ message, finish_reason: "TOOL_CALL" });
    expect(told).toMatchObject({ index: 0, id: answer.choices[0]?.message.tool_calls?.[0]?.id });
  });
});

describe("a whole answer", () => {
  it.each([
    ["ERROR", 500],
    ["TIMEOUT", 504],
  ])("that ended by %s is an error of status %d", async (reason, status) => {
    const failed = await failureOf(whole({ message: {}, finish_reason: reason }));
    expect(failed).toMatchObject({ code: "upstream_error", upstream: { status, type: reason } });
  });

  it("with a reason of tomorrow has ended, and says so", async () => {
    const call = recordedCall("command-a");
    const answer = await whole({ message: { content: [] }, finish_reason: "NEW" }, call);
    expect(answer.choices[0]?.finish_reason).toBe("stop");
    expect(call.warnings).toHaveLength(1);
  });

  it("places citations of a later block and of the plan in the whole text, and leaves out those of thoughts", async () => {
    const cite = (type: string, content_index: number) => ({ start: 0, end: 2, type, content_index, sources: [] });
    const content = [
      { type: "thinking", thinking: "Hm" },
      { type: "text", text: "one " },
      { type: "text", text: "two" },
    ];
    const citations = [cite("PLAN", 0), cite("TEXT_CONTENT", 1), cite("TEXT_CONTENT", 2), cite("THINKING_CONTENT", 0)];
    const answer = await whole({ message: { tool_plan: "Plan. ", content, citations }, finish_reason: "COMPLETE" });
    const { content: told, annotations = [] } = answer.choices[0]?.message ?? {};
    expect(told).toBe("Plan. one two");
    expect(annotations.map(({ url_citation: page }) => page?.start_index)).toEqual([0, 6, 10]);
  });

  it("that holds no message is none", async () => {
    for (const body of [[], {}, { message: "Hi" }]) {
      expect((await failureOf(whole(body))).code).toBe("upstream_invalid_response");
    }
  });
});

describe("requests", () => {
  it("go to version 2 whatever version the address names, with the client's name", async () => {
    for (const baseUrl of [
      "https://proxy.example/root",
      "https://proxy.example/root/v2",
      "https://proxy.example/root/v1/",
    ]) {
      const transport = playedTransport({ bodies: [{ message: {}, finish_reason: "COMPLETE" }] });
      await provider(transport, { baseUrl, clientName: "shop" }).chat?.(request, recordedCall("command-a"));
      expect(transport.asked[0]?.url).toBe("https://proxy.example/root/v2/chat");
      expect(transport.asked[0]?.headers).toMatchObject({
        authorization: "Bearer co-test-0123456789",
        "x-client-name": "shop",
      });
    }
  });

  it("need a key", () => {
    const wrong = expect.objectContaining({ code: "invalid_configuration", param: "apiKey" });
    expect(() => cohere({ apiKey: " " })).toThrow(wrong);
  });

  it("for more texts than one may hold are asked in parts", async () => {
    const input = Array.from({ length: 200 }, (_, at) => `text ${at}`);
    const answered = (texts: number) => ({
      embeddings: { float: Array.from({ length: texts }, () => [1]) },
      meta: { billed_units: { input_tokens: texts } },
    });
    const transport = playedTransport({ bodies: [answered(96), answered(96), answered(8)] });
    const answer = await provider(transport).embed?.(
      { model: "cohere/embed-v4.0", input, input_type: "clustering" },
      recordedCall("embed-v4.0"),
    );
    expect(transport.asked.map(({ body }) => (body.texts as string[]).length)).toEqual([96, 96, 8]);
    expect(answer?.data).toHaveLength(200);
    expect(answer?.usage?.prompt_tokens).toBe(200);
  });

  it("for vectors of tokens, and answers without vectors, are refused", async () => {
    const embed = (input: string | number[]) =>
      provider(playedTransport({ bodies: [{}] })).embed?.(
        { model: "cohere/e", input, input_type: "clustering" },
        recordedCall("e"),
      ) as Promise<unknown>;
    expect(await failureOf(embed([1, 2]))).toMatchObject({ code: "unsupported_operation", param: "input" });
    expect((await failureOf(embed("a"))).code).toBe("upstream_invalid_response");
  });
});
