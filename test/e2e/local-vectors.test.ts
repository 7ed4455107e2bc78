import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryCache } from "../../adapters/caches/memory.ts";
import { local } from "../../adapters/providers/local/index.ts";
import { embeddedVectors } from "../../adapters/vectors/embedded/index.ts";
import { createEngine, defineProvider, type Engine } from "../../src/index.ts";

/** The sentence model for real: its packages, its weights, its thread. */
const model = "local/minilm-l6-v2";
let engine: Engine;

beforeAll(() => {
  engine = createEngine({ providers: [local()] });
});

afterAll(() => engine.close());

const vectorsOf = async (input: string[]) =>
  (await engine.embed({ model, input })).data.map(({ embedding }) => embedding as number[]);
const likeness = (one: number[] = [], other: number[] = []) =>
  one.reduce((sum, each, at) => sum + each * (other[at] ?? 0), 0);

describe("local vectors", () => {
  it("are alike where the meaning is, and of length 1", async () => {
    const [asked, same, other] = await vectorsOf([
      "What is the capital of France?",
      "Which city is France's capital?",
      "How to bake bread",
    ]);
    expect(asked).toHaveLength(384);
    expect(likeness(asked, asked)).toBeCloseTo(1, 5);
    expect(likeness(asked, same)).toBeGreaterThan(0.9);
    expect(likeness(asked, other)).toBeLessThan(0.3);
  });

  it("cost nothing", async () => {
    const { usage } = await engine.embed({ model, input: "a" });
    expect(usage?.cost?.total_cost).toBe(0);
  });

  it("are each text's own, however many are asked at the same time", async () => {
    const texts = Array.from({ length: 12 }, (_, at) => `Number ${at} of the list`);
    const together = await Promise.all(texts.map(async (text) => (await vectorsOf([text]))[0]));
    expect(together).toEqual(await vectorsOf(texts));
  });

  it("find the answer to the same question in other words: a semantic cache without a network", async () => {
    const asked: string[] = [];
    const oracle = defineProvider({
      name: "oracle",
      async chat({ messages }, { id, model: name }) {
        asked.push(String(messages.at(-1)?.content));
        const message = { role: "assistant" as const, content: `answer ${asked.length}` };
        return {
          id,
          object: "chat.completion",
          created: 1,
          model: name,
          choices: [{ index: 0, finish_reason: "stop", message }],
        };
      },
    });
    const cache = { answers: memoryCache(), vectors: embeddedVectors(), embed: model, threshold: 0.9 };
    const cached = createEngine({ providers: [oracle, local()], cache });
    const ask = async (content: string) => {
      const request = { model: "oracle/m", messages: [{ role: "user" as const, content }] };
      const { choices, extra_fields } = await cached.chat(request);
      return [choices[0]?.message.content, extra_fields?.cache_debug?.hit_type];
    };
    expect(await ask("What is the capital of France?")).toEqual(["answer 1", undefined]);
    expect(await ask("What's the capital city of France?")).toEqual(["answer 1", "semantic"]);
    expect(await ask("How do I bake bread?")).toEqual(["answer 2", undefined]);
    expect(asked).toEqual(["What is the capital of France?", "How do I bake bread?"]);
    await cached.close();
  });

  it("leave this thread free while they are made", async () => {
    let turns = 0;
    let isDone = false;
    const making = vectorsOf(Array.from({ length: 8 }, (_, at) => `${"many words ".repeat(60)} ${at}`)).then(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      turns += 1;
    }
    await making;
    expect(turns).toBeGreaterThan(100);
  });

  it("end when the caller gives up, and the next caller is served", async () => {
    const controller = new AbortController();
    const input = Array.from({ length: 200 }, (_, at) => `text ${at}`);
    const asked = engine.embed({ model, input }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(asked).rejects.toMatchObject({ code: "request_cancelled" });
    expect(await vectorsOf(["next"])).toHaveLength(1);
  });

  it("hold no process that is done with them", async () => {
    const source = fileURLToPath(new URL("../../adapters/providers/local/sentence-model.ts", import.meta.url));
    const program = `
      const { openSentenceModel } = await import(${JSON.stringify(source)});
      const { vectors } = await openSentenceModel().embed(["a"], new AbortController().signal);
      console.log(vectors[0].length);`;
    const child = spawn(
      process.execPath,
      ["--no-warnings", "--experimental-strip-types", "--input-type=module", "-e", program],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let told = "";
    child.stdout.on("data", (piece) => {
      told += piece;
    });
    const [code] = await once(child, "exit");
    expect([told.trim(), code]).toEqual(["384", 0]);
  });
});
