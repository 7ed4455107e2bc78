import fc from "fast-check";
import { expect, it } from "vitest";
import { anthropic } from "../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../adapters/providers/cohere/index.ts";
import { gemini } from "../../adapters/providers/gemini/index.ts";
import { openai } from "../../adapters/providers/openai.ts";
import { isGatewayError } from "../../src/errors.ts";
import type { Provider } from "../../src/ports.ts";
import { collect, pairedNames, playedTransport, readAnswer, readBytes, recordedCall } from "../fixtures/native.ts";

const vendors = {
  anthropic,
  cohere,
  gemini,
  openai,
  bedrock: (options: Parameters<typeof openai>[0]) => bedrock({ region: "us-east-1", ...options }),
};
type Vendor = keyof typeof vendors;
const streamed = (["anthropic", "cohere", "gemini", "openai"] as const).flatMap((vendor) =>
  pairedNames(vendor).map((name): readonly [Vendor, string] => [vendor, name]),
);
/** Bedrock's streams are no text. */
const whole = [
  ...streamed,
  ...["text", "tools", "thinking-tools", "guardrail", "cached"].map((name) => ["bedrock", name] as const),
];
const request = { model: "any/m", messages: [{ role: "user" as const, content: "Go" }] };

/** What stands where something else is meant. */
const anyOddity = fc.constantFrom<unknown>(5, -1, 0.5, "x", "", true, {}, [], [5], ["x"], [[]], { a: 1 }, [{}], null);
const anyOddAmong = (names: readonly (readonly [Vendor, string])[]) =>
  fc.record({ at: fc.constantFrom(...names), where: fc.nat(400), oddity: anyOddity });

/** The value with what stands at one of its places replaced; the places are all of its members at any depth. */
function withOddity(value: unknown, where: number, oddity: unknown): unknown {
  const copy = structuredClone(value);
  const places: (() => void)[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [name, member] of Object.entries(node)) {
      places.push(() => Object.assign(node, { [name]: oddity }));
      visit(member);
    }
  };
  visit(copy);
  places[where % Math.max(1, places.length)]?.();
  return copy;
}

/** Rejects with what is no error of the table. */
async function mustHold(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    if (!isGatewayError(thrown) || thrown.code === "internal") throw thrown;
    expect(["upstream_invalid_response", "upstream_error", "upstream_stream_broken"]).toContain(thrown.code);
  }
}

it("a whole answer that is odd in one place is read, or is the vendor's fault, so that the next target is asked", () =>
  fc.assert(
    fc.asyncProperty(anyOddAmong(whole), async ({ at: [vendor, name], where, oddity }) => {
      const body = withOddity(readAnswer(`${vendor}/${name}.json`), where, oddity);
      const provider: Provider = vendors[vendor]({
        apiKey: "k-0123456789",
        transport: playedTransport({ bodies: [body] }),
      });
      await mustHold(Promise.resolve(provider.chat?.(request, recordedCall("m"))));
    }),
    { numRuns: 1_500 },
  ));

it("and so is a stream with an event that is odd in one place", () =>
  fc.assert(
    fc.asyncProperty(anyOddAmong(streamed), fc.nat(40), async ({ at: [vendor, name], where, oddity }, event) => {
      const lines = Buffer.from(readBytes(`${vendor}/${name}.sse`))
        .toString("utf8")
        .split("\n");
      const told = lines.flatMap((line, index) => (/^data: ?(?:\{|\[(?!DONE))/.test(line) ? [index] : []));
      const line = told[event % Math.max(1, told.length)] ?? -1;
      if (line >= 0) {
        const said: unknown = JSON.parse((lines[line] as string).replace(/^data: ?/, ""));
        lines[line] = `data: ${JSON.stringify(withOddity(said, where, oddity))}`;
      }
      const transport = playedTransport({ pieces: [Buffer.from(lines.join("\n"))] });
      const provider: Provider = vendors[vendor]({ apiKey: "k-0123456789", transport });
      await mustHold(collect(provider.streamChat?.(request, recordedCall("m"))));
    }),
    { numRuns: 1_500 },
  ));
