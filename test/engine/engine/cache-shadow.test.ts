import { expect, it } from "vitest";
import { memoryCache } from "../../../adapters/caches/memory.ts";
import { embeddedVectors } from "../../../adapters/vectors/embedded/index.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { engineOver, record } from "../support/support.ts";

let asked = 0;
/** Answers with a number that counts up; all its vectors are alike. */
const provider: Provider = {
  name: "a",
  async chat(_request, { id, model }) {
    const message = { role: "assistant" as const, content: String(++asked) };
    const choices = [{ index: 0, finish_reason: "stop", message }];
    return { id, object: "chat.completion", created: 1, model, choices };
  },
  async embed(_request, { model }) {
    return { object: "list", model, data: [{ index: 0, object: "embedding", embedding: [1, 0] }] };
  },
};

function ask(more: object) {
  const cache = { answers: memoryCache(), vectors: embeddedVectors(), embed: "a/e", ...more };
  const { engine } = engineOver([provider], { cache });
  const events = record(engine, "cache");
  const say = (content: string) => engine.chat({ model: "a/m", messages: [{ role: "user", content }] });
  return { events, say };
}

it("a shadow reports the pair that would have been a hit, and asks all the same", async () => {
  const { events, say } = ask({ shadow: true });
  await say("What is the capital of Norway?");
  const answer = await say("capital of Norway");
  expect(answer.extra_fields?.cache_debug?.cache_hit).toBe(false);
  const pair = ["user: What is the capital of Norway?", "user: capital of Norway"];
  expect(events.filter(({ result }) => result === "would_hit")).toMatchObject([
    { similarity: expect.closeTo(1, 3), pair },
  ]);
});

it("without it the same pair is a hit, and one of an owner's opposites is none", async () => {
  const { say } = ask({ opposites: ["gold|silver"] });
  await say("What is the capital of Norway?");
  expect((await say("capital of Norway")).extra_fields?.cache_debug).toMatchObject({ hit_type: "semantic" });
  await say("the gold plan");
  expect((await say("the silver plan")).extra_fields?.cache_debug?.cache_hit).toBe(false);
});
