import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { isGatewayError } from "../../../src/engine/errors.ts";
import type { RecordKind, RecordKinds, Records } from "../../../src/engine/ports/records.ts";
import { recordKinds } from "../../../src/operations/record-kinds.ts";
import type { Caller } from "../../../src/portal/call/call.ts";
import { readAll } from "../../../src/portal/tenancy/record-access.ts";
import { contains, isAbove, scopeOf, type TenantScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { openLocal } from "../../clouds/support/local.ts";
import { atDepth, isDeep } from "../../tiers/depth.ts";
import { components, type DescribedRow, describedRows } from "../support/document.ts";
import { valuesOf } from "../support/from-schema.ts";
import { type Gateway, openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";

/** A tree of tenants with somebody at each place, who may do everything there. */
const tree = [
  { level: "provider" },
  { level: "reseller", reseller: "r-1" },
  { level: "client", reseller: "r-1", client_id: "c-1" },
  { level: "user", reseller: "r-1", client_id: "c-1" },
  { level: "user", reseller: "r-1", client_id: "c-1" },
  { level: "client", reseller: "r-1", client_id: "c-2" },
  { level: "reseller", reseller: "r-2" },
  { level: "client", reseller: "r-2", client_id: "c-3" },
  { level: "user", reseller: "r-2", client_id: "c-3" },
] as const;

/** Somebody of the tree; whatever it writes carries its mark. */
interface Somebody {
  readonly caller: Caller;
  readonly mark: string;
}

async function settle(gateway: Gateway): Promise<Somebody[]> {
  const admin = gateway.portal.as(await gateway.portal.authenticate(gateway.token));
  const everybody: Somebody[] = [];
  for (const [position, place] of tree.entries()) {
    const mark = `zq${String.fromCharCode(97 + position)}zq`;
    if ("reseller" in place) await makePlaces(gateway.portal, place);
    const { id } = await admin.users.create({ username: mark, roles: ["role_administrator"], ...place });
    everybody.push({ caller: await gateway.portal.callerOf(id), mark });
  }
  return everybody;
}

const tenants: Readonly<Record<string, readonly string[]>> = {
  reseller: ["r-1", "r-2"],
  reseller_id: ["r-1", "r-2"],
  reseller_name: ["r-1", "r-2"],
  client: ["c-1", "c-2", "c-3"],
  client_id: ["c-1", "c-2", "c-3"],
};

/** Names that mean something. */
const known: Readonly<Record<string, unknown>> = {
  quota_profile: "default",
  tier: "standard",
  profile_type: "permission",
};

const inputs = new Map(
  describedRows.map((row) => [row.id, row.input ? valuesOf(row.input, components) : fc.constant({})]),
);

interface Step {
  readonly who: number;
  readonly row: DescribedRow;
  readonly seed: number;
}

/** The input of a step: texts carry the caller's mark, tenants are those of the tree, identifiers any that somebody has seen. */
function fill({ row, seed }: Step, mark: string, seen: readonly string[]): Record<string, unknown> {
  const [sampled] = fc.sample(inputs.get(row.id) ?? fc.constant({}), { numRuns: 1, seed });
  // Every other input holds required fields only: with all of them, hardly any of a large one is sound.
  const isSent = (name: string) => seed % 2 === 0 || row.input?.required?.includes(name) === true;
  const fields = Object.entries(sampled as object).filter(([name]) => isSent(name));
  const given = fields.map(([name, value]) => {
    const own = row.input?.properties?.[name] ?? {};
    if (name in known) return [name, known[name]];
    if (tenants[name]) return [name, pick(tenants[name], seed)];
    if (/(^|_)ids?$/.test(name) && seen.length > 0)
      return [name, Array.isArray(value) ? [pick(seen, seed)] : pick(seen, seed)];
    const isFree = typeof value === "string" && own.pattern === undefined && own.format === undefined && !own.enum;
    return [name, isFree ? `${mark}${seed % 4}` : value];
  });
  const params = row.operation.params.map((name) => [name, seen.length > 0 ? pick(seen, seed >> 3) : "none"]);
  return Object.fromEntries([...given, ...params]);
}

function pick<Item>(items: readonly Item[], draw: number): Item | undefined {
  return items[Math.abs(draw) % items.length];
}

/**
 * The log of changes, values that a rotated key had before, and what the embedded cloud keeps without tenants, as real clouds do: the back
 * end narrows what it shows.
 */
const unplaced: readonly RecordKind[] = ["audit", "deleted_name", "local_thing", "retired_key", "turn"];

/** Everything that lies outside a place, as it is now; but for the customer of the caller's own tenant, which its first key makes. */
async function readForeign(records: Records, place: TenantScope): Promise<string> {
  const kinds = (Object.keys(recordKinds) as RecordKind[]).filter((kind) => !unplaced.includes(kind));
  const foreign: unknown[] = [];
  for (const kind of kinds) {
    const all: RecordKinds[RecordKind][] = await readAll(records, kind);
    const outside = all.filter((record) => !contains(place, scopeOf(kind, record as never)));
    foreign.push(
      kind === "customer" ? outside.filter((record) => !isAbove(scopeOf(kind, record as never), place)) : outside,
    );
  }
  return JSON.stringify(foreign);
}

function collectIds(answer: unknown, seen: Set<string>): void {
  if (typeof answer !== "object" || answer === null) return;
  for (const [name, value] of Object.entries(answer)) {
    if (/(^|_)ids?$/.test(name) && typeof value === "string" && value !== "" && !value.startsWith("role_"))
      seen.add(value);
    collectIds(value, seen);
  }
}

/** Half of the steps make something, so that there is something to be seen. */
const making = describedRows.filter(({ name }) => /^create|^set$|^share/.test(name));

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat(tree.length - 1),
  row: fc.oneof(fc.constantFrom(...making), fc.constantFrom(...describedRows)),
  seed: fc.integer({ min: 0, max: 1 << 28 }),
});

/** Placed where others of the same tenant are: what somebody else may see or touch. */
function isForeign(own: TenantScope, other: TenantScope): boolean {
  const placed = { reseller: null, client_id: null, user_id: null, ...other };
  return !contains(own, placed) && !isAbove(placed, own);
}

let events = 0;

test("whoever calls what in whatever order: no answer holds, and no change touches, what lies outside the caller's scope", async () => {
  const told = new Set<string>();
  const story = fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 150 }), async (steps) => {
    const store = memoryStore();
    const gateway = await openGateway(store, { "eu-1": await openLocal({ records: store.records }) });
    const everybody = await settle(gateway);
    const seen = new Set(everybody.map(({ caller }) => caller.user.id));
    for (const one of steps) {
      const somebody = everybody[one.who];
      if (!somebody) continue;
      const { caller, mark } = somebody;
      const input = fill(one, mark, [...seen]);
      const before = await readForeign(store.records, caller.scope);
      const signal = new AbortController().signal;
      const asked = {
        row: one.row,
        input,
        caller,
        region: "eu-1",
        signal,
        eventId: `evt_${events++}`,
      };
      const answer = await gateway.portal.run(asked).catch((thrown: unknown) => thrown);
      const outcome = isGatewayError(answer) ? answer.code : answer instanceof Error ? "defect" : "ok";
      told.add(`${outcome} ${one.row.id}`);
      expect(outcome, `${one.row.id} ${JSON.stringify(input)} ${String((answer as Error)?.cause ?? "")}`).not.toMatch(
        /^(?:internal|defect)$/,
      );
      expect(await readForeign(store.records, caller.scope), one.row.id).toBe(before);
      const text = isGatewayError(answer) ? answer.message : (JSON.stringify(answer) ?? "");
      const said = isGatewayError(answer) ? JSON.stringify(input) : ""; // ids of tasks hold names; an error repeats its id
      for (const other of everybody) {
        if (isForeign(caller.scope, other.caller.scope) && !said.includes(other.mark))
          expect(text, `${one.row.id} by ${mark}`).not.toContain(other.mark);
      }
      collectIds(answer, seen);
    }
  });
  await fc.assert(story, { numRuns: 100 });
  const done = [...told].filter((one) => one.startsWith("ok "));
  if (isDeep)
    expect(done).toEqual(
      expect.arrayContaining(["ok iaas.createProject", "ok ai.createKey", "ok users.create", "ok tasks.list"]),
    );
  expect(done.length).toBeGreaterThan(atDepth(60)); // by chance: about 70 of so many stories, 60 of 40
}, 240_000);
