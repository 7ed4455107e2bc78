import { type Cohere, CohereClientV2 } from "cohere-ai";
import { describe, expect, it } from "vitest";
import { cohere } from "../../../adapters/providers/cohere/index.ts";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { pairedNames, playedTransport, readAnswer, readBytes, recordedCall } from "../../fixtures/native.ts";

/** The vendor's own SDK, without a network. */
function sdk(respond: (body: Readonly<Record<string, unknown>>) => Response): CohereClientV2 {
  const fetch = async (_url: unknown, init?: { body?: unknown }) => respond(JSON.parse(String(init?.body)));
  return new CohereClientV2({ token: "k", maxRetries: 0, fetch: fetch as typeof globalThis.fetch });
}

const model = "command-a-03-2025";
const messages = [{ role: "user" as const, content: "Hi" }];

/** What a message amounts to, whole or streamed. */
interface Gathered {
  thinking: string;
  text: string;
  plan: string;
  calls: { id: string; name: string; arguments: string }[];
  citations: unknown[];
  finish: string | undefined;
  usage: unknown;
}

const nothing = (): Gathered => {
  return { thinking: "", text: "", plan: "", calls: [], citations: [], finish: undefined, usage: undefined };
};

function readWhole({ message, finishReason, usage }: Cohere.V2ChatResponse): Gathered {
  const gathered = { ...nothing(), plan: message.toolPlan ?? "", finish: finishReason, usage };
  for (const part of message.content ?? []) {
    if (part.type === "thinking") gathered.thinking += part.thinking;
    else gathered.text += part.text;
  }
  gathered.calls = (message.toolCalls ?? []).map(({ id, function: f }) => {
    return { id, name: f?.name ?? "", arguments: f?.arguments ?? "" };
  });
  return { ...gathered, citations: message.citations ?? [] };
}

function readEvent(gathered: Gathered, event: Cohere.V2ChatStreamResponse): void {
  switch (event.type) {
    case "content-start":
    case "content-delta":
      gathered.text += event.delta?.message?.content?.text ?? "";
      gathered.thinking += event.delta?.message?.content?.thinking ?? "";
      break;
    case "tool-plan-delta":
      gathered.plan += event.delta?.message?.toolPlan ?? "";
      break;
    case "tool-call-start": {
      const { id = "", function: f } = event.delta?.message?.toolCalls ?? {};
      gathered.calls.push({ id, name: f?.name ?? "", arguments: f?.arguments ?? "" });
      break;
    }
    case "tool-call-delta": {
      const call = gathered.calls[event.index ?? 0];
      if (call) call.arguments += event.delta?.message?.toolCalls?.function?.arguments ?? "";
      break;
    }
    case "citation-start":
      gathered.citations.push(event.delta?.message?.citations);
      break;
    case "message-end":
      gathered.finish = event.delta?.finishReason;
      gathered.usage = event.delta?.usage;
      break;
  }
}

describe("the vendor's own SDK", () => {
  it.each(pairedNames("cohere"))(
    "reads the stream of %s as the whole answer that our fixture says it is",
    async (name) => {
      const whole = await sdk(() => Response.json(readAnswer(`cohere/${name}.json`))).chat({ model, messages });
      const bytes = readBytes(`cohere/${name}.sse`);
      const client = sdk(() => new Response(bytes, { headers: { "content-type": "text/event-stream" } }));
      const gathered = nothing();
      for await (const event of await client.chatStream({ model, messages })) readEvent(gathered, event);
      expect(gathered).toEqual(readWhole(whole));
      expect(gathered.finish).toBeDefined();
    },
  );

  it("writes a chat as we write it", async () => {
    const call = { id: "c1", type: "function" as const, function: { name: "f", arguments: '{"a":1}' } };
    const parameters = { type: "object", properties: { a: { type: "number" } } };
    const url = "https://a.test/b.png";
    const request: ChatRequest = {
      model: `cohere/${model}`,
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "image_url", image_url: { url, detail: "low" } },
          ],
        },
        {
          role: "assistant",
          content: "Wait",
          reasoning_details: [{ type: "reasoning.text", index: 0, text: "Hm", format: "cohere-v2" }],
          tool_calls: [call],
        },
        { role: "tool", tool_call_id: "c1", content: "done" },
      ],
      tools: [{ type: "function", function: { name: "f", description: "F.", parameters, strict: true } }],
      tool_choice: "required",
      reasoning: { max_tokens: 100 },
      max_completion_tokens: 50,
      stop: ["END"],
      temperature: 0.5,
      top_p: 0.5,
      top_k: 7,
      seed: 3,
      logprobs: true,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
    };
    const transport = playedTransport({ bodies: [{ message: {} }] });
    await cohere({ apiKey: "k", transport }).chat?.(request, recordedCall(model));
    const sent: unknown[] = [];
    const client = sdk((body) => {
      sent.push(body);
      return Response.json({ id: "1", finish_reason: "COMPLETE", message: { role: "assistant" } });
    });
    await client.chat({
      model,
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "image_url", imageUrl: { url, detail: "low" } },
          ],
        },
        { role: "assistant", content: [{ type: "thinking", thinking: "Hm" }], toolPlan: "Wait", toolCalls: [call] },
        { role: "tool", toolCallId: "c1", content: "done" },
      ],
      tools: [{ type: "function", function: { name: "f", description: "F.", parameters } }],
      strictTools: true,
      toolChoice: "REQUIRED",
      thinking: { type: "enabled", tokenBudget: 100 },
      maxTokens: 50,
      stopSequences: ["END"],
      temperature: 0.5,
      p: 0.5,
      k: 7,
      seed: 3,
      logprobs: true,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
    });
    const [theirs] = sent as Record<string, unknown>[];
    expect(transport.asked[0]?.body).toEqual(withoutStream(theirs ?? {}));
  });

  it("writes and reads ranks and vectors as we do", async () => {
    const documents = ["a", "b"];
    const bodies = ["rerank", "embeddings"].map((name) => readAnswer(`cohere/${name}.json`));
    const transport = playedTransport({ bodies });
    const provider = cohere({ apiKey: "k", transport });
    const ranked = await provider.rerank?.(
      {
        model: "cohere/r",
        query: "q",
        documents: documents.map((text) => ({ text })),
        top_n: 2,
        max_tokens_per_doc: 9,
        priority: 1,
      },
      recordedCall("r"),
    );
    const embedded = await provider.embed?.(
      { model: "cohere/e", input: documents, input_type: "clustering", dimensions: 256 },
      recordedCall("e"),
    );
    const sent: unknown[] = [];
    const client = sdk((body) => Response.json(bodies[sent.push(body) - 1]));
    const theirRanks = await client.rerank({
      model: "r",
      query: "q",
      documents,
      topN: 2,
      maxTokensPerDoc: 9,
      priority: 1,
    });
    const theirVectors = await client.embed({
      model: "e",
      texts: documents,
      inputType: "clustering",
      embeddingTypes: ["float"],
      outputDimension: 256,
    });
    expect(transport.asked.map(({ body }) => body)).toEqual(sent);
    expect(ranked?.results.map(({ index, relevance_score: relevanceScore }) => ({ index, relevanceScore }))).toEqual(
      theirRanks.results,
    );
    expect(ranked?.usage?.search_units).toBe(theirRanks.meta?.billedUnits?.searchUnits);
    expect(embedded?.data.map(({ embedding }) => embedding)).toEqual(theirVectors.embeddings.float);
    expect(embedded?.usage?.prompt_tokens).toBe(theirVectors.meta?.billedUnits?.inputTokens);
  });
});

/** The SDK says that a whole answer is no stream, which is the vendor's default. */
function withoutStream({ stream: _stream, ...body }: Readonly<Record<string, unknown>>) {
  return body;
}
