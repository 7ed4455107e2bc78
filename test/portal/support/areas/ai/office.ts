import { randomBytes } from "node:crypto";
import type { Prices } from "../../../../../src/engine/ports/prices.ts";
import { defineProvider, type Provider } from "../../../../../src/engine/ports/provider.ts";
import type { Store } from "../../../../../src/engine/ports/store.ts";
import { createEngine, type Engine } from "../../../../../src/index.ts";
import type { StoredUser } from "../../../../../src/operations/records/users.ts";
import type { Caller } from "../../../../../src/portal/call/call.ts";
import { hashUsername } from "../../../../../src/portal/identity/user-scope.ts";
import { createPortal, type Portal } from "../../../../../src/portal/index.ts";
import { allPermissions } from "../../../../../src/portal/permissions.ts";
import type { PortalCalls } from "../../../../../src/portal/portal.ts";
import type { TariffOptions } from "../../../../../src/portal/tariff/tariff.ts";
import type { TenantScope } from "../../../../../src/portal/tenancy/tenant-scope.ts";
import { type FakeClock, fakeClock } from "../../../../../src/testing/clock.ts";
import { noon } from "../../rig.ts";

/** US dollars per token: one dollar a million read, two a million written. */
const rates = { input_cost_per_token: 0.000_001, output_cost_per_token: 0.000_002 };

/** What every answer of the office's providers uses: 1,000 × 1 + 500 × 2 micro-dollars = 0.002 dollars. */
export const usage = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };
export const answerCost = 0.002;

/** The models of the two providers, `one` and `two`; all but `two/free` have a price. */
const models = { one: ["large", "small"], two: ["large", "free"] } as const;

export function providerOf(name: keyof typeof models): Provider {
  return defineProvider({
    name,
    chat: async (_request, { id, model }) => ({
      id,
      object: "chat.completion",
      created: 1,
      model,
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "yes" } }],
      usage,
    }),
  });
}

/** Prices of the office's models only. */
export function officePrices(): Prices {
  const known = Object.entries(models).flatMap(([provider, names]) =>
    names.map((model) => ({ provider, model, ...(model === "free" ? {} : { rates }) })),
  );
  return {
    version: "office",
    find: (provider, model) => known.find((facts) => facts.provider === provider && facts.model === model),
    list: (_at, provider) => known.filter((facts) => provider === undefined || facts.provider === provider),
  };
}

export const tiers = {
  basic: { llms: ["one/*"], budgets: [{ max_limit: 1, reset_duration: "1M" }], key_price: 5 },
  full: { llms: ["*"], rate_limits: [{ request_max_limit: 100, request_reset_duration: "1m" }] },
  acme: { provider_configs: [{ provider: "two", allowed_models: ["large"] }], resellers: ["acme"] },
} satisfies TariffOptions["tiers"];

const uplift = { acme: [{ provider: "one", percent: 12.5 }, { percent: 3 }] };

/** An engine with two providers, its portal, and functions as anybody may call them. */
export interface Office {
  readonly engine: Engine;
  readonly portal: Portal;
  readonly store: Store;
  readonly clock: FakeClock;
  /** The AI area as somebody at a place may use it, with all permissions. */
  at(place: TenantScope): PortalCalls["ai"];
  /** Stores a user of a tenant, and gives its id. */
  addUser(id: string, place: TenantScope, parts?: Partial<StoredUser>): Promise<string>;
  /** Asks a model with a key; gives the code of the refusal, or `ok`. */
  chat(key: string, model?: string): Promise<string>;
}

export const client = { reseller: "acme", client_id: "c-1" };

export async function openOffice(store: Store, options: TariffOptions = { tiers, uplift }): Promise<Office> {
  const clock = fakeClock({ startAt: noon });
  const providers = [providerOf("one"), providerOf("two")];
  const engine = createEngine({ providers, store, clock, prices: officePrices() });
  const portal = createPortal({ engine, store, regions: { "eu-1": {} }, clock, entropy: randomBytes, ...options });
  return {
    engine,
    portal,
    store,
    clock,
    at: (place) => portal.as(callerAt(place)).ai,
    async addUser(id, place, parts = {}) {
      const { reseller = null, client_id = null } = place;
      const created_at = new Date(clock.now()).toISOString();
      const common = { id, user_id: id, created_at, reseller, client_id, username: id, hash: hashUsername(id) };
      const user: StoredUser = { ...common, level: "user", enabled: true, roles: [], ...parts };
      await store.records.put("user", user, 0);
      return id;
    },
    chat: (key, model = "one/small") =>
      engine.chat({ model, messages: [{ role: "user", content: "hi" }] }, { key }).then(
        () => "ok",
        (thrown) => thrown.code,
      ),
  };
}

/** Somebody at a place who may do everything; the place's own user, where it is a user's. */
export function callerAt(place: TenantScope): Caller {
  const id = place.user_id ?? "usr_office";
  return { user: { id, username: id }, scope: place, permissions: allPermissions, token_id: null };
}
