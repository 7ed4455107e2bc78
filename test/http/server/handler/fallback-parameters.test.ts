import { describe, expect, test } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../../adapters/providers/cohere/index.ts";
import { mistral } from "../../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { createEngine, type Provider } from "../../../../src/index.ts";
import type { ChatFixture } from "../../../../src/testing/conformance/provider/fixture.ts";
import { postJson } from "../../support/dialects/scripted-vendor.ts";
import { recordedChat, replay } from "../../support/recorded-vendor.ts";

type Send = typeof fetch;

const asked = {
  seed: 7,
  logit_bias: { "50256": -100 },
  reasoning_effort: "low",
  parallel_tool_calls: false,
  logprobs: true,
  top_logprobs: 3,
  frequency_penalty: 0.5,
  service_tier: "flex",
  store: true,
  verbosity: "low",
  prompt_cache_key: "k",
  safety_identifier: "s",
  prediction: { type: "content", content: "x" },
};

/** A vendor that is asked second: its answers, and the fields above that it does not take. */
interface Fallback {
  readonly model: string;
  make(send: Send): Provider;
  readonly exchange: ChatFixture;
  readonly dropped: readonly (keyof typeof asked)[];
}

const openaiOnly = ["logit_bias", "store", "verbosity", "prompt_cache_key"] as const;
const sampling = ["seed", "logprobs", "top_logprobs", "frequency_penalty"] as const;

const fallbacks: Readonly<Record<string, Fallback>> = {
  anthropic: {
    model: "anthropic/claude-haiku-4-5",
    make: (send) => anthropic({ apiKey: "k", fetch: send }),
    exchange: recordedChat("anthropic"),
    dropped: [...openaiOnly, ...sampling, "prediction", "service_tier"],
  },
  gemini: {
    model: "gemini/gemini-2.5-pro",
    make: (send) => gemini({ apiKey: "k", fetch: send }),
    exchange: recordedChat("gemini"),
    dropped: [...openaiOnly, "parallel_tool_calls", "prediction", "safety_identifier"],
  },
  cohere: {
    model: "cohere/command-a-03-2025",
    make: (send) => cohere({ apiKey: "k", fetch: send }),
    exchange: recordedChat("cohere"),
    dropped: [
      ...openaiOnly,
      ...(["parallel_tool_calls", "service_tier", "top_logprobs"] as const),
      ...(["reasoning_effort", "prediction", "safety_identifier"] as const),
    ],
  },
  bedrock: {
    model: "bedrock/amazon.nova-lite-v1:0",
    make: (send) => bedrock({ region: "us-east-1", apiKey: "k", fetch: send }),
    exchange: recordedChat("bedrock"),
    dropped: [
      ...openaiOnly,
      ...sampling,
      ...(["reasoning_effort", "parallel_tool_calls", "prediction", "safety_identifier"] as const),
    ],
  },
  mistral: {
    model: "mistral/mistral-large-latest",
    make: (send) => mistral({ apiKey: "k", fetch: send }),
    exchange: recordedChat("mistral", "chat"),
    dropped: [...openaiOnly, "logprobs", "top_logprobs", "service_tier", "safety_identifier"],
  },
};

const rows = Object.entries(fallbacks).flatMap(([vendor, row]) =>
  [false, true].map((stream) => [vendor, stream ? "streamed" : "whole", { ...row, stream }] as const),
);

async function ask({ model, make, exchange, stream }: Fallback & { readonly stream: boolean }) {
  const sent: Record<string, unknown>[] = [];
  const note = (body: unknown) => void sent.push(JSON.parse(String(body)));
  const failing: Send = async (_url, init) => {
    note(init?.body);
    return Response.json({ error: { message: "broken", type: "server_error" } }, { status: 500 });
  };
  const answering: Send = async (url, init) => {
    note(init?.body);
    return replay(exchange, url, stream);
  };
  const first = openai({ apiKey: "k", fetch: failing, upstream: "chat" });
  const engine = createEngine({ providers: [first, make(answering)], retry: { retries: 0 } });
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }];
  const messages = [{ role: "user", content: "go" }];
  const body = { model: "openai/gpt-5", fallbacks: [model], messages, tools, stream, ...asked };
  const { status, text, warnings } = await postJson(engine, { path: "/openai/v1/chat/completions", body });
  await engine.close();
  return { status, text, warnings: JSON.parse(warnings ?? "[]") as string[], sent };
}

describe("parameters that only a fallback does not take", () => {
  test.each(rows)("%s, %s: are not sent to it, and the warnings name each", async (_vendor, _form, row) => {
    const { status, text, warnings, sent } = await ask(row);
    expect([status, text.includes('"error"')], text).toEqual([200, false]);
    expect(sent[0]).toMatchObject(asked);
    const fields = Object.keys(sent.at(-1) ?? {});
    expect(fields.filter((field) => (row.dropped as readonly string[]).includes(field))).toEqual([]);
    const unnamed = row.dropped.filter((field) => !warnings.some((warning) => warning.includes(`\`${field}\``)));
    expect(unnamed, String(warnings)).toEqual([]);
    expect(warnings.filter((warning) => /by openai|by gpt/.test(warning))).toEqual([]);
    const kept = Object.keys(asked).filter((field) => !(row.dropped as readonly string[]).includes(field));
    expect(kept.filter((field) => warnings.some((warning) => warning.includes(`\`${field}\` is not`)))).toEqual([]);
  });
});
