import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGatewayError } from "../../../src/engine/errors.ts";
import type { Caller } from "../../../src/portal/call/call.ts";
import { operator } from "../../../src/portal/call/operator.ts";
import type { PortalCalls } from "../../../src/portal/portal.ts";
import { components, type DescribedRow, describedRows } from "../support/document.ts";
import { valuesOf } from "../support/from-schema.ts";
import { type Gateway, openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { stores } from "../support/rig.ts";

/** What a path's parameter names, and how one is made. What only a region's back end makes is tested with the back end. */
const makers: Readonly<Record<string, (calls: PortalCalls) => Promise<string>>> = {
  key_id: async ({ ai }) =>
    (await ai.createKey({ name: "k", description: "", tier: "standard", user_bound: false })).id,
  ai_project_id: async ({ ai }) =>
    (await ai.createProject({ name: "p", description: "", tier: "standard" }))[0]?.id ?? "",
  customer_id: async ({ ai }) => {
    await ai.createKey({ name: "k", description: "", tier: "standard", user_bound: false }); // makes the tenant's customer
    return (await ai.customers({}))[0]?.id ?? "";
  },
  tenant_id: async ({ tenants }) => (await tenants.list({}))[0]?.id ?? "",
  user_id: async ({ users }) => (await users.create({ username: "ada", level: "client" })).id,
  role_id: async ({ users }) => (await users.createRole({ name: "r", permissions: [] })).id,
  task_id: async ({ tasks }) => (await tasks.create({ name: "t" })).id,
  policy_id: async ({ backups }) =>
    (await backups.createPolicy({ name: "p", schedule: "0 2 * * *", retention_primary: 7 })).id,
  alert_rule_id: async ({ alerts }) => (await alerts.createRule({ name: "r", kind: "backup_failed" })).id,
  alert_channel_id: async ({ alerts }) =>
    (await alerts.createChannel({ name: "c", kind: "webhook", url: "https://hooks.example.com/" })).id,
  profile_id: async ({ profiles }) => (await profiles.create({ name: "pr", profile_type: "permission" })).id,
};

const rows = describedRows.filter(
  ({ operation: { params } }) => params.length > 0 && params.every((name) => name in makers),
);

const acme: Caller = { ...operator, user: { id: "usr_a", username: "a" }, scope: { reseller: "r", client_id: "acme" } };
const strangers: Readonly<Record<string, Caller>> = {
  "another client of the reseller": { ...acme, scope: { reseller: "r", client_id: "other" } },
  "a client of the same name of another reseller": { ...acme, scope: { reseller: "s", client_id: "acme" } },
  "another reseller": { ...acme, scope: { reseller: "s" } },
};

/** Fields whose rules no schema says. */
const known = { step_path: "/property", method: "GET", params: {}, schedule: "0 2 * * *" };

function bodyOf({ operation, input }: DescribedRow): object {
  if (!input) return {};
  const sound = valuesOf(input, components).filter((value) => operation.input?.safeParse(value).success ?? true);
  const [sampled] = fc.sample(sound, { numRuns: 1, seed: 7 });
  const given = Object.entries(known).filter(([name]) => name in (input.properties ?? {}));
  return { ...(sampled as object), ...Object.fromEntries(given) };
}

interface Attempt {
  readonly row: DescribedRow;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
}

let events = 0;

/** `ok`, or the code of the refusal. */
async function ask({ portal }: Gateway, { row, caller, params }: Attempt): Promise<string> {
  const { signal } = new AbortController();
  const input = { ...bodyOf(row), ...params };
  const asked = { row, input, caller, region: "eu-1", signal, eventId: `evt_${events++}` };
  const thrown: unknown = await portal.run(asked).then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown === undefined ? "ok" : isGatewayError(thrown) ? thrown.code : String(thrown);
}

describe.each(stores)("another tenant's object: %s", (_name, open) => {
  it("rows are found for every kind of object", () => {
    expect(new Set(rows.flatMap(({ operation }) => operation.params))).toEqual(new Set(Object.keys(makers)));
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows.map((row) => [row.id, row] as const))("%s does not find it, and finds its own", async (_id, row) => {
    const gateway = await openGateway(await open());
    await makePlaces(gateway.portal, acme.scope);
    const owned = gateway.portal.as(acme);
    const params: Record<string, string> = {};
    for (const name of row.operation.params) params[name] = (await makers[name]?.(owned)) ?? "";
    for (const [who, stranger] of Object.entries(strangers)) {
      expect(await ask(gateway, { row, caller: stranger, params }), who).toBe("not_found");
    }
    const own = await ask(gateway, { row, caller: acme, params });
    if (!row.input) expect(own).toMatch(/^(?:ok|conflict)$/); // with made-up fields it may be those that are not there
  });
});
