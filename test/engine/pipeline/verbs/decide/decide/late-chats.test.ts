import { describe, expect, it } from "vitest";
import "../../../../../../src/engine/pipeline/verbs/decide/decide.ts"; // read now: the clock below does not wait for it
import { GatewayError } from "../../../../../../src/engine/errors.ts";
import type { Prices } from "../../../../../../src/engine/ports/prices.ts";
import type { Provider } from "../../../../../../src/engine/ports/provider.ts";
import { keptBooks, promptOf, settled } from "../../../../support/books.ts";
import { belief, request } from "../../../../support/case.ts";
import { askedQuestion, byToken } from "../../../../support/judges.ts";

const busy = () => new GatewayError("upstream_error", "busy", { upstream: { status: 500, message: "busy" } });

describe("a decision of which chats go on after their try", () => {
  const rates = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-9 };
  const facts = { provider: "a", model: "judge", rates, max_output_tokens: 16 };
  const prices: Prices = {
    version: "t",
    find: (provider) => (provider === "a" ? facts : undefined),
    list: () => [facts],
  };
  const bytes = {
    countText: (text: string) => Buffer.byteLength(text),
    countChat: (asked: object) => JSON.stringify(asked).length,
  };
  const long = { ...request, state: { ticket: "charged twice. ".repeat(2_000) } };
  const inner = byToken("a", belief) as Required<Provider>;

  /** Two questions wait for the gate whatever becomes of their try; the third fails twice. */
  function deaf(gate: Promise<void>): Provider {
    let failures = 2;
    return {
      name: "a",
      async chat(each, call) {
        if (askedQuestion(each) !== "anger") await gate;
        else if (failures-- > 0) throw busy();
        const size = JSON.stringify(each.messages).length;
        return { ...(await inner.chat(each, call)), usage: { ...promptOf(size), total_tokens: size } };
      },
    };
  }

  it("is billed each form of a question once", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { engine, clock, options, attempts } = await keptBooks([deaf(gate)], {
      prices,
      tokens: bytes,
      dollars: 0.19,
    });
    const call = engine.decide(long, options);
    for (let step = 0; step < 3; step++) {
      await settled();
      await clock.advance(1_500);
    }
    open();
    // Of a long state the first question goes alone: the one that fails follows it, and is asked again twice.
    for (let step = 0; step < 6; step++) {
      await settled();
      await clock.advance(1_500);
    }
    await call;
    expect(await attempts()).toMatchObject([{ reason: "ok" }]);
  });

  it("is billed for those alone that its last try asked, when it loses a race", async () => {
    const providers = [deaf(new Promise(() => {})), byToken("b", belief)];
    const more = { prices, tokens: bytes, dollars: 0.19, unpriced: "allow" as const, hedge: { after_ms: 30_000 } };
    const { engine, clock, options, attempts } = await keptBooks(providers, more);
    const call = engine.decide({ ...long, fallbacks: ["b/judge"] }, options);
    for (let step = 0; step < 22; step++) {
      await settled();
      await clock.advance(1_500);
    }
    await call;
    expect(await attempts()).toMatchObject([{ provider: "a", is_estimated: true }, { provider: "b" }]);
  });
});

it("a question of a try that is over is asked in no other form when its answer comes late", async () => {
  let refuse: (error: GatewayError) => void = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  const inner = byToken("a", belief) as Required<Provider>;
  const forms: string[] = [];
  let failures = 1;
  const provider: Provider = {
    name: "a",
    async chat(each, call) {
      const question = askedQuestion(each);
      if (question === "anger" && failures-- > 0) throw busy();
      if (question !== "refund") return inner.chat(each, call);
      forms.push(each.tools ? "tool" : "token");
      return forms.length === 1 ? late : inner.chat(each, call);
    },
  };
  const { engine, clock, options } = await keptBooks([provider]);
  const call = engine.decide(request, options);
  for (let step = 0; step < 3; step++) {
    await settled();
    await clock.advance(1_500);
  }
  const refused = { status: 400, message: "no logprobs here" };
  refuse(new GatewayError("upstream_error", "no", { upstream: refused }));
  await call;
  await settled();
  expect(forms).toEqual(["token", "token"]);
});
