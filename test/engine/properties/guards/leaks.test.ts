import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { pii } from "../../../../adapters/guards/pii/index.ts";
import { words } from "../../../../adapters/guards/words.ts";
import type { ChatChunk, ChatResponse } from "../../../../src/engine/api/chat.ts";
import type { Delta } from "../../../../src/engine/api/message.ts";
import { mergeChunks } from "../../../../src/engine/metering/merge-chunks.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { createEngine, type Middleware } from "../../../../src/index.ts";
import { fakeClock, scriptedWorld } from "../../../../src/testing/index.ts";
import { readUntilEnd } from "../../../http/support/broken-body.ts";
import { atDepth } from "../../../tiers/depth.ts";
import { dialects, readable } from "./client.ts";

const bit = (text: string, more: Partial<Middleware> = {}): Middleware => ({
  name: "bit",
  stream: { hold: "sentence", text: (one) => one.replaceAll(/bad/gi, text) },
  ...more,
});

interface GuardCase {
  readonly guard: () => Middleware;
  readonly forbidden: RegExp;
  /** The guard looks at whole words, of which an event of a stream may hold a part. */
  readonly isOfWords?: boolean;
}

/** Guards by name, with what none of their clients may be able to read. */
const guards: Readonly<Record<string, GuardCase>> = {
  "mask by sentence": { guard: () => bit("***"), forbidden: /bad/i },
  "mask whole": {
    guard: () => bit("***", { stream: { hold: "whole", text: (one) => one.replaceAll(/bad/gi, "***") } }),
    forbidden: /bad/i,
  },
  "block by sentence": {
    guard: () =>
      bit("", {
        stream: { hold: "sentence", text: (one, context) => (/bad/i.test(one) ? context.block("x") : undefined) },
      }),
    forbidden: /bad/i,
  },
  "block whole": {
    guard: () => ({
      name: "whole",
      answer: (answer, context) =>
        /bad/i.test(readable(JSON.stringify(answer)).join(" ")) ? context.block("x") : undefined,
    }),
    forbidden: /bad/i,
  },
  "words, masked": {
    guard: () => words({ words: ["bad", "ok bad"], action: "mask" }),
    forbidden: /(?<![\p{L}\p{N}_\\])bad(?![\p{L}\p{N}_\\])/iu,
    isOfWords: true,
  },
  "words, blocked": {
    guard: () => words({ words: ["bad"] }),
    forbidden: /(?<![\p{L}\p{N}_\\])bad(?![\p{L}\p{N}_\\])/iu,
    isOfWords: true,
  },
  pii: { guard: () => pii(), forbidden: /eve@x\.example|4111 ?1111 ?1111 ?1111/ },
  "pii, blocked": { guard: () => pii({ answers: "block" }), forbidden: /eve@x\.example|4111 ?1111 ?1111 ?1111/ },
};

const piece = fc.constantFrom(
  "bad",
  "BAD",
  "ba",
  "b",
  "ad",
  "d",
  " ",
  ". ",
  "\n\n",
  "ok",
  " eve@x.example ",
  " 4111 1111 1111 1111 ",
  "。",
);
const prose = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const seeds = fc.array(fc.nat({ max: 6 }), { maxLength: 12 });

/** A text in pieces of random lengths. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const length of lengths) {
    if (at >= text.length) break;
    pieces.push(text.slice(at, at + length + 1));
    at += length + 1;
  }
  return at < text.length ? [...pieces, text.slice(at)] : pieces;
}

/** JSON of a text, some of its letters spelled as escapes. */
const spelled = fc.tuple(prose, fc.boolean()).map(([text, isEscaped]) => {
  const json = JSON.stringify({ q: text });
  return isEscaped ? json.replaceAll(/[a-d]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`) : json;
});

/** The deltas of an answer: thoughts and texts in any order, then calls, all of it cut at random. */
const answers = fc
  .record({
    texts: fc.array(fc.tuple(fc.constantFrom("content", "reasoning", "detail"), prose, seeds), { maxLength: 4 }),
    calls: fc.array(fc.tuple(spelled, seeds), { maxLength: 2 }),
  })
  .map(({ texts, calls }): Delta[] => [
    { role: "assistant" },
    ...texts.flatMap(([kind, text, lengths]) =>
      cut(text, lengths).map((part): Delta => {
        if (kind !== "detail") return { [kind]: part };
        return { reasoning: part, reasoning_details: [{ type: "reasoning.text", index: 0, text: part }] };
      }),
    ),
    ...calls.flatMap(([json, lengths], index) =>
      cut(json, lengths).map((part, at): Delta => {
        const head = at === 0 ? { id: `c${index}`, type: "function" } : {};
        return { tool_calls: [{ index, ...head, function: { ...(at === 0 ? { name: "f" } : {}), arguments: part } }] };
      }),
    ),
  ]);

const base = { id: "x", created: 1, model: "m" };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function chunksOf(deltas: readonly Delta[]): ChatChunk[] {
  const chunk = { ...base, object: "chat.completion.chunk" };
  return [
    ...deltas.map((delta) => ({ ...chunk, choices: [{ index: 0, finish_reason: null, delta }] })),
    { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }], usage },
  ];
}

function engineOf(deltas: readonly Delta[], middleware: readonly Middleware[], isCached: boolean) {
  const provider: Provider = {
    name: "a",
    chat: async (): Promise<ChatResponse> => mergeChunks(chunksOf(deltas)),
    async *streamChat() {
      yield* chunksOf(deltas);
    },
  };
  const cache = isCached ? { answers: memoryCache() } : undefined;
  return createEngine({ ...scriptedWorld(), clock: fakeClock(), providers: [provider], middleware, cache });
}

async function ask(engine: ReturnType<typeof engineOf>, dialect: string, isStream: boolean): Promise<string> {
  const [path, body] = dialects[dialect]?.(isStream) ?? ["", {}];
  const headers = { "content-type": "application/json" };
  const response = await engine.fetch(`http://engine${path}`, { method: "POST", body: JSON.stringify(body), headers });
  return (await readUntilEnd(response)).text;
}

const seen = { blocked: 0, changed: 0, same: 0, forbidden: 0 };

test.each(Object.keys(dialects))(
  "%s: what a guard blocks or redacts is in no byte that the client got",
  async (dialect) => {
    await fc.assert(
      fc.asyncProperty(
        answers,
        fc.uniqueArray(fc.constantFrom(...Object.keys(guards)), { minLength: 1, maxLength: 3 }),
        fc.record({ isStream: fc.boolean(), isCached: fc.boolean() }),
        async (deltas, names, { isStream, isCached }) => {
          const chosen = names.map((name) => guards[name] as GuardCase);
          const middleware = chosen.map(({ guard }, at) => ({ ...guard(), name: `${at}` }));
          const engine = engineOf(deltas, middleware, isCached);
          for (let times = 0; times < (isCached ? 2 : 1); times++) {
            const body = await ask(engine, dialect, isStream);
            for (const { forbidden, isOfWords } of chosen)
              for (const text of readable(body, !(isStream && isOfWords))) expect(text).not.toMatch(forbidden);
            seen[
              body.includes("content_blocked") || body.includes("was refused")
                ? "blocked"
                : body.includes("***")
                  ? "changed"
                  : "same"
            ]++;
          }
          expect(engine.inFlight).toBe(0);
          const open = await ask(engineOf(deltas, [], false), dialect, isStream);
          if (readable(open).some((text) => chosen.some(({ forbidden }) => forbidden.test(text)))) seen.forbidden++;
        },
      ),
      { numRuns: 60 },
    );
  },
);

test.each(Object.keys(dialects))("%s: guards that leave a request alone change no byte", async (dialect) => {
  await fc.assert(
    fc.asyncProperty(answers, fc.boolean(), async (deltas, isStream) => {
      const idle = Object.values(guards).map(({ guard }, at) => ({ ...guard(), name: `${at}`, applies: () => false }));
      const plain = await ask(engineOf(deltas, [], false), dialect, isStream);
      expect(await ask(engineOf(deltas, idle, false), dialect, isStream)).toBe(plain);
    }),
    { numRuns: 30 },
  );
});

afterAll(() => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(atDepth(20));
});
