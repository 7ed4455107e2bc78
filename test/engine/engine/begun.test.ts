import { describe, expect, it } from "vitest";
import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { engineOver, messages, settled } from "../support/support.ts";

const answer: ChatResponse = {
  id: "1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "late" } }],
};

/** A provider whose answer is there when the test says so. */
function slow(onAsked: (call: ProviderCall, finish: () => void) => void): Provider[] {
  return [
    {
      name: "a",
      chat: (_request, call) =>
        new Promise((resolve, reject) => {
          call.signal.addEventListener("abort", () => reject(call.signal.reason as Error), { once: true });
          onAsked(call, () => resolve(answer));
        }),
    },
  ];
}

const timeouts = { firstContent: 1_000, firstContentMax: 2_000, gap: 300, whole: 10_000 };

describe("a whole answer", () => {
  it("that has begun may take longer than its first bytes may", async () => {
    let finish = () => {};
    const providers = slow((call, done) => {
      call.begun?.();
      finish = done;
    });
    const { engine, clock } = engineOver(providers, { timeouts });
    const asked = engine.chat({ model: "a/m", messages });
    await clock.advance(9_000);
    finish();
    expect((await asked).choices[0]?.message.content).toBe("late");
    expect(clock.pending).toBe(0);
  });
  it("that has begun may not take longer than the whole request may", async () => {
    const { engine, clock } = engineOver(
      slow((call) => call.begun?.()),
      { timeouts },
    );
    const asked = engine.chat({ model: "a/m", messages }).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await asked).toMatchObject({ code: "upstream_timeout" });
    expect(clock.pending).toBe(0);
  });
  it("that has not begun may take as long: its head comes with its last token", async () => {
    let finish = () => {};
    const providers = slow((_call, done) => {
      finish = done;
    });
    const { engine, clock } = engineOver(providers, { timeouts });
    const asked = engine.chat({ model: "a/m", messages });
    await settled();
    await clock.advance(9_999);
    finish();
    expect((await asked).choices[0]?.message.content).toBe("late");
  });
  it("gives its provider no limits but those of the connection and the whole request", async () => {
    const seen: ProviderCall[] = [];
    const { engine } = engineOver(
      slow((call, done) => {
        seen.push(call);
        done();
      }),
      { timeouts },
    );
    await engine.chat({ model: "a/m", messages });
    expect(seen[0]?.timeouts).toMatchObject({ connect: 10_000, firstContent: 10_000, gap: 10_000, whole: 10_000 });
  });
});
