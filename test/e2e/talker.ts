import type { ChatChunk, ChatRequest, ChatResponse } from "../../src/engine/api/chat.ts";
import { GatewayError } from "../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../src/engine/ports/provider.ts";

/** A provider that shows what a client can do with one, and what it was asked. */
export interface Talker {
  readonly provider: Provider;
  readonly asked: ChatRequest[];
  /** Streams that were ended before they were complete. */
  broken: number;
}

const usage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_read_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
};

/**
 * Calls the weather tool for two cities and tells the results, describes pictures, writes JSON where a schema is given, thinks, is
 * slow, is overloaded; by the words of the last user message.
 */
export function talker(name = "a"): Talker {
  const asked: ChatRequest[] = [];
  const talk: Talker = { provider: { name }, asked, broken: 0 };
  const provider: Provider = {
    name,
    async chat(request, call) {
      asked.push(request);
      const message = replyTo(request, call);
      const finish_reason = message.tool_calls ? "tool_calls" : "stop";
      const choices = [{ index: 0, finish_reason, message }];
      return { id: call.id, object: "chat.completion", created: 1_700_000_000, model: call.model, choices, usage };
    },
    async *streamChat(request, call) {
      asked.push(request);
      let isComplete = false;
      try {
        if (wordsOf(request).includes("endless")) yield* withoutEnd(call);
        yield* streamOf(replyTo(request, call), call);
        isComplete = true;
      } finally {
        if (!isComplete) talk.broken++;
      }
    },
    async embed({ input }, { model }) {
      const data = [input].flat().map((text, index) => {
        return { index, object: "embedding", embedding: [String(text).length, 0.5] };
      });
      return { object: "list", model, data, usage: { prompt_tokens: 6, completion_tokens: 0, total_tokens: 6 } };
    },
    async rerank({ documents, top_n }, { model }) {
      const scored = documents.map(({ text }, index) => ({ index, relevance_score: 1 / (1 + text.length) }));
      const results = scored.toSorted((one, other) => other.relevance_score - one.relevance_score);
      return { model, results: results.slice(0, top_n) };
    },
  };
  return Object.assign(talk, { provider });
}

type Message = ChatResponse["choices"][number]["message"];

function replyTo(request: ChatRequest, { id }: ProviderCall): Message {
  const say = (content: string): Message => ({ role: "assistant", content });
  const last = request.messages.at(-1);
  const words = wordsOf(request);
  if (words.includes("too many")) {
    const upstream = { status: 429, message: "Slow down", code: "rate_limit_exceeded", type: "rate_limit_error" };
    throw new GatewayError("upstream_error", "Slow down", { upstream });
  }
  if (last?.role === "tool") return say(`The tools say ${textOf(last.content)}.`);
  if (words.includes("weather") && request.tools) {
    const calls = ["Rome", "Oslo"].map((city, index) => {
      const called = { name: "weather", arguments: JSON.stringify({ city }) };
      return { index, id: `call_${id}_${index}`, type: "function" as const, function: called };
    });
    return { role: "assistant", content: null, tool_calls: calls };
  }
  if (request.response_format) return say('{"city":"Rome","degrees":21}');
  if (words.includes("think")) {
    const reasoning_details = [{ type: "reasoning.text" as const, text: "Hm.", signature: "sig-1" }];
    return { role: "assistant", content: "Done.", reasoning: "Hm.", reasoning_details };
  }
  const pictures = request.messages.flatMap(({ content }) => (typeof content === "string" ? [] : (content ?? [])));
  const [picture] = pictures.flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : []));
  return say(picture === undefined ? `You said ${words}, and I heard it.` : `A picture: ${picture.slice(0, 30)}`);
}

function wordsOf({ messages }: ChatRequest): string {
  return textOf(messages.findLast(({ role }) => role === "user")?.content);
}

/** Says the same until it is ended from outside. */
async function* withoutEnd({ id, model, signal }: ProviderCall): AsyncGenerator<ChatChunk> {
  const choices = [{ index: 0, finish_reason: null, delta: { content: "and so on " } }];
  while (!signal.aborted) {
    yield { id, object: "chat.completion.chunk", created: 1_700_000_000, model, choices };
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw signal.reason;
}

function textOf(content: ChatRequest["messages"][number]["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The reply in small pieces. */
function* streamOf(message: Message, { id, model }: ProviderCall): Generator<ChatChunk> {
  const chunk = (choices: ChatChunk["choices"]): ChatChunk => {
    return { id, object: "chat.completion.chunk", created: 1_700_000_000, model, choices };
  };
  const add = (delta: ChatChunk["choices"][number]["delta"]) => chunk([{ index: 0, finish_reason: null, delta }]);
  const { content, reasoning, reasoning_details, tool_calls = [] } = message;
  if (reasoning) yield add({ reasoning, ...(reasoning_details ? { reasoning_details } : {}) });
  for (const piece of textOf(content).match(/\S+\s*/g) ?? []) yield add({ content: piece });
  for (const { index = 0, id: callId, function: called } of tool_calls) {
    const { name, arguments: text = "" } = called ?? {};
    const head = { index, type: "function", function: { ...(name === undefined ? {} : { name }), arguments: "" } };
    yield add({ tool_calls: [{ ...head, ...(callId === undefined ? {} : { id: callId }) }] });
    for (const piece of text.match(/.{1,5}/g) ?? [])
      yield add({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield chunk([{ index: 0, finish_reason: tool_calls.length > 0 ? "tool_calls" : "stop", delta: {} }]);
  yield { ...chunk([]), usage };
}
