import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropic } from "../../../adapters/providers/anthropic/index.ts";
import { cohere } from "../../../adapters/providers/cohere/index.ts";
import { custom } from "../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../adapters/providers/openai.ts";
import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import { mergeChunks } from "../../../src/engine/metering/merge-chunks.ts";
import type { Transport, WireRequest } from "../../../src/engine/ports/transport.ts";
import { createEngine, type Engine, type Provider } from "../../../src/index.ts";
import type { VendorInterface } from "../../agents/script.ts";
import { anthropicInterface } from "../../agents/vendor-anthropic.ts";
import { geminiInterface } from "../../agents/vendor-gemini.ts";
import { openaiInterface } from "../../agents/vendor-openai.ts";
import { anyChatTurn, anyOutputItem, conversationOf, resultsOf } from "../../fixtures/response-items.ts";
import { cohereVendor } from "../../fixtures/talks/vendor-cohere.ts";
import { readEvents } from "../../http/support/dialects/frames.ts";
import {
  eventsOf,
  type Item,
  type NewestOpenai,
  newestOpenai,
  responseWith,
} from "../../http/support/responses/newest-openai.ts";

const runs = { numRuns: 60 };
const model = "openai/gpt-5.6-sol";

async function withVendor(output: readonly Item[], use: (engine: Engine, vendor: NewestOpenai) => Promise<void>) {
  const vendor = newestOpenai([responseWith(output)], { takesAll: true });
  const engine = createEngine({ providers: [openai({ apiKey: "k", transport: vendor.transport })] });
  await use(engine, vendor);
  await engine.close();
}

async function post(engine: Engine, path: string, body: object) {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await engine.fetch(`http://e${path}`, init);
  return { text: await answer.text(), warnings: answer.headers.get("x-tg-warnings") };
}

const outputs = fc.uniqueArray(anyOutputItem, { maxLength: 6, selector: ({ call_id, id }) => call_id ?? id });
const asked = fc.record({ input: conversationOf(anyOutputItem), stream: fc.boolean() });

describe("through OpenAI's Responses API and back", () => {
  it("a Responses request and its answer stay what they were: items, order, ids, seals", async () => {
    await fc.assert(
      fc.asyncProperty(asked, outputs, async ({ input, stream }, output) => {
        await withVendor(output, async (engine, { asked: seen }) => {
          const sent = { input, include: ["reasoning.encrypted_content"], store: false };
          const { text, warnings } = await post(engine, "/v1/responses", { model, ...sent, stream });
          expect(warnings).toBeNull();
          expect(seen.map(({ body }) => body)).toEqual([{ ...sent, model: "gpt-5.6-sol", ...(stream && { stream }) }]);
          const response = responseWith(output);
          if (!stream) expect(JSON.parse(text)).toEqual(response);
          else expect(readEvents(text).map(({ data }) => data)).toEqual(JSON.parse(JSON.stringify(eventsOf(response))));
        });
      }),
      runs,
    );
  });

  it("the turn of a chat stays what it was: thoughts with ids and seals, texts and calls in order", async () => {
    await fc.assert(
      fc.asyncProperty(anyChatTurn, fc.boolean(), async (output, isStream) => {
        await withVendor(output, async (engine, { asked: seen }) => {
          const tools = [{ type: "function" as const, function: { name: "f" } }];
          const question = { role: "user" as const, content: "go" };
          const message = await turnOf(engine, { model, tools, messages: [question] }, isStream);
          const results = resultsOf(output).map(({ call_id: tool_call_id, output: content }) => ({
            role: "tool",
            tool_call_id,
            content,
          }));
          await post(engine, "/v1/chat/completions", { model, tools, messages: [question, message, ...results] });
          const [, ...items] = seen.at(-1)?.body.input ?? [];
          expect(essenceOf(items)).toEqual(essenceOf([...output, ...resultsOf(output)]));
        });
      }),
      runs,
    );
  });
});

/** What of the items a turn of a chat has to give back: texts that follow each other are one, and so are the summaries of a thought. */
function essenceOf(items: readonly Item[]): unknown[] {
  const said: unknown[] = [];
  let text = "";
  for (const item of items) {
    if (item.content !== undefined) {
      text += textsOf(item.content, "");
      continue;
    }
    if (text !== "") said.push(text);
    text = "";
    const { status: _status, id, summary, ...rest } = item;
    said.push(item.type === "reasoning" ? { ...rest, id, summary: textsOf(summary, "\n\n") } : rest);
  }
  return text === "" ? said : [...said, text];
}

function textsOf(parts: unknown, between: string): string {
  return (parts as readonly { text: string }[]).map(({ text }) => text).join(between);
}

/** The message of a chat's answer. */
async function turnOf(engine: Engine, request: Parameters<Engine["chat"]>[0], isStream: boolean): Promise<object> {
  if (!isStream) return (await engine.chat(request)).choices[0]?.message ?? {};
  const chunks: ChatChunk[] = [];
  for await (const chunk of await engine.streamChat(request)) chunks.push(chunk);
  return mergeChunks(chunks).choices[0]?.message ?? {};
}

/** How another vendor answers. */
type AnsweringVendor = Pick<VendorInterface, "whole" | "stream" | "end">;

/** Cohere's interface, whose fixture tells its streams as bytes. */
const cohereInterface: AnsweringVendor = {
  whole: () => cohereVendor.whole([{ kind: "text", mark: "Yes." }], "") as object,
  stream: () =>
    readEvents(Buffer.from(cohereVendor.stream([{ kind: "text", mark: "Yes." }], "").bytes).toString()).map(
      ({ data }) => data as object,
    ),
  end: "",
};

/** Another vendor's upstream. */
interface Elsewhere {
  readonly model: string;
  readonly face: AnsweringVendor;
  readonly provider: (transport: Transport) => Provider;
}

const elsewhere: readonly (readonly [string, Elsewhere])[] = [
  [
    "OpenAI at /chat/completions",
    {
      model: "openai/gpt-4.1",
      face: openaiInterface,
      provider: (transport) => openai({ apiKey: "k", transport, upstream: "chat" }),
    },
  ],
  [
    "a compatible server",
    {
      model: "lab/m",
      face: openaiInterface,
      provider: (transport) => custom("lab", { baseUrl: "https://lab.test/v1", transport }),
    },
  ],
  [
    "Claude",
    {
      model: "anthropic/claude-sonnet-4-5",
      face: anthropicInterface,
      provider: (transport) => anthropic({ apiKey: "k", transport }),
    },
  ],
  [
    "Gemini",
    {
      model: "gemini/gemini-3-pro",
      face: geminiInterface,
      provider: (transport) => gemini({ apiKey: "k", transport }),
    },
  ],
  [
    "Cohere",
    {
      model: "cohere/command-a-reasoning-08-2025",
      face: cohereInterface,
      provider: (transport) => cohere({ apiKey: "k", transport }),
    },
  ],
];

describe.each(elsewhere)("through %s", (_name, { model: asked, provider, face }) => {
  it.each([false, true])("every item of a Responses request arrives or is named (streamed: %s)", async (stream) => {
    await fc.assert(
      fc.asyncProperty(conversationOf(anyOutputItem), async (input) => {
        const sent: string[] = [];
        const engine = createEngine({ providers: [provider(answering(face, sent))] });
        const { text, warnings } = await post(engine, "/v1/responses", {
          model: asked,
          input,
          stream,
          max_output_tokens: 99,
        });
        await engine.close();
        const told = `${warnings} ${text}`;
        for (const [at, item] of input.entries()) {
          if (namesOf(input, at).some((name) => told.includes(`\`${name}`))) continue;
          for (const word of meaningOf(item))
            expect(sent.join("\n"), `${word} of ${JSON.stringify(item)}; ${told}`).toContain(word);
        }
      }),
      runs,
    );
  });
});

/** Keeps what it is sent, and answers. */
function answering(face: AnsweringVendor, sent: string[]): Transport {
  const turn = { kind: "text", text: "Yes." } as const;
  const keep = ({ body }: WireRequest) => void sent.push(`${body}`.replaceAll("\\", ""));
  return {
    whole: async (request) => {
      keep(request);
      return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(face.whole(turn)) };
    },
    stream: async (request) => {
      keep(request);
      const events = face.stream(turn).map((event) => `data: ${JSON.stringify(event)}\n\n`);
      const headers = { "content-type": "text/event-stream" };
      return { status: 200, headers, body: bytesOf(`${events.join("")}${face.end}`) };
    },
    close: async () => {},
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** The names by which a warning may speak of an item: its own; a thought's also those of its turn's first thought, and of all thoughts. */
function namesOf(input: readonly Item[], at: number): string[] {
  if (input[at]?.type !== "reasoning") return [`input.${at}\``, `input.${at}.`];
  const begin = input.slice(0, at).findLastIndex(({ type, role }) => role === "user" || type.endsWith("_output"));
  const first = input.findIndex(({ type }, place) => place > begin && type === "reasoning");
  return [`input.${first}\``, "input[].reasoning"];
}

/** Names of fields that hold no more than the vendor's bookkeeping, or say what the item's type says. */
const bookkeeping: ReadonlySet<string> = new Set(["id", "type", "status", "phase", "role", "logprobs"]);

/** The words of an item that a model reads. */
function meaningOf(value: unknown): string[] {
  if (typeof value === "string") return value.match(/[a-z]{7,}/g) ?? [];
  if (Array.isArray(value)) return value.flatMap(meaningOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (bookkeeping.has(name) ? [] : meaningOf(inner)));
}
