import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CredentialQuestion,
  type CredentialSettings,
  chooseCredentials,
  isEligible,
  orderBySession,
  orderByWeight,
} from "../../../../src/engine/routing/index.ts";

const anyModel = fc.constantFrom("gpt-5", "gpt-5-mini", "o4", "llama-4");
const anyTerms: fc.Arbitrary<Omit<CredentialSettings, "id">> = fc.record({
  models: fc.option(fc.array(fc.constantFrom("*", "gpt-5", "gpt-5-mini", "o4", "gpt-*"), { maxLength: 2 }), {
    nil: undefined,
  }),
  blockedModels: fc.option(fc.array(fc.constantFrom("*", "gpt-5", "o*"), { maxLength: 2 }), { nil: undefined }),
  weight: fc.integer({ min: 0, max: 3 }),
  aliases: fc.option(fc.dictionary(anyModel, fc.constantFrom("deployment-a", "deployment-b")), { nil: undefined }),
});
const anyCredentials = fc
  .array(anyTerms, { maxLength: 6 })
  .map((all) => all.map((terms, n): CredentialSettings => ({ id: `key-${n}`, ...terms })));
const anyId = fc.constantFrom("key-0", "key-1", "key-2", "key-3");
const now = 1_000_000;
const anyQuestion: fc.Arbitrary<CredentialQuestion> = fc.record({
  model: anyModel,
  draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  now: fc.constant(now),
  session: fc.option(fc.string({ maxLength: 6 }), { nil: undefined }),
  resting: fc.array(fc.tuple(anyId, fc.integer({ min: now - 10, max: now + 10 }))).map((rests) => new Map(rests)),
  dead: fc.array(anyId, { maxLength: 2 }).map((ids) => new Set(ids)),
});

function holds(
  clause: (
    chosen: ReturnType<typeof chooseCredentials<CredentialSettings>>,
    world: { readonly credentials: readonly CredentialSettings[]; readonly question: CredentialQuestion },
  ) => void,
): void {
  fc.assert(
    fc.property(anyCredentials, anyQuestion, (credentials, question) =>
      clause(chooseCredentials(credentials, question), { credentials, question }),
    ),
    { numRuns: 500 },
  );
}

describe("chooseCredentials", () => {
  it("names every credential that fits and is not dead, once, and no other", () =>
    holds((chosen, { credentials, question }) => {
      const fit = credentials.filter(
        ({ models, blockedModels, id }) =>
          (models ?? ["*"]).some((name) => covers(name, question.model)) &&
          !(blockedModels ?? []).some((name) => covers(name, question.model)) &&
          !question.dead?.has(id),
      );
      expect(chosen.map(({ credential }) => credential.id).sort()).toEqual(fit.map(({ id }) => id).sort());
    }));
  it("asks for a model by the credential's own name of it, else by the caller's", () =>
    holds((chosen, { question: { model } }) => {
      for (const { credential, deployment } of chosen) expect(deployment).toBe(credential.aliases?.[model] ?? model);
    }));
  it("draws those that do not rest by weight, or by the session where there is one", () =>
    holds((chosen, { credentials, question: { model, draw, session, dead } }) => {
      const fit = credentials.filter((credential) => isEligible(credential, model) && !dead?.has(credential.id));
      const drawn = session === undefined ? orderByWeight(fit, draw) : orderBySession(fit, session);
      const awake = chosen.filter(({ restsUntil }) => restsUntil === undefined).map(({ credential }) => credential);
      expect(awake).toEqual(drawn.filter((credential) => awake.includes(credential)));
    }));
  it("puts those that rest behind all that do not", () =>
    holds((chosen, { question }) => {
      const rests = chosen.map(({ credential }) => (question.resting?.get(credential.id) ?? 0) > question.now);
      expect(rests).toEqual([...rests].sort((one, other) => Number(one) - Number(other)));
    }));
  it("puts the first to wake first among those that rest, and says until when", () =>
    holds((chosen, { question }) => {
      const ends = chosen.flatMap(({ restsUntil }) => restsUntil ?? []);
      expect(ends).toEqual([...ends].sort((one, other) => one - other));
      for (const { credential, restsUntil } of chosen)
        if (restsUntil !== undefined) expect(restsUntil).toBe(question.resting?.get(credential.id));
      expect(ends.every((end) => end > question.now)).toBe(true);
    }));
});

describe("a session", () => {
  const check = (
    clause: (
      ask: (change: Partial<CredentialQuestion>) => ReturnType<typeof chooseCredentials<CredentialSettings>>,
      question: CredentialQuestion,
    ) => void,
  ) =>
    fc.assert(
      fc.property(anyCredentials, anyQuestion, fc.string(), (credentials, question, session) =>
        clause((change) => chooseCredentials(credentials, { ...question, session, ...change }), question),
      ),
      { numRuns: 500 },
    );

  it("keeps its credential whatever the draw, at whatever time", () =>
    check((ask, question) => {
      const draws = [0, 0.3, 0.6, 0.9].map((draw) => ask({ draw, resting: new Map(), now: question.now + draw * 1e7 }));
      for (const chosen of draws) expect(chosen).toEqual(draws[0]);
    }));
  it("moves to its next credential when its own has to rest", () =>
    check((ask, { now, resting }) => {
      const [own, next] = ask({});
      if (!own || !next || own.restsUntil !== undefined) return;
      const tired = new Map([...(resting ?? []), [own.credential.id, now + 60_000] as const]);
      expect(ask({ resting: tired })[0]?.credential).toBe(next.credential);
    }));
  it("moves to its next credential when its own is dead", () =>
    check((ask, { dead }) => {
      const [own, next] = ask({});
      if (!own) return;
      expect(ask({ dead: new Set([...(dead ?? []), own.credential.id]) })[0]?.credential).toBe(next?.credential);
    }));
});

/** The lists' meaning, spelled out for the names that are drawn here. */
function covers(name: string, model: string): boolean {
  if (name === "*") return true;
  return name.endsWith("*") ? model.startsWith(name.slice(0, -1)) : name === model;
}

describe("isEligible", () => {
  it.each<[Omit<CredentialSettings, "id">, boolean]>([
    [{}, true],
    [{ models: ["*"] }, true],
    [{ models: [] }, false],
    [{ models: ["gpt-5"] }, true],
    [{ models: ["gpt-5-mini"] }, false],
    [{ models: ["*"], blockedModels: ["gpt-5"] }, false],
    [{ models: ["gpt-5"], blockedModels: ["gpt-5"] }, false],
    [{ models: ["*"], blockedModels: [] }, true],
    [{ blockedModels: ["*"] }, false],
    [{ models: [], aliases: { "gpt-5": "mine" } }, false],
  ])("%j for gpt-5: %s", (terms, expected) => {
    expect(isEligible({ id: "a", ...terms }, "gpt-5")).toBe(expected);
  });
  it("takes no inherited property for an alias", () => {
    const question = { model: "constructor", draw: 0, now };
    expect(chooseCredentials([{ id: "a", aliases: {} }], question)[0]?.deployment).toBe("constructor");
  });
});
