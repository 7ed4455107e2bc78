import { expect, it } from "vitest";
import type { Transport } from "../../src/engine/ports/transport.ts";
import { createEngine } from "../../src/index.ts";
import { answered, recordedAnswers, recordedStreams } from "../fixtures/odd.ts";
import { openVendor, vendorNames } from "../fixtures/open-vendors.ts";
import { findMistyped, type TypedAnswer } from "../fixtures/typed-answers.ts";
import { readEvents } from "../http/support/dialects/frames.ts";

const text = "hello";
const messages = [{ role: "user", content: text }];

/** The smallest chat of each dialect, and the types of its answers. */
const dialects = {
  v1: {
    path: () => "/v1/chat/completions",
    body: (model: string) => ({ model, messages, stream_options: { include_usage: true } }),
    types: ["Completion", "Chunk"],
  },
  openai: {
    path: () => "/openai/v1/chat/completions",
    body: (model: string) => ({ model, messages, stream_options: { include_usage: true } }),
    types: ["Completion", "Chunk"],
  },
  responses: {
    path: () => "/v1/responses",
    body: (model: string) => ({ model, input: text }),
    types: ["Response", "ResponseEvent"],
  },
  anthropic: {
    path: () => "/anthropic/v1/messages",
    body: (model: string) => ({ model, max_tokens: 9, messages, thinking: { type: "enabled", budget_tokens: 1_024 } }),
    types: ["Message", "MessageEvent"],
  },
  genai: {
    path: (model: string, stream: boolean) =>
      `/genai/v1beta/models/${encodeURIComponent(model)}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: () => ({ contents: [{ parts: [{ text }] }] }),
    types: ["Content", "Content"],
  },
} as const;

type Name = keyof typeof dialects;
const names = Object.keys(dialects) as Name[];

/** Asks a vendor that answers so in a dialect; the answer, or the events of its stream. Nothing where the gateway refuses the answer. */
async function ask(
  name: Name,
  { vendor, model, transport, stream }: { vendor: string; model: string; transport: Transport; stream: boolean },
): Promise<unknown[]> {
  const provider = openVendor(vendor, { apiKey: "k-0123456789", header: "h-0123456789", query: "t", transport });
  const engine = createEngine({ providers: [provider], retry: { retries: 0 } });
  const { path, body } = dialects[name];
  const target = `${vendor}/${model}`;
  try {
    const response = await engine.fetch(`http://engine${path(target, stream)}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body(target), ...(stream && name !== "genai" ? { stream } : {}) }),
    });
    if (!response.ok) return [];
    if (!stream) return [await response.json()];
    const events = readEvents(await response.text()).map(({ data }) => data);
    return events.filter(
      (data) => typeof data === "object" && data !== null && (data as { type?: string }).type !== "ping",
    );
  } catch {
    return []; // a recorded stream that breaks
  } finally {
    await engine.close();
  }
}

/** All that a vendor's recorded answers become in a dialect. */
async function answersOf(name: Name, vendor: string): Promise<TypedAnswer[]> {
  const [whole, event] = dialects[name].types;
  const chats = recordedAnswers(vendor).filter(({ kind }) => kind === "chat");
  const wholes = chats.map(async ({ name: exchange, model, answer }) => {
    const asked = { vendor, model, transport: answered(JSON.stringify(answer)), stream: false };
    return (await ask(name, asked)).map((json) => ({ name: `${exchange} in ${name}`, type: whole, json }));
  });
  const streams = recordedStreams(vendor).map(async ({ name: exchange, events, played }) => {
    const asked = { vendor, model: "m", transport: played(0, JSON.stringify(events[0])), stream: true };
    return (await ask(name, asked)).map((json) => ({ name: `${exchange} in ${name}, streamed`, type: event, json }));
  });
  return (await Promise.all([...wholes, ...streams])).flat();
}

/** True for an answer that the model ended by an error. */
function endsByError(json: unknown): boolean {
  const { choices = [] } = json as { readonly choices?: readonly { readonly finish_reason: string | null }[] };
  return choices.some(({ finish_reason: reason }) => reason === "error");
}

it("every answer of every dialect and vendor is what the vendors' own SDKs declare, whole and streamed", async () => {
  const pairs = names.flatMap((name) => vendorNames.map((vendor) => [name, vendor] as const));
  const all = (await Promise.all(pairs.map((pair) => answersOf(...pair)))).flat();
  const found = all.filter(({ name, json }) => !(name.includes(" in v1") && endsByError(json))); // a word of ours, under /v1 only
  const types = new Set(found.map(({ type }) => type));
  expect([...types].sort()).toEqual([...new Set(names.flatMap((name) => dialects[name].types))].sort());
  expect(found.length).toBeGreaterThan(1_000);
  expect(findMistyped(found)).toEqual([]);
}, 60_000);
