import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { ChatChunk } from "../../../engine/api/chat.ts";
import { type GatewayError, isGatewayError } from "../../../engine/errors.ts";
import type { Provider, ProviderCall, RawExchange } from "../../../engine/ports/provider.ts";
import type { ProviderMaker, QuestionFixture } from "./fixture.ts";
import { type Answerer, startUpstream, type Upstream } from "./upstream.ts";

/** The key that providers under test are given. */
export const conformanceKey = "sk-conformance-0123456789-abcdefghij";

/** A call that remembers what it was warned of. */
export interface RecordedCall extends ProviderCall {
  readonly warnings: string[];
}

/** A call of a model with deadlines that no healthy test meets. */
export function recordedCall(model: string, change: { signal?: AbortSignal; raw?: RawExchange } = {}): RecordedCall {
  const warnings: string[] = [];
  return {
    id: "01conformance",
    model,
    startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    signal: change.signal ?? new AbortController().signal,
    timeouts: { connect: 10_000, firstContent: 10_000, gap: 10_000, whole: 10_000 },
    raw: change.raw,
    warn: (warning) => warnings.push(warning),
    warnings,
  };
}

/** Runs a provider against a real server of ours, and closes both however the check ends. */
export async function againstServer(
  make: ProviderMaker,
  answer: Answerer,
  check: (provider: Provider, upstream: Upstream) => Promise<void>,
): Promise<void> {
  const upstream = await startUpstream(answer);
  const provider = make({ baseUrl: upstream.url, apiKey: conformanceKey });
  try {
    await check(provider, upstream);
  } finally {
    await upstream.close();
    await provider.close?.();
  }
}

/** A provider whose every stream comes in exactly these pieces, without a network. */
export function inPieces(make: ProviderMaker, pieces: readonly Uint8Array[]): Provider {
  const respond = async () => {
    let next = 0;
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces[next++];
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  return make({ baseUrl: "http://vendor.invalid", apiKey: conformanceKey, fetch: respond as typeof fetch });
}

/** Answers with JSON, or with text as it is. */
export function sendAnswer(response: ServerResponse, status: number, answer: unknown): void {
  const isText = typeof answer === "string";
  response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
  response.end(isText ? answer : JSON.stringify(answer));
}

/** Begins an event stream. */
export function sendEvents(response: ServerResponse, bytes: string | Uint8Array): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(bytes);
}

/** All chunks of a stream. */
export async function collect(chunks: AsyncIterable<ChatChunk>): Promise<ChatChunk[]> {
  const all: ChatChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

/** The GatewayError that a promise fails with; anything else fails the check. */
export async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const thrown = await promise.then(
    () => assert.fail("no error was thrown"),
    (error: unknown) => error,
  );
  if (!isGatewayError(thrown)) throw thrown;
  return thrown;
}

/** The value and all in it frozen, so that writing to it throws. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}

/** The bytes of a stream's fixture. */
export function bytesOf(bytes: string | Uint8Array): Uint8Array {
  return typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
}

/** A verb of the provider, which the fixture says it has. */
export function need<Verb>(verb: Verb | undefined, name: string): Verb {
  assert.ok(verb, `the provider has no ${name}`);
  return verb;
}

/** Asks the provider what the fixture asks, for a whole answer. */
export function askWhole(provider: Provider, fixture: QuestionFixture, call: ProviderCall): Promise<unknown> {
  switch (fixture.kind) {
    case "chat":
      return need(provider.chat, "chat").call(provider, fixture.request, call);
    case "embedding":
      return need(provider.embed, "embed").call(provider, fixture.request, call);
    case "rerank":
      return need(provider.rerank, "rerank").call(provider, fixture.request, call);
  }
}
