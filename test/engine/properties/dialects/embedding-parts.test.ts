import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { embedAll } from "../../../../adapters/shared/embeddings/embed.ts";
import { splitInputs } from "../../../../adapters/shared/embeddings/inputs.ts";
import { fromBase64, toBase64 } from "../../../../adapters/shared/embeddings/vectors.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../../../src/engine/api/embeddings.ts";
import { type EmbeddingInput, inputsOf } from "../../../../src/engine/dialects/embedding-inputs.ts";
import { failureOf, recordedCall } from "../../../fixtures/native.ts";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const tokens = fc.array(fc.nat(50_000), { minLength: 1, maxLength: 12 });
const inputs = fc.oneof(
  fc.array(text, { minLength: 1, maxLength: 40 }),
  fc.array(tokens, { minLength: 1, maxLength: 40 }),
) as fc.Arbitrary<EmbeddingInput[]>;
const limits = fc.record({
  inputs: fc.integer({ min: 1, max: 12 }),
  tokens: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
});
const sizeOf = (input: EmbeddingInput) => (typeof input === "string" ? Buffer.byteLength(input) : input.length);

describe("the parts of inputs", () => {
  it("joined are the inputs again, in order", () => {
    fc.assert(
      fc.property(inputs, limits, (all, most) => {
        expect(splitInputs(all, most).flat()).toEqual(all);
      }),
    );
  });

  it("hold no more inputs than the vendor takes, and at least one", () => {
    fc.assert(
      fc.property(inputs, limits, (all, most) => {
        for (const part of splitInputs(all, most)) {
          expect(part.length).toBeGreaterThan(0);
          expect(part.length).toBeLessThanOrEqual(most.inputs);
        }
      }),
    );
  });

  it("hold no more tokens than the vendor takes, unless one input alone does", () => {
    fc.assert(
      fc.property(inputs, limits, (all, most) => {
        for (const part of splitInputs(all, most)) {
          const size = part.reduce((sum, input) => sum + sizeOf(input), 0);
          expect(part.length === 1 || size <= (most.tokens ?? Infinity)).toBe(true);
        }
      }),
    );
  });

  it("are as few as their order allows", () => {
    fc.assert(
      fc.property(inputs, limits, (all, most) => {
        const parts = splitInputs(all, most);
        for (const [at, part] of parts.slice(1).entries()) {
          const before = parts[at] as EmbeddingInput[];
          const size = [...before, part[0] as EmbeddingInput].reduce((sum, input) => sum + sizeOf(input), 0);
          expect(before.length === most.inputs || size > (most.tokens ?? Infinity)).toBe(true);
        }
      }),
    );
  });
});

/** A vector that says what it is the vector of; vendors may give vectors in any order. */
const vectorOf = (input: EmbeddingInput) => [sizeOf(input), typeof input === "string" ? 1 : 0];

function vendor(most: { inputs: number; tokens: number | undefined }, shuffled: readonly number[]) {
  const asked: EmbeddingInput[][] = [];
  let running = 0;
  let mostRunning = 0;
  return {
    asked,
    mostRunning: () => mostRunning,
    embedder: {
      provider: "acme",
      limits: most,
      async ask(request: EmbeddingRequest): Promise<EmbeddingResponse> {
        const part = inputsOf(request);
        asked.push(part);
        mostRunning = Math.max(mostRunning, ++running);
        // Later parts come back before earlier ones.
        for (let turn = 0; turn < (shuffled[asked.length % shuffled.length] ?? 0); turn++) await Promise.resolve();
        running -= 1;
        const data = part.map((input, index) => ({ object: "embedding", index, embedding: vectorOf(input) }));
        const used = part.reduce((sum, input) => sum + sizeOf(input), 0);
        const usage = { prompt_tokens: used, completion_tokens: 0, total_tokens: used };
        return { object: "list", model: "m", data: asked.length % 2 === 0 ? data.reverse() : data, usage };
      },
    },
  };
}

const turns = fc.array(fc.nat(9), { minLength: 1, maxLength: 6 });

describe("embeddings in parts", () => {
  it("have the vector of each input at its place, whichever part answers first", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, limits, turns, async (input, most, order) => {
        const { embedder } = vendor(most, order);
        const answer = await embedAll({ model: "acme/m", input } as EmbeddingRequest, recordedCall("m"), embedder);
        expect(answer.data.map(({ embedding }) => embedding)).toEqual(input.map(vectorOf));
        expect(answer.data.map(({ index }) => index)).toEqual(input.map((_, at) => at));
      }),
    );
  });

  it("used what their parts used together", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, limits, turns, async (input, most, order) => {
        const { embedder } = vendor(most, order);
        const answer = await embedAll({ model: "acme/m", input } as EmbeddingRequest, recordedCall("m"), embedder);
        const used = input.reduce((sum, each) => sum + sizeOf(each), 0);
        expect(answer.usage).toEqual({ prompt_tokens: used, completion_tokens: 0, total_tokens: used });
      }),
    );
  });

  it("are asked four at a time at most", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, turns, async (input, order) => {
        const { embedder, mostRunning, asked } = vendor({ inputs: 1, tokens: undefined }, order);
        await embedAll({ model: "acme/m", input } as EmbeddingRequest, recordedCall("m"), embedder);
        expect(mostRunning()).toBeLessThanOrEqual(4);
        expect(asked.length).toBe(input.length);
      }),
    );
  });

  it("fail with the first part that fails, and nobody is asked any more", async () => {
    const story = fc.integer({ min: 2, max: 30 }).chain((count) => fc.tuple(fc.constant(count), fc.nat(count - 1)));
    await fc.assert(
      fc.asyncProperty(story, async ([count, bad]) => {
        const input = Array.from({ length: count }, (_, at) => `text ${at}`);
        const signals: AbortSignal[] = [];
        const { embedder } = vendor({ inputs: 1, tokens: undefined }, [0]);
        const { GatewayError } = await import("../../../../src/engine/errors.ts");
        const ask: typeof embedder.ask = async (request) => {
          if (inputsOf(request)[0] === `text ${bad}`) throw new GatewayError("upstream_unreachable", "gone");
          return embedder.ask(request);
        };
        const watched = (request: EmbeddingRequest, call: { signal: AbortSignal }) => {
          signals.push(call.signal);
          return ask(request);
        };
        const call = recordedCall("m");
        const failed = await failureOf(embedAll({ model: "acme/m", input }, call, { ...embedder, ask: watched }));
        const askedThen = signals.length;
        expect(failed).toMatchObject({ code: "upstream_unreachable" });
        expect(signals.every(({ aborted }) => aborted)).toBe(true);
        await new Promise(setImmediate);
        expect(signals.length).toBe(askedThen);
        expect(askedThen).toBeLessThanOrEqual(bad + 5);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a vector", () => {
  it("written as base64 and read again is what float32 has of it", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true }), { maxLength: 40 }), (values) => {
        expect(fromBase64(toBase64(values))).toEqual(values.map(Math.fround));
      }),
    );
  });

  it("is in the format that was asked for, whichever way the vendor tells it", async () => {
    const format = fc.constantFrom("float" as const, "base64" as const, undefined);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 9 }),
        format,
        fc.boolean(),
        async (...drawn) => {
          const [values, encoding_format, isBase64] = drawn;
          const request = { model: "acme/m", input: "a", ...(encoding_format ? { encoding_format } : {}) };
          const embedding = isBase64 ? toBase64(values) : values;
          const ask = async () => ({
            object: "list",
            model: "m",
            data: [{ index: 0, object: "embedding", embedding }],
          });
          const answer = await embedAll(request, recordedCall("m"), { provider: "acme", ask });
          const expected =
            encoding_format === "base64" ? toBase64(values) : isBase64 ? values.map(Math.fround) : values;
          expect(answer.data[0]?.embedding).toEqual(expected);
        },
      ),
    );
  });
});
