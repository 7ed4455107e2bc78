import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalText } from "../../../../src/engine/caching/canonical.ts";
import { fingerprint } from "../../../../src/engine/caching/fingerprint.ts";
import { nameAnswer, readAnswerName, scopeOf } from "../../../../src/engine/caching/scope.ts";
import { applyPreference } from "../../../../src/engine/caching/settings.ts";
import type { KeyPermissions } from "../../../../src/engine/policy/access.ts";
import { anyChat } from "../../../../src/testing/arbitraries.ts";

const anyJson = fc.jsonValue({ maxDepth: 4 });
const chats = anyChat({ providers: ["a", "b"] });
const idOf = (request: object, target = "a/m") => fingerprint({ kind: "chat", target, request });

/** The same value with the fields of every object in another order. */
function shuffle(value: unknown, draw: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, draw));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => ({ name, field, place: draw() }));
  fields.sort((a, b) => a.place - b.place);
  return Object.fromEntries(fields.map(({ name, field }) => [name, shuffle(field, draw)]));
}

function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

/** Reads a canonical text back: what can be read cannot stand for two values. */
function readCanonical(text: string): unknown {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ""] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  const readText = (): string => {
    if (text[at] === '"') return JSON.parse(take(/"(?:[^"\\]|\\.)*"/y)) as string;
    const length = Number(take(/\d+/y));
    at += 1 + length;
    return text.slice(at - length, at);
  };
  const read = (): unknown => {
    if (text[at] === '"' || /^\d+:/.test(text.slice(at, at + 12))) return readText();
    if (text[at] !== "[" && text[at] !== "{") return JSON.parse(take(/[-+.\w]+/y));
    const items: unknown[] = [];
    const isList = text[at] === "[";
    for (at++; text[at] !== "]" && text[at] !== "}"; take(/,/y)) {
      const name = isList ? "" : readText();
      if (!isList) take(/=/y);
      items.push(isList ? read() : [name, read()]);
    }
    at++;
    return isList ? items : Object.fromEntries(items as [string, unknown][]);
  };
  return read();
}

describe("canonical text", () => {
  it("is the same for the same value in another order of fields", () => {
    fc.assert(
      fc.property(anyJson, fc.nat(), (value, seed) => {
        expect(canonicalText(shuffle(value, drawsOf(seed)))).toBe(canonicalText(value));
      }),
    );
  });

  it("means the value that it was made of, so that different values have different texts", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(readCanonical(canonicalText(value) as string)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([() => 1, 10n, Symbol("a"), Number.NaN, Infinity, new Date(0), new Map(), { a: [undefined] }])(
    "is not there for %s",
    (value) => expect(canonicalText({ value })).toBeUndefined(),
  );

  it("is not there for an object that holds itself", () => {
    const self: Record<string, unknown> = {};
    self.self = self;
    expect(canonicalText(self)).toBeUndefined();
  });

  it("keeps texts apart that differ in half a character only, which UTF-8 does not know", () => {
    expect(canonicalText("\ud800")).not.toBe(canonicalText("\ud801"));
  });
});

describe("the fingerprint of a question", () => {
  it("does not see the order of fields", () => {
    fc.assert(
      fc.property(chats, fc.nat(), (chat, seed) => idOf(shuffle(chat, drawsOf(seed)) as object) === idOf(chat)),
    );
  });

  const delivery = fc.record({
    model: fc.string(),
    fallbacks: fc.array(fc.string()),
    stream: fc.boolean(),
    stream_options: fc.record({ include_usage: fc.boolean() }),
    metadata: fc.dictionary(fc.string(), fc.string()),
    user: fc.string(),
    safety_identifier: fc.string(),
    store: fc.boolean(),
    prompt_cache_key: fc.string(),
    prompt_cache_retention: fc.constantFrom("in-memory", "24h"),
  });
  it("does not see how the answer is delivered, who asks, and what the vendor remembers", () => {
    fc.assert(fc.property(chats, delivery, (chat, other) => idOf({ ...chat, ...other }) === idOf(chat)));
  });

  const name = fc.constantFrom("temperature", "top_p", "seed", "stop", "tools", "response_format", "reasoning", "own");
  it("sees every other field", () => {
    fc.assert(
      fc.property(chats, name, anyJson, (chat, field, value) => {
        const other = { ...chat, [field]: value };
        const isSame = canonicalText((chat as Record<string, unknown>)[field] ?? null) === canonicalText(value);
        fc.pre(!isSame && value !== null);
        expect(idOf(other)).not.toBe(idOf(chat));
      }),
    );
  });

  it("sees every message", () => {
    fc.assert(
      fc.property(chats, fc.nat(3), fc.string(), (chat, at, text) => {
        const place = at % chat.messages.length;
        fc.pre(chat.messages[place]?.content !== text);
        const messages = chat.messages.map((message, n) => (n === place ? { ...message, content: text } : message));
        expect(idOf({ ...chat, messages })).not.toBe(idOf(chat));
      }),
    );
  });

  it("sees who is asked, and for what", () => {
    fc.assert(
      fc.property(chats, fc.string(), fc.string(), (request, one, other) => {
        fc.pre(one !== other);
        expect(idOf(request, one)).not.toBe(idOf(request, other));
        expect(fingerprint({ kind: "rerank", target: one, request })).not.toBe(idOf(request, one));
      }),
    );
  });
});

describe("scopes", () => {
  const access = (ids: Partial<KeyPermissions>) =>
    ({ projectId: undefined, customerId: undefined, ...ids }) as KeyPermissions;
  const id = fc.string({ minLength: 1 });

  it("are those of key, project or customer, as is configured", () => {
    const all = access({ keyId: "k", projectId: "p", customerId: "c" });
    expect([scopeOf(all, "key"), scopeOf(all, "project"), scopeOf(all, "customer")]).toEqual([
      "key:k",
      "project:p",
      "customer:c",
    ]);
    expect(scopeOf(undefined, "customer")).toBe("trusted");
  });

  it("are never wider than the key where the key has no such owner", () => {
    expect(scopeOf(access({ keyId: "k", customerId: "c" }), "project")).toBe("key:k");
    expect(scopeOf(access({ keyId: "k", projectId: "p" }), "customer")).toBe("key:k");
  });

  it("are in the name of an answer, and come out of it again", () => {
    fc.assert(
      fc.property(id, fc.base64String(), (owner, text) => {
        const fingerprint = text.replaceAll("/", "_");
        expect(readAnswerName(nameAnswer(`key:${owner}`, fingerprint))).toEqual({
          scope: `key:${owner}`,
          id: fingerprint,
        });
      }),
    );
  });
});

describe("what a caller says of the cache", () => {
  const terms = { mode: "on" as const, sharing: "key" as const, ttl: 60_000, threshold: 0.9 };
  it("is taken when it is as strict as the configuration or stricter", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000 }),
        fc.double({ min: 0.9, max: 1, noNaN: true }),
        (ttl, threshold) => {
          expect(applyPreference(terms, { ttl, threshold, mode: "read" })).toEqual({
            ...terms,
            ttl,
            threshold,
            mode: "read",
          });
        },
      ),
    );
  });
  it.each([
    [{ ttl: 60_001 }, "cache.ttl"],
    [{ ttl: 0 }, "cache.ttl"],
    [{ ttl: Number.NaN }, "cache.ttl"],
    [{ threshold: 0.89 }, "cache.threshold"],
    [{ threshold: 1.1 }, "cache.threshold"],
    [{ threshold: Number.NaN }, "cache.threshold"],
    [{ mode: "sometimes" as never }, "cache.mode"],
  ])("%s is refused", (wish, param) => {
    expect(() => applyPreference(terms, wish)).toThrowError(
      expect.objectContaining({ code: "invalid_request", param }),
    );
  });
});
