import assert from "node:assert/strict";
import type { AnswerCache, AnswerPage, CachedAnswer } from "../../engine/ports/answers.ts";
import type { ConformanceCase } from "./case.ts";
import { createDraw, pick } from "./draw.ts";

const start = 1_767_225_600_000;

function retained(body: string, expiresAt = start + 60_000): CachedAnswer {
  return { body, provider: "p", deployment: "m", cost: 12, warnings: ["w"], storedAt: start, expiresAt };
}

/** Strings that careless keys would mix up. */
const scopes = ["trusted", "key:a", "key:a:b", "key:", "kéy:\u0000", "9:key"];
const ids = ["x", "a:x", ":x", "b:x", "__proto__", "9"];

/** What the cache should hold, by the rules of the port. */
function createModel() {
  const held = new Map<string, CachedAnswer>();
  const nameOf = (scope: string, id: string) => JSON.stringify([scope, id]);
  return {
    put: (scope: string, id: string, answer: CachedAnswer) => void held.set(nameOf(scope, id), answer),
    get(scope: string, id: string, now: number) {
      const answer = held.get(nameOf(scope, id));
      return answer && now < answer.expiresAt ? answer : undefined;
    },
    remove: (scope: string, id: string) => held.delete(nameOf(scope, id)),
    clear(scope: string) {
      for (const name of held.keys()) if (JSON.parse(name)[0] === scope) held.delete(name);
    },
  };
}

async function walk(cache: AnswerCache): Promise<void> {
  const draw = createDraw(11);
  const model = createModel();
  let now = start;
  for (let step = 0; step < 2_000; step++) {
    now += draw(20);
    const [scope, id] = [pick(draw, scopes), pick(draw, ids)];
    const action = draw(10);
    if (action < 4) {
      const answer = retained(`{"step":${step}}`, now + 1 + draw(500));
      await cache.put(scope, id, answer);
      model.put(scope, id, answer);
    } else if (action === 4) {
      await cache.delete(scope, id);
      model.remove(scope, id);
    } else if (action === 5 && draw(5) === 0) {
      await cache.clear(scope);
      model.clear(scope);
    }
    const [observation, other] = [pick(draw, scopes), pick(draw, ids)];
    assert.deepEqual(await cache.get(observation, other, now), model.get(observation, other, now), `step ${step}`);
  }
}

/** The rules of the AnswerCache port; each case wants a cache that holds nothing and has room for a few small answers. */
export const answerCacheCases: readonly ConformanceCase<AnswerCache>[] = [
  {
    title: "gives an answer back as it was put, every field",
    async run(cache) {
      await cache.put("s", "x", retained('{"a":"ü\u2028"}'));
      assert.deepEqual(await cache.get("s", "x", start), retained('{"a":"ü\u2028"}'));
      assert.equal(await cache.get("s", "y", start), undefined);
    },
  },
  {
    title: "gives no answer of another scope, however scope and id are cut",
    async run(cache) {
      for (const scope of scopes) for (const id of ids) await cache.put(scope, id, retained(`${scope}|${id}`));
      for (const scope of scopes)
        for (const id of ids) assert.equal((await cache.get(scope, id, start))?.body, `${scope}|${id}`);
      assert.equal(await cache.get("key:a:", "bx", start), undefined);
    },
  },
  {
    title: "gives an answer until it expires, and not from then on",
    async run(cache) {
      await cache.put("s", "x", retained("1", start + 100));
      assert.equal((await cache.get("s", "x", start + 99))?.body, "1");
      assert.equal(await cache.get("s", "x", start + 100), undefined);
      assert.equal(await cache.get("s", "x", start + 101), undefined);
    },
  },
  {
    title: "puts an answer in place of the one before, its time included",
    async run(cache) {
      await cache.put("s", "x", retained("1", start + 100));
      await cache.put("s", "x", retained("2", start + 1_000));
      assert.equal((await cache.get("s", "x", start + 500))?.body, "2");
    },
  },
  {
    title: "forgets one answer, and tells whether it was there",
    async run(cache) {
      await cache.put("s", "x", retained("1"));
      await cache.put("s", "y", retained("2"));
      assert.equal(await cache.delete("other", "x"), false);
      assert.equal(await cache.delete("s", "x"), true);
      assert.equal(await cache.delete("s", "x"), false);
      assert.equal(await cache.get("s", "x", start), undefined);
      assert.equal((await cache.get("s", "y", start))?.body, "2");
    },
  },
  {
    title: "forgets a scope and counts what it held, and leaves the others",
    async run(cache) {
      for (const id of ["x", "y", "z"]) await cache.put("s", id, retained(id));
      await cache.put("s", "x", retained("again"));
      await cache.put("s2", "x", retained("other"));
      await cache.delete("s", "z");
      assert.equal(await cache.clear("s"), 2);
      assert.equal(await cache.clear("s"), 0);
      assert.equal(await cache.get("s", "x", start), undefined);
      assert.equal((await cache.get("s2", "x", start))?.body, "other");
    },
  },
  {
    title:
      "lists the answers of a scope page by page, none twice, without those that have expired, and tells their size",
    async run(cache) {
      if (!cache.list || !cache.size) return; // a cache need not
      const lifetimes = [900, 100, 500, 500, 500, 700];
      for (const [place, life] of lifetimes.entries()) await cache.put("s", `a${place}`, retained("x", start + life));
      await cache.put("other", "z", retained("x"));
      await cache.delete("s", "a5");
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page: AnswerPage = await cache.list("s", {
          limit: 2,
          now: start + 100,
          ...(after === undefined ? {} : { after }),
        });
        assert.ok(page.answers.length <= 2);
        for (const { id, ...facts } of page.answers) {
          found.push(id);
          assert.deepEqual(Object.keys(facts).sort(), [
            "bytes",
            "cost",
            "deployment",
            "expiresAt",
            "provider",
            "storedAt",
          ]);
          assert.ok(facts.bytes > 0);
        }
        after = page.next;
      } while (after !== undefined);
      assert.deepEqual(found, ["a2", "a3", "a4", "a0"]);
      const { answers, bytes } = await cache.size("s", start + 100);
      assert.ok(answers === 4 && bytes > 0);
      assert.deepEqual(await cache.size("none", start), { answers: 0, bytes: 0 });
    },
  },
  { title: "long walks of puts, deletes, clears and expiry agree with the rules, step by step", run: walk },
];
