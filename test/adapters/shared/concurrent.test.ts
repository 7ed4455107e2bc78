import { describe, expect, it } from "vitest";
import { askParts } from "../../../adapters/shared/concurrent.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { AnsweredPart, ProviderCall, RawExchange } from "../../../src/engine/ports/provider.ts";
import { recordedCall } from "../../fixtures/native.ts";

const waitFor = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

const [one, two, three] = ["one", "two", "three"].map((input) => ({ model: "m", input })) as [Part, Part, Part];
type Part = { readonly model: string; readonly input: string };

describe("parts of an attempt", () => {
  it("end with the attempt, whichever way and however early it is ended", async () => {
    const controller = new AbortController();
    const gone = new GatewayError("request_cancelled", "gone");
    for (const ends of [
      { signal: controller.signal },
      { cancellation: controller.signal },
    ] as Partial<ProviderCall>[]) {
      const asked = askParts([one, two], { ...recordedCall("m"), ...ends }, (_part, { signal }) => waitFor(signal));
      controller.abort(gone);
      await expect(asked).rejects.toBe(gone);
    }
  });

  it("warn once of what several of them warn of", async () => {
    const call = recordedCall("m");
    await askParts([one, two, one], call, async ({ input }, { warn }) => {
      warn("the same");
      warn(`part ${input}`);
    });
    expect(call.warnings).toEqual(["the same", "part one", "part two"]);
  });

  it("are listed in the raw exchange, also when one failed", async () => {
    const raw: RawExchange = {};
    const asked = askParts([one, two], { ...recordedCall("m"), raw }, async ({ input }, own) => {
      if (own.raw) own.raw.request = input;
      if (input === "two") throw new Error("b");
      if (own.raw) own.raw.response = input.toUpperCase();
    });
    await expect(asked).rejects.toThrow("b");
    expect(raw).toEqual({ request: ["one", "two"], response: ["ONE", undefined] });
  });
});

describe("parts of an attempt that fails", () => {
  const usage = { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 };

  /** What is told as answered where the first part answers, the second begins to and the third ends as it is told to. */
  async function toldOf(last: (call: ProviderCall) => Promise<never>, more: Partial<ProviderCall> = {}) {
    const told: AnsweredPart[] = [];
    const call: ProviderCall = { ...recordedCall("m"), ...more, answered: (part) => void told.push(part) };
    const asked = askParts([one, two, three], call, async (part, own) => {
      if (part !== three) own.begun?.();
      if (part === one) own.answered?.({ request: part, usage });
      if (part === two) await waitFor(own.signal);
      if (part === three) await last(own);
    });
    return { told, asked };
  }
  const failWith = (code: "upstream_error" | "upstream_unreachable" | "upstream_invalid_response", begins: boolean) => {
    return async (own: ProviderCall): Promise<never> => {
      if (begins) own.begun?.();
      throw new GatewayError(code, "no");
    };
  };
  const answered = { request: one, usage };
  const begun = { request: two, usage: undefined };

  it.each([
    { what: "cannot be used", last: failWith("upstream_invalid_response", true), isTold: true },
    { what: "broke off", last: failWith("upstream_unreachable", true), isTold: true },
    { what: "is an error", last: failWith("upstream_error", true), isTold: false },
    { what: "never came", last: failWith("upstream_unreachable", false), isTold: false },
  ])("are told as answered once their answers began, and so is one whose answer $what: $isTold", async (row) => {
    const { told, asked } = await toldOf(row.last);
    await expect(asked).rejects.toThrow("no");
    expect(told).toEqual([answered, begun, ...(row.isTold ? [{ request: three, usage: undefined }] : [])]);
  });

  it("are told as answered at the very moment at which the attempt is ended", async () => {
    const controller = new AbortController();
    const { told, asked } = await toldOf(({ signal }) => waitFor(signal), { cancellation: controller.signal });
    controller.abort(new GatewayError("request_cancelled", "gone"));
    expect(told).toEqual([answered, begun]);
    await expect(asked).rejects.toThrow("gone");
    expect(told).toHaveLength(2);
  });

  it("are told once each, also one whose answer is there in the turn in which another part fails", async () => {
    const told: AnsweredPart[] = [];
    const call: ProviderCall = { ...recordedCall("m"), answered: (part) => void told.push(part) };
    const failing = Promise.reject(new GatewayError("upstream_unreachable", "no"));
    const asked = askParts([one, two], call, (part, own) => {
      own.begun?.();
      if (part === two) return failing;
      return new Promise<void>((_resolve, reject) => {
        own.signal.addEventListener("abort", () => {
          own.answered?.({ request: part, usage });
          reject(own.signal.reason);
        });
      });
    });
    await expect(asked).rejects.toThrow("no");
    expect(told.map(({ request }) => request)).toEqual([one, two]);
  });
});
