import { describe, expect, it } from "vitest";
import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { keptBooks, settled, untilEnded } from "../support/books.ts";
import { messages, textOf } from "../support/support.ts";

/** Every character is a token, and every prompt ten. */
const tokens = { countText: (text: string) => text.length, countChat: () => 10 };
const timeouts = { firstContent: 1_000, gap: 1_000, whole: 10_000 };

type Choice = ChatChunk["choices"][number];
const chunkOf = ({ id, model }: ProviderCall, delta: Choice["delta"], finish_reason: string | null = null) =>
  ({
    id,
    object: "chat.completion.chunk",
    created: 1,
    model,
    choices: [{ index: 0, finish_reason, delta }],
  }) satisfies ChatChunk;

/** A prompt of a hundred tokens, ninety of them from the vendor's cache, as it says at the start of a stream. */
const atStart: Usage = {
  prompt_tokens: 100,
  completion_tokens: 0,
  total_tokens: 100,
  prompt_tokens_details: { cached_read_tokens: 90 },
};
const later: Usage = { ...atStart, completion_tokens: 2, total_tokens: 102 };

/** What a stream does: it says what it used, or something of its answer, or ends as it is told to. */
type Act = Usage | string | ((call: ProviderCall) => Promise<void>);

function acting(name: string, ...acts: readonly Act[]): Provider {
  return {
    name,
    async *streamChat(_request, call): AsyncGenerator<ChatChunk> {
      yield chunkOf(call, { role: "assistant", content: "" });
      for (const act of acts) {
        if (typeof act === "function") await act(call);
        else if (typeof act === "object") call.used?.(act);
        else yield act === "stop" ? chunkOf(call, {}, "stop") : chunkOf(call, { content: act });
      }
    },
  };
}
const hang = ({ signal }: ProviderCall) => untilEnded(signal);
const breakOff = () => Promise.reject(new GatewayError("upstream_stream_broken", "broke off"));

/** Reads a stream, and hangs up half a second later unless it has ended; the lines of its row. */
async function linesOf(...providers: readonly Provider[]) {
  const { engine, clock, options, attempts } = await keptBooks(providers, { tokens, timeouts });
  const controller = new AbortController();
  const [first, ...others] = providers.map(({ name }) => `${name}/m`) as [string, ...string[]];
  const request = { model: first, fallbacks: others, messages };
  const asked = engine.streamChat(request, { ...options, signal: controller.signal }).then(textOf);
  const told = asked.catch(({ code }: GatewayError) => code);
  await settled();
  await clock.advance(500);
  controller.abort();
  return { told: await told, lines: await attempts() };
}

const counted = { completion_tokens: 3, is_estimated: true };
const prompt = { prompt_tokens: 100, cached_read_tokens: 90 };

describe("a stream that ends before its usage came", () => {
  it("is billed the prompt that its vendor told, and its text by our count", async () => {
    const { told, lines } = await linesOf(acting("a", atStart, "yes", hang));
    expect(told).toBe("request_cancelled");
    expect(lines).toMatchObject([{ reason: "request_cancelled", ...prompt, ...counted }]);
  });

  it("is billed the completion that its vendor told, where it told one", async () => {
    const { lines } = await linesOf(acting("a", atStart, "yes", later, hang));
    expect(lines).toMatchObject([{ ...prompt, completion_tokens: 2, is_estimated: false }]);
  });

  it("is billed by our count alone where its vendor told nothing, or nothing that is a count", async () => {
    const lost = { prompt_tokens: 10, cached_read_tokens: 0, ...counted };
    expect((await linesOf(acting("a", "yes", hang))).lines).toMatchObject([lost]);
    const broken = { ...later, prompt_tokens: -1 };
    expect((await linesOf(acting("a", broken, "yes", hang))).lines).toMatchObject([lost]);
  });

  it("is billed the prompt that its vendor told when it ends before its first content", async () => {
    const { told, lines } = await linesOf(acting("a", atStart, hang));
    expect(told).toBe("request_cancelled");
    expect(lines).toMatchObject([{ ...prompt, completion_tokens: 0, is_estimated: false }]);
  });

  it("is billed so beside the candidate that answers in its place", async () => {
    const { told, lines } = await linesOf(acting("a", atStart, breakOff), acting("b", "well", "stop"));
    expect(told).toBe("well");
    expect(lines).toMatchObject([
      { provider: "a", reason: "upstream_stream_broken", ...prompt, completion_tokens: 0 },
      { provider: "b", reason: "ok", prompt_tokens: 10, completion_tokens: 4, is_estimated: true },
    ]);
  });

  it("is billed so when another candidate goes on with it, and that one by what it says itself", async () => {
    const { told, lines } = await linesOf(acting("a", atStart, "we", breakOff), acting("b", later, "well", "stop"));
    expect(told).toBe("well");
    expect(lines).toMatchObject([
      { provider: "a", reason: "upstream_stream_broken", ...prompt, completion_tokens: 2, is_estimated: true },
      { provider: "b", reason: "ok", ...prompt, completion_tokens: 2, is_estimated: false },
    ]);
  });

  it("is billed so when it was whole but for its usage", async () => {
    const { told, lines } = await linesOf(acting("a", atStart, later, "yes", "stop", breakOff));
    expect(told).toBe("yes");
    expect(lines).toMatchObject([{ reason: "ok", ...prompt, completion_tokens: 2, is_estimated: false }]);
  });
});
