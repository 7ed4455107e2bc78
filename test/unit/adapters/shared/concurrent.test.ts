import { describe, expect, it } from "vitest";
import { askParts } from "../../../../adapters/shared/concurrent.ts";
import { GatewayError } from "../../../../src/errors.ts";
import type { ProviderCall, RawExchange } from "../../../../src/ports.ts";
import { recordedCall } from "../../../fixtures/native.ts";

const waitFor = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("parts of an attempt", () => {
  it("end with the attempt, whichever way and however early it is ended", async () => {
    const controller = new AbortController();
    const gone = new GatewayError("request_cancelled", "gone");
    for (const ends of [
      { signal: controller.signal },
      { cancellation: controller.signal },
    ] as Partial<ProviderCall>[]) {
      const asked = askParts([1, 2, 3], { ...recordedCall("m"), ...ends }, (_part, { signal }) => waitFor(signal));
      controller.abort(gone);
      await expect(asked).rejects.toBe(gone);
    }
  });

  it("warn once of what several of them warn of", async () => {
    const call = recordedCall("m");
    await askParts([1, 2, 3], call, async (part, { warn }) => {
      warn("the same");
      warn(`part ${part % 2}`);
    });
    expect(call.warnings).toEqual(["the same", "part 1", "part 0"]);
  });

  it("are listed in the raw exchange, also when one failed", async () => {
    const raw: RawExchange = {};
    const asked = askParts(["a", "b"], { ...recordedCall("m"), raw }, async (part, own) => {
      if (own.raw) own.raw.request = part;
      if (part === "b") throw new Error("b");
      if (own.raw) own.raw.response = part.toUpperCase();
    });
    await expect(asked).rejects.toThrow("b");
    expect(raw).toEqual({ request: ["a", "b"], response: ["A", undefined] });
  });
});
