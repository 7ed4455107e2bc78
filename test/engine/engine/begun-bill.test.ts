import { describe, expect, it } from "vitest";
import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { keptBooks, settled, untilEnded } from "../support/books.ts";
import { messages, textOf } from "../support/support.ts";

/** Every character is a token, and every prompt ten. */
const tokens = { countText: (text: string) => text.length, countChat: () => 10 };
const timeouts = { firstContent: 1_000, gap: 1_000, whole: 10_000 };

type Delta = ChatChunk["choices"][number]["delta"];
const chunkOf = ({ id, model }: ProviderCall, delta: Delta, finish_reason: string | null = null): ChatChunk => ({
  id,
  object: "chat.completion.chunk",
  created: 1,
  model,
  choices: [{ index: 0, finish_reason, delta }],
});

/** A provider that streams its role, unless it says nothing, and then ends as it is told to. */
function opening(name: string, end: (call: ProviderCall) => Promise<void>, isSilent = false): Provider {
  return {
    name,
    async *streamChat(_request, call): AsyncGenerator<ChatChunk> {
      if (!isSilent) yield chunkOf(call, { role: "assistant", content: "" });
      await end(call);
      yield chunkOf(call, { content: "yes" });
      yield chunkOf(call, {}, "stop");
    },
  };
}
const hang = ({ signal }: ProviderCall) => untilEnded(signal);
const failWith = (error: () => GatewayError) => () => Promise.reject(error());
const busy = () => new GatewayError("upstream_error", "busy", { upstream: { status: 529, message: "busy" } });
const lost = () => new GatewayError("upstream_unreachable", "The connection was lost.");
const broken = () => new GatewayError("upstream_stream_broken", "broke off");

const none = { prompt_tokens: 0, completion_tokens: 0, cost_nano: 0, is_estimated: false };
const prompt = { prompt_tokens: 10, completion_tokens: 0, cost_nano: 10_000, is_estimated: true };

type Setting = Parameters<typeof keptBooks>[1] & { readonly abortAfter?: number };

/** Asks for a stream, and gives up after some seconds unless there is an answer or an error by then. */
async function stream(providers: readonly Provider[], { abortAfter = 9_000, ...more }: Setting = {}) {
  const { engine, clock, options, attempts } = await keptBooks(providers, { tokens, timeouts, ...more });
  const controller = new AbortController();
  const [first, ...others] = providers.map(({ name }) => `${name}/m`) as [string, ...string[]];
  const request = { model: first, fallbacks: others, messages };
  const asked = engine.streamChat(request, { ...options, signal: controller.signal }).then(textOf);
  const told = asked.catch(({ code }: GatewayError) => code);
  for (let ms = 0; ms < 9_000; ms += 500) {
    await settled();
    if (ms === abortAfter) controller.abort();
    else await clock.advance(500);
  }
  return { told: await told, lines: await attempts() };
}

describe("a stream that ends between its first chunk and its first content", () => {
  it("is billed its prompt when the caller hung up", async () => {
    const { told, lines } = await stream([opening("a", hang)], { abortAfter: 500 });
    expect(told).toBe("request_cancelled");
    expect(lines).toMatchObject([{ reason: "request_cancelled", ...prompt }]);
  });

  it("is billed its prompt when a deadline passed, beside the fallback that answers", async () => {
    const { told, lines } = await stream([opening("a", hang), opening("b", async () => {})]);
    expect(told).toBe("yes");
    expect(lines).toMatchObject([
      { provider: "a", reason: "upstream_timeout", ...prompt },
      { provider: "b", reason: "ok", prompt_tokens: 10, completion_tokens: 3 },
    ]);
  });

  it.each([
    { how: "broke off", end: failWith(broken), reasons: ["upstream_stream_broken"] },
    { how: "failed with an error", end: failWith(busy), reasons: Array(3).fill("upstream_error") },
    { how: "lost its connection", end: failWith(lost), reasons: Array(3).fill("upstream_unreachable") },
  ])("is billed its prompt for every try when it $how", async ({ end, reasons }) => {
    const { lines } = await stream([opening("a", end)]);
    expect(lines).toMatchObject(reasons.map((reason) => ({ reason, ...prompt })));
  });

  it("is billed once when it lost a race", async () => {
    const providers = [opening("a", hang), opening("b", async () => {})];
    const { told, lines } = await stream(providers, { hedge: { after_ms: 500 } });
    expect(told).toBe("yes");
    expect(lines).toMatchObject([
      { provider: "a", ...prompt },
      { provider: "b", completion_tokens: 3 },
    ]);
  });

  it("is not asked again where the budget has no room", async () => {
    const dollars = 0.00828; // an answer of 4,096 tokens with its prompt, and a prompt or two
    const { lines } = await stream([opening("a", failWith(lost))], { dollars });
    expect(lines.length).toBeLessThan(3);
    expect(lines.at(-1)).toMatchObject(prompt);
  });
});

describe("a stream that ends before its first chunk", () => {
  it.each([
    { how: "its caller hung up", end: hang, reason: "request_cancelled" },
    { how: "it was refused", end: failWith(busy), reason: "upstream_error" },
    { how: "its connection was lost", end: failWith(lost), reason: "upstream_unreachable" },
  ])("costs nothing when $how", async ({ end, reason }) => {
    const { lines } = await stream([opening("a", end, true)], {
      abortAfter: reason === "request_cancelled" ? 500 : 9_000,
    });
    expect(lines).toMatchObject([{ reason, ...none }]);
  });
});

describe("a whole answer", () => {
  const begin = (end: (call: ProviderCall) => Promise<never>): Provider => ({
    name: "a",
    chat(_request, call) {
      call.begun?.();
      return end(call);
    },
  });

  it("that has begun to come is billed its prompt when the caller hangs up", async () => {
    const { engine, options, attempts } = await keptBooks([begin(hang)], { tokens });
    const controller = new AbortController();
    const asked = engine.chat({ model: "a/m", messages }, { ...options, signal: controller.signal });
    await settled();
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: "request_cancelled" });
    expect(await attempts()).toMatchObject([{ reason: "request_cancelled", ...prompt }]);
  });

  it.each([
    { what: "cannot be used", code: "upstream_invalid_response", line: prompt },
    { what: "is an error all the same", code: "upstream_error", line: none },
  ] as const)("that $what is billed as such", async ({ code, line }) => {
    const providers = [begin(() => Promise.reject(new GatewayError(code, "no")))];
    const { engine, options, attempts } = await keptBooks(providers, { tokens, retry: { retries: 0 } });
    await expect(engine.chat({ model: "a/m", messages }, options)).rejects.toMatchObject({ code });
    expect(await attempts()).toMatchObject([{ reason: code, ...line }]);
  });
});
