import { expect, it } from "vitest";
import type { GatewayError } from "../../../src/engine/errors.ts";
import { keptBooks, settled, untilEnded } from "../support/books.ts";
import { messages } from "../support/support.ts";

it("an attempt ends of what ended it first, also where the caller hangs up because of that", async () => {
  const controller = new AbortController();
  const chat = (_request: unknown, { signal }: { readonly signal: AbortSignal }) => {
    signal.addEventListener("abort", () => controller.abort());
    return untilEnded(signal);
  };
  const { engine, clock, options, attempts } = await keptBooks([{ name: "a", chat }]);
  const asked = engine.chat(
    { model: "a/m", messages },
    { ...options, signal: controller.signal, timeouts: { whole: 1_000 } },
  );
  const code = asked.catch((error: GatewayError) => error.code);
  await settled();
  await clock.advance(1_000);
  await settled();
  expect(await code).toBe("upstream_timeout");
  expect(await attempts()).toMatchObject([{ reason: "upstream_timeout" }]);
});
