import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { Budget, type ProviderConfig, type RateLimit } from "../../../../src/engine/api/governance.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { compileAccess } from "../../../../src/engine/policy/access.ts";
import { decideTarget } from "../../../../src/engine/policy/decide.ts";
import { isWithinBudgets, isWithinRates } from "../../../../src/engine/policy/tighten.ts";
import { openOffice } from "../../../portal/support/areas/ai/office.ts";
import { aKey } from "../../support/records.ts";

const tiers = {
  low: {
    llms: ["one/*"],
    budgets: [{ max_limit: 5, reset_duration: "1M" as const, enforcement: "hard" as const }],
    rate_limits: [{ request_max_limit: 60, request_reset_duration: "1h" as const }],
  },
  high: {
    provider_configs: [
      { provider: "*", allowed_models: ["*"] },
      { provider: "two", allowed_models: ["large"] },
    ],
  },
};
const places = [
  {},
  { reseller: "acme" },
  { reseller: "acme", client_id: "c-1" },
  { reseller: "acme", client_id: "c-1", user_id: "usr_u" },
] as const;

const settings = fc.record(
  {
    budgets: fc.constantFrom<Budget[]>(
      [],
      ...[1, 3, 5, 9].map((max_limit) => [Budget.parse({ max_limit, reset_duration: "1M", enforcement: "hard" })]),
    ),
    rate_limits: fc.constantFrom(
      [],
      ...[1, 60, 99].map((most) => [{ request_max_limit: most, request_reset_duration: "1h" as const }]),
    ),
    llms: fc.constantFrom<string[]>(["*"], ["one/*"], ["one/small"], ["two/*"], ["two/large"], []),
    active: fc.boolean(),
  },
  { requiredKeys: [] },
);
const anyMove = fc.record({
  by: fc.integer({ min: 0, max: 3 }),
  verb: fc.constantFrom(...(["change", "change", "change", "project", "project", "toggle", "move", "remove"] as const)),
  settings,
  apply_keys: fc.constantFrom(undefined, true, true, false),
  at: fc.nat(1),
});
const fields = ["budgets", "rate_limits", "llms", "active"] as const;
type Field = (typeof fields)[number];

interface Present {
  readonly budgets: readonly Budget[];
  readonly rate_limits: readonly RateLimit[];
  readonly llms: readonly string[];
  readonly active: boolean;
}

/** True when a field of the first is no looser than that of the second. */
function isNoLooser(field: Field, one: Present, other: Present): boolean {
  if (field === "budgets") return isWithinBudgets(one.budgets, other.budgets);
  if (field === "rate_limits") return isWithinRates(one.rate_limits, other.rate_limits);
  if (field === "llms") return one.llms.every((model) => other.llms.includes(model));
  return other.active || !one.active;
}

function modelsOf(provider_configs: ProviderConfig[]): string[] {
  const access = compileAccess({ key: aKey({ provider_configs }) });
  return ["one", "two"].flatMap((provider) =>
    ["small", "large"]
      .filter((model) => decideTarget(access, { provider, model }).kind === "grant")
      .map((model) => `${provider}/${model}`),
  );
}

it("whatever a tenant calls, its key stays within its tier and within what any level above has set", async () => {
  const story = fc.asyncProperty(
    fc.record({ tier: fc.constantFrom("low" as const, "high" as const), isIn: fc.boolean(), isGone: fc.boolean() }),
    fc.array(anyMove, { minLength: 1, maxLength: 10 }),
    async ({ tier, isIn, isGone }, moves) => {
      const store = memoryStore();
      const { low, high } = tiers;
      const office = await openOffice(store, { tiers });
      const later = isGone ? await openOffice(store, { tiers: { other: tier === "low" ? high : low } }) : office;
      await office.addUser("usr_u", places[2]);
      const projects: string[] = [];
      for (const project of ["high", "low"])
        projects.push(
          (await office.at(places[2]).createProject({ name: project, description: "", tier: project }))[0]?.id ?? "",
        );
      const draft = { name: "k", description: "", tier, user_bound: false, user: "usr_u" };
      const { id: key_id } = await office.at(places[2]).createKey(draft);
      const present = async (): Promise<Present> => {
        const key = (await store.records.get("key", key_id))?.record;
        if (!key) throw new Error("the key is gone");
        return { ...key, llms: modelsOf(key.provider_configs) };
      };
      const made = await present();
      if (isIn) {
        await office.at(places[2]).changeProject({ ai_project_id: projects[1] ?? "", apply_keys: true });
        await office.at(places[2]).assignKey({ key_id, project_id: projects[1] });
      }
      const first = isGone ? await present() : made;
      const setters = new Map<Field, number>();
      const beyond = new Set<Field>(); // what the provider's own moves left looser than the tier
      for (const { by, verb, settings: given, apply_keys, at } of moves) {
        const before = await present();
        const ai = later.at(places[by] ?? {});
        const { active: _active, ...terms } = given;
        const project = { ai_project_id: projects[at] ?? "" };
        const isDone = await {
          change: async () => ai.changeKey({ key_id, ...given }),
          project: async () => ai.changeProject({ ...project, ...terms, apply_keys }),
          toggle: async () => ai.toggleProject(project),
          move: async () => ai.assignKey({ key_id, project_id: projects[at] }),
          remove: async () => ai.changeProject({ ...project, remove: [key_id] }),
        }
          [verb]()
          .then(
            () => true,
            (thrown: unknown) => {
              if (!isGatewayError(thrown)) throw thrown;
              return false;
            },
          );
        const after = await present();
        for (const field of fields) {
          const setter = setters.get(field) ?? 9;
          const told = `${verb} by ${by} changes ${field}, set by ${setter}, tier ${tier}`;
          if (by > setter) expect(isNoLooser(field, after, before), told).toBe(true);
          const isWithinTier = isNoLooser(field, after, first);
          const isAsBefore = beyond.has(field) && isNoLooser(field, after, before);
          if (by > 0 && setter > 0 && field !== "active")
            expect(isWithinTier || isAsBefore, `${told}: tier`).toBe(true);
          if (isDone && verb === "change" && given[field] !== undefined && by <= setter && by < 3)
            setters.set(field, by);
          if (isWithinTier) beyond.delete(field);
          else if (by === 0) beyond.add(field);
        }
      }
      await store.close();
    },
  );
  await fc.assert(story, { numRuns: 200 });
});
