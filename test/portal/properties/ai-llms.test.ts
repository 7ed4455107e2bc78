import fc from "fast-check";
import { describe, it } from "vitest";
import { ProviderConfig } from "../../../src/engine/api/governance.ts";
import { compileAccess } from "../../../src/engine/policy/access.ts";
import { decideTarget } from "../../../src/engine/policy/decide.ts";
import { testModels } from "../../../src/engine/policy/model-pattern.ts";
import { entriesFor, findBeyond, llmsOf, meetLlms } from "../../../src/portal/tariff/llms.ts";
import { aKey } from "../../engine/support/records.ts";

const providers = ["a", "b", "c"];
const models = ["m", "n", "x/m"];
const everything = providers.flatMap((provider) => models.map((model) => ({ provider, model })));

/** `provider/model`, `provider/*`, a beginning, or `*`. */
const anyPattern = fc.oneof(
  fc.constant("*"),
  fc.constantFrom(...providers).map((provider) => `${provider}/*`),
  fc.constantFrom(...providers).map((provider) => `${provider}/x/*`),
  fc.constantFrom(...everything).map(({ provider, model }) => `${provider}/${model}`),
);
const anyLlms = fc.array(anyPattern, { maxLength: 5 });

const anyEntries = fc.uniqueArray(
  fc.record({
    provider: fc.constantFrom(...providers, "*"),
    allowed_models: fc.array(fc.oneof(anyPattern, fc.constantFrom(...models)), { maxLength: 3 }),
    weight: fc.nat(5),
  }),
  { selector: ({ provider }) => provider, maxLength: 4 },
);
type Entries = typeof anyEntries extends fc.Arbitrary<infer E> ? E : never;
const parsed = (entries: Entries) => entries.map((entry) => ProviderConfig.parse(entry));

/** What a key with these entries may ask. */
function allowedBy(entries: readonly ProviderConfig[]): string {
  const access = compileAccess({ key: aKey({ provider_configs: [...entries] }) });
  return list((name) => decideTarget(access, name).kind === "grant");
}

function list(test: (name: { provider: string; model: string }) => boolean): string {
  return everything
    .filter(test)
    .map(({ provider, model }) => `${provider}/${model}`)
    .join(" ");
}

const meant = (llms: readonly string[]) => list(testModels(llms, []));

describe("models of a key as patterns", () => {
  it("entries made of patterns allow what the patterns say and nothing else, whatever entries there were", () => {
    fc.assert(
      fc.property(anyLlms, anyEntries, (llms, entries) => allowedBy(entriesFor(llms, parsed(entries))) === meant(llms)),
    );
  });

  it("entries that were there keep all but their models", () => {
    fc.assert(
      fc.property(anyLlms, anyEntries, (llms, entries) => {
        const present = parsed(entries);
        const kept = entriesFor(llms, present).slice(0, present.length);
        return kept.every(
          ({ provider, weight }, n) => provider === present[n]?.provider && weight === present[n]?.weight,
        );
      }),
    );
  });

  it("what entries of one provider each allow is read back as patterns that mean the same", () => {
    fc.assert(fc.property(anyLlms, (llms) => meant(llmsOf(entriesFor(llms))) === meant(llms)));
  });

  it("nothing is beyond a ceiling unless it allows what the ceiling does not", () => {
    fc.assert(
      fc.property(anyLlms, anyLlms, (llms, ceiling) => {
        const allowed = testModels(ceiling, []);
        const isWithin = everything.every((name) => !testModels(llms, [])(name) || allowed(name));
        return findBeyond(llms, ceiling) >= 0 || isWithin;
      }),
    );
  });

  it("a list is never beyond itself, nor beyond all", () => {
    fc.assert(fc.property(anyLlms, (llms) => findBeyond(llms, llms) === -1 && findBeyond(llms, ["*"]) === -1));
  });

  it("the patterns that two lists have in common allow what both do", () => {
    fc.assert(
      fc.property(anyLlms, anyLlms, (one, other) => {
        const [isOne, isOther] = [testModels(one, []), testModels(other, [])];
        return meant(meetLlms(one, other)) === list((name) => isOne(name) && isOther(name));
      }),
    );
  });
});
