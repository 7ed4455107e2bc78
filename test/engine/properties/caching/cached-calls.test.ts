import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { embeddedVectors } from "../../../../adapters/vectors/embedded/index.ts";
import type { ChatChunk, ChatRequest } from "../../../../src/engine/api/chat.ts";
import { guardSignature } from "../../../../src/engine/caching/guard.ts";
import { mergeChunks } from "../../../../src/engine/metering/merge-chunks.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import type { CacheOptions } from "../../../../src/index.ts";
import { anyChat, anyScript } from "../../../../src/testing/arbitraries.ts";
import { type Script, type ScriptedEngine, scriptedEngine } from "../../../../src/testing/index.ts";
import { engineOver } from "../../support/support.ts";

/** Answers by telling what it was asked, by whom (as `user` says, which no fingerprint holds) and how many times before. */
function mirror(name: string): Provider {
  let count = 0;
  const textOf = (model: string, { user, temperature, messages }: ChatRequest) =>
    JSON.stringify({ who: user, target: `${name}/${model}`, temperature, asked: messages[0]?.content, count: count++ });
  return {
    name,
    async chat(request, { id, model }) {
      const message = { role: "assistant" as const, content: textOf(model, request) };
      return {
        id,
        object: "chat.completion",
        created: 1,
        model,
        choices: [{ index: 0, finish_reason: "stop", message }],
      };
    },
    async *streamChat(request, { id, model }) {
      const chunk = { id, object: "chat.completion.chunk", created: 1, model };
      for (const content of textOf(model, request))
        yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content } }] };
      yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }] };
    },
    // All texts collide: only what else must be equal keeps answers apart.
    async embed(_request, { model }) {
      return { object: "list", model, data: [{ index: 0, object: "embedding", embedding: [1, 2, 3] }] };
    },
  };
}

const who = fc.constantFrom("trusted", "one", "two");
const asking = fc.record({
  who,
  model: fc.constantFrom("a/m", "a/n", "b/m"),
  temperature: fc.constantFrom(undefined, 0, 1),
  content: fc.constantFrom("how far", "how far is it", "how far is it not", "2 miles", "3 miles"),
  isStream: fc.boolean(),
});
type Asking = typeof asking extends fc.Arbitrary<infer A> ? A : never;

async function createWorld(cache: Partial<CacheOptions>) {
  const providers = [mirror("a"), mirror("b")];
  const options = { store: memoryStore(), cache: { answers: memoryCache(), ...cache } };
  const { engine } = engineOver(providers, options);
  const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
  const [one, two] = [
    await engine.keys.create({ name: "1", provider_configs }),
    await engine.keys.create({ name: "2", provider_configs }),
  ];
  const keys = { trusted: undefined, one: one.value, two: two.value } as Record<string, string | undefined>;
  return {
    engine,
    async ask({ who, model, temperature, content, isStream }: Asking) {
      const messages = [{ role: "user" as const, content }];
      const request: ChatRequest = {
        model,
        messages,
        user: who,
        ...(temperature === undefined ? {} : { temperature }),
      };
      const options = { key: keys[who] };
      if (!isStream) return engine.chat(request, options);
      const chunks = [];
      for await (const chunk of await engine.streamChat(request, options)) chunks.push(chunk);
      return { ...mergeChunks(chunks), extra_fields: chunks.at(-1)?.extra_fields };
    },
  };
}

/** What an answer says of the question that it was given to first, and how it came. */
type World = Awaited<ReturnType<typeof createWorld>>;
async function tell(world: World, question: Asking) {
  const answer = await world.ask(question);
  return { said: JSON.parse(String(answer.choices[0]?.message.content)), debug: answer.extra_fields?.cache_debug };
}

type Told = Awaited<ReturnType<typeof tell>>;
const semantic = () => ({ vectors: embeddedVectors(), embed: "a/e" });

function check(cache: () => Partial<CacheOptions>, judge: (told: Told, question: Asking) => void) {
  return fc.assert(
    fc.asyncProperty(fc.array(asking, { minLength: 1, maxLength: 15 }), async (questions) => {
      const world = await createWorld(cache());
      for (const question of questions) judge(await tell(world, question), question);
    }),
    { numRuns: 50 }, // each asks up to fifteen questions
  );
}

describe.each([
  ["the same question", () => ({})],
  ["similar questions, all embeddings the same", semantic],
])("an answer kept for %s is never given", (_name, cache) => {
  it("outside its scope", () => check(cache, ({ said }, { who }) => expect(said.who).toBe(who)));
  it("for another model", () => check(cache, ({ said }, { model }) => expect(said.target).toBe(model)));
  it("for other parameters", () =>
    check(cache, ({ said }, { temperature }) => expect(said.temperature).toBe(temperature)));
  it("for other numbers or negations", () =>
    check(cache, ({ said }, { content }) => expect(guardSignature(said.asked)).toBe(guardSignature(content))));
  it("for another text, unless it says that it is similar", () =>
    check(cache, ({ said, debug }, { content }) => debug?.hit_type === "semantic" || expect(said.asked).toBe(content)));
});

it("a question that was asked before in its scope is not asked again, whole or streamed", () =>
  fc.assert(
    fc.asyncProperty(fc.array(asking, { minLength: 1, maxLength: 15 }), async (questions) => {
      const world = await createWorld({});
      const seen = new Set<string>();
      for (const question of questions) {
        const { isStream: _how, ...what } = question;
        const { debug } = await tell(world, question);
        expect(debug?.cache_hit).toBe(seen.has(JSON.stringify(what)));
        seen.add(JSON.stringify(what));
      }
    }),
  ));

const cast = { providers: ["a", "b"], models: ["m"] };
const round = fc.record({ isStream: fc.boolean(), hasFallback: fc.boolean(), stopsAfter: fc.option(fc.nat(4)) });
type Round = typeof round extends fc.Arbitrary<infer R> ? R : never;

/** One question as its caller sees it: the answer and how it came, or nothing when it failed or was left. */
async function play(engine: ScriptedEngine, { isStream, hasFallback, stopsAfter }: Round) {
  const request = { model: "a/m", ...(hasFallback ? { fallbacks: ["b/m"] } : {}), messages: [] };
  if (!isStream) return engine.chat(request).catch(() => undefined);
  const chunks: ChatChunk[] = [];
  const read = async () => {
    for await (const chunk of await engine.streamChat(request)) if (chunks.push(chunk) === stopsAfter) return undefined;
    return { ...mergeChunks(chunks), extra_fields: chunks.at(-1)?.extra_fields };
  };
  return read().catch(() => undefined);
}

it("what failed, was cut off or was not read to its end is never given again", () =>
  fc.assert(
    fc.asyncProperty(anyScript(cast), fc.array(round, { minLength: 2, maxLength: 10 }), async (script, rounds) => {
      const engine = scriptedEngine(marked(script), { cache: { answers: memoryCache() }, retry: { retries: 0 } });
      const complete = new Set<string>();
      for (const each of rounds) {
        const answer = await play(engine, each);
        if (!answer) continue;
        const text = String(answer.choices[0]?.message.content);
        expect(text).toMatch(/ whole$/);
        if (answer.extra_fields?.cache_debug?.cache_hit) expect(complete).toContain(text);
        complete.add(text);
      }
    }),
  ));

/** Every answer ends with a word that no cut-off one has. */
function marked(script: Script): Script {
  const mark = (step: Script[string][number]) =>
    step.kind === "answer" ? { ...step, text: `${step.text} whole` } : step;
  return Object.fromEntries(Object.entries(script).map(([name, steps]) => [name, steps.map(mark)]));
}

it("other fallbacks, metadata and user, and another order of fields, have the same answer", () =>
  fc.assert(
    fc.asyncProperty(anyChat(cast), fc.array(fc.constantFrom("b/m", "a/m")), async (chat, fallbacks) => {
      const steps = [{ kind: "answer" as const, text: "x" }];
      const engine = scriptedEngine({ "a/m": steps, "b/m": steps }, { cache: { answers: memoryCache() } });
      await engine.chat(chat);
      const reversed = Object.fromEntries(Object.entries(chat).reverse()) as ChatRequest;
      const other = { ...reversed, fallbacks, metadata: { a: 1 }, user: "u", stream: true };
      expect((await engine.chat(other)).extra_fields?.cache_debug?.hit_type).toBe("direct");
      expect(engine.calls).toHaveLength(1);
    }),
  ));
