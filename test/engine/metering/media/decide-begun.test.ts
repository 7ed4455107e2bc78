import { describe, expect, it } from "vitest";
import { openai } from "../../../../adapters/providers/openai.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { boundImage } from "../../../../src/engine/metering/media.ts";
import type { Provider, ProviderCall } from "../../../../src/engine/ports/provider.ts";
import type { EngineOptions } from "../../../../src/index.ts";
import { keptBooks, settled, untilEnded } from "../../support/books.ts";
import { belief, request } from "../../support/case.ts";
import { askedQuestion, byToken } from "../../support/judges.ts";

/** Every prompt is ten tokens. */
const tokens = { countText: (text: string) => text.length, countChat: () => 10 };
type End = (call: ProviderCall) => Promise<never>;
const failWith = (code: "upstream_unreachable" | "upstream_error") => async (): Promise<never> => {
  throw new GatewayError(code, "no", { upstream: { status: 503, message: "no" } });
};

/** A judge that begins to answer the question of anger, and ends as it is told to, once; the other answers are there by then. */
function failingOnce(end: End, begins = true): Provider {
  const { chat } = byToken("a", belief) as Required<Provider>;
  let failures = 1;
  return {
    name: "a",
    async chat(each, call) {
      if (askedQuestion(each) !== "anger" || failures-- <= 0) return chat(each, call);
      if (begins) call.begun?.();
      await settled();
      return end(call);
    },
  };
}

/** Decides, and waits as long as retries may take. */
async function decide(provider: Provider, more: Partial<EngineOptions> & { readonly dollars?: number } = {}) {
  const { engine, clock, options, attempts } = await keptBooks([provider], { tokens, ...more });
  const told = engine.decide(request, options).catch(({ code }: GatewayError) => code);
  for (let step = 0; step < 6; step++) {
    await settled();
    await clock.advance(1_000);
  }
  return { told: await told, lines: await attempts() };
}

describe("a question of a decision whose answer begins and cannot be used", () => {
  it("is billed its prompt when the answer is none", async () => {
    const fetch = async () => new Response("<html>", { status: 200 });
    const books = await keptBooks([openai({ apiKey: "x", fetch })], { tokens });
    const asked = books.engine.decide({ ...request, model: "openai/m" }, books.options);
    await expect(asked).rejects.toMatchObject({ code: "upstream_invalid_response" });
    const [line] = await books.attempts();
    expect(line).toMatchObject({ completion_tokens: 0, is_estimated: true });
    expect([10, 20, 30]).toContain(line?.prompt_tokens); // those that had begun when the first one was found to be none
  });

  it("is billed its prompt when the caller hangs up, beside those that were answered", async () => {
    const { engine, options, attempts } = await keptBooks([failingOnce(({ signal }) => untilEnded(signal))], {
      tokens,
    });
    const controller = new AbortController();
    const asked = engine.decide(request, { ...options, signal: controller.signal });
    await settled();
    await settled();
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: "request_cancelled" });
    expect(await attempts()).toMatchObject([{ reason: "request_cancelled", prompt_tokens: 210, is_estimated: true }]);
  });

  it("is billed with its try, and the next try by itself; what both used together is told to nobody", async () => {
    const { told, lines } = await decide(failingOnce(failWith("upstream_unreachable")));
    expect(told).toMatchObject({ answers: { refund: { kind: "noul" }, team: {}, anger: {} } });
    expect(told).not.toHaveProperty("usage");
    expect(lines).toMatchObject([
      { reason: "upstream_unreachable", prompt_tokens: 210, completion_tokens: 2, is_estimated: true },
      { reason: "ok", prompt_tokens: 100, completion_tokens: 1, is_estimated: false },
    ]);
  });

  it("is billed its prompt when the error of another question ends its try", async () => {
    const { chat } = byToken("a", belief) as Required<Provider>;
    const hanging = ({ begun, signal }: ProviderCall) => {
      begun?.();
      return untilEnded(signal);
    };
    const asks: Readonly<Record<string, Required<Provider>["chat"]>> = {
      refund: chat,
      team: (_each, call) => hanging(call),
      anger: failWith("upstream_error"),
    };
    const refusing: Provider = { name: "a", chat: (each, call) => (asks[askedQuestion(each)] ?? chat)(each, call) };
    const { told, lines } = await decide(refusing, { retry: { retries: 0 } });
    expect(told).toBe("upstream_error");
    expect(lines).toMatchObject([{ reason: "upstream_error", prompt_tokens: 110, is_estimated: true }]);
  });

  it("is not asked again where the budget has no room for that", async () => {
    const { told, lines } = await decide(failingOnce(failWith("upstream_unreachable")), { dollars: 0.002_6 });
    expect(told).toBe("upstream_unreachable");
    expect(lines).toMatchObject([{ reason: "upstream_unreachable", prompt_tokens: 210 }]);
  });

  it.each([
    { what: "it is an error", provider: failingOnce(failWith("upstream_error")) },
    { what: "it never began", provider: failingOnce(failWith("upstream_unreachable"), false) },
  ])("costs nothing where $what: the tries are one", async ({ provider }) => {
    const { told, lines } = await decide(provider);
    expect(told).toMatchObject({ usage: { prompt_tokens: 300 } });
    expect(lines).toMatchObject([{ reason: "ok", prompt_tokens: 300, is_estimated: false }]);
  });
});

it("a decision over an image is billed the image as such, not as text", async () => {
  const counted: number[] = [];
  const countText = (text: string) => counted.push(text.length) && text.length;
  const unsure: Provider = {
    name: "a",
    decide: async (_request, { id, model }) => ({ id, model, answers: { q: { kind: "noul", value: 7 } } }),
  };
  const { engine, options, attempts } = await keptBooks([unsure], { tokens: { ...tokens, countText } });
  const content = [{ type: "input_image" as const, image_url: `data:image/png;base64,${"A".repeat(1_000_000)}` }];
  const questions = [{ type: "predicate" as const, name: "q", instructions: "a cat?" }];
  const asked = engine.decide({ model: "a/m", input: [{ role: "user", content }], questions }, options);
  await expect(asked).rejects.toMatchObject({ code: "upstream_invalid_response" });
  const [line] = await attempts();
  expect(counted).toEqual([expect.closeTo(100, -2)]);
  expect(line?.prompt_tokens).toBe(Number(counted[0]) + boundImage("m"));
});
