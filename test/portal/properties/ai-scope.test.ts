import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import { isGatewayError } from "../../../src/engine/errors.ts";
import type { RecordKind, RecordKinds, Records } from "../../../src/engine/ports/records.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { PortalCalls } from "../../../src/portal/portal.ts";
import { readAll } from "../../../src/portal/tenancy/record-access.ts";
import { contains, scopeOf, type TenantScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { atDepth } from "../../tiers/depth.ts";
import { type Office, openOffice } from "../support/areas/ai/office.ts";

/** Places of a tree of tenants; some share the name of a client under different resellers. */
const anyPlace: fc.Arbitrary<TenantScope> = fc
  .record({
    reseller: fc.constantFrom("acme", "zeta"),
    client_id: fc.constantFrom("c-1", "c-2"),
    user: fc.constantFrom("usr_a", "usr_b"),
    depth: fc.nat(3),
  })
  .map(({ reseller, client_id, user, depth }) => ({
    ...(depth > 0 ? { reseller } : {}),
    ...(depth > 1 ? { client_id } : {}),
    ...(depth > 2 ? { user_id: `${user}_${reseller}_${client_id}` } : {}),
  }));

/** One operation; numbers pick among what has been made so far, by whomever. */
const anyStep = fc.record({
  place: anyPlace,
  name: fc.constantFrom(
    ...(["createKey", "createProject", "deleteKey", "key", "changeKey", "assignKey", "keyCost", "keys"] as const),
    ...(["deleteProject", "project", "changeProject", "projectCost", "toggleProject", "projects"] as const),
    ...(["users", "addUsers", "removeUsers", "customers", "models", "providers"] as const),
    // Most of these name something outside the caller's place: drawn more often, so that enough of them succeed.
    ...(["createKey", "assignKey", "assignKey", "addUsers", "addUsers"] as const),
  ),
  key: fc.nat(9),
  project: fc.nat(5),
  user: fc.nat(7),
  has: fc.record({ project: fc.boolean(), user: fc.boolean(), flag: fc.boolean() }),
});
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** What has been made so far. */
interface Made {
  readonly keys: string[];
  readonly projects: string[];
  readonly users: readonly string[];
}

/** Names that are free: no call is refused for another one. */
let names = 0;

function perform(ai: PortalCalls["ai"], step: Step, { keys, projects, users }: Made): Promise<unknown> {
  const { has } = step;
  const pick = (from: readonly string[], n: number) => from[n % from.length] ?? "none";
  const key_id = pick(keys, step.key);
  const ai_project_id = pick(projects, step.project);
  const user = pick(users, step.user);
  const users_ids = [user];
  const budgets = [
    { max_limit: 1, reset_duration: "1d" as const, calendar_aligned: false, enforcement: "soft" as const },
  ];
  const named = { name: `n${++names}`, description: "", tier: "basic" };
  const onProject = has.project ? { project_id: ai_project_id } : {};
  const inputs = {
    createKey: { ...named, user_bound: has.flag, ...onProject, ...(has.user ? { user } : {}) },
    createProject: { ...named, apply_keys: has.flag },
    deleteKey: { key_id },
    key: { key_id },
    keyCost: { key_id },
    keys: has.project ? { ai_project_id } : {},
    changeKey: { key_id, active: has.flag, llms: ["one/small"] },
    assignKey: { key_id, ...onProject, ...(has.user ? { user_id: user } : {}) },
    deleteProject: { ai_project_id },
    project: { ai_project_id },
    projectCost: { ai_project_id },
    changeProject: { ai_project_id, budgets, apply_keys: has.flag, ...(has.user ? { remove: [key_id] } : {}) },
    toggleProject: { ai_project_id },
    projects: {},
    users: { ai_project_id },
    addUsers: { ai_project_id, users_ids },
    removeUsers: { ai_project_id, users_ids },
    customers: {},
    models: has.project ? { project: ai_project_id } : {},
    providers: {},
  };
  return (ai[step.name] as (input: unknown) => Promise<unknown>)(inputs[step.name]);
}

/** Everything that lies outside a place; the log of changes apart, and customers, which are the tenants themselves. */
async function readForeign(records: Records, place: TenantScope): Promise<string> {
  const foreign: unknown[] = [];
  for (const kind of ["project", "key", "project_user", "user"] satisfies RecordKind[]) {
    const all: RecordKinds[RecordKind][] = await readAll(records, kind);
    foreign.push(all.filter((record) => !contains(place, scopeOf(kind, record as never))));
  }
  return JSON.stringify(foreign);
}

/** The ids of what an answer shows as records of its own; those that a shown key names stand above it. */
function shownIds(answer: unknown): string[] {
  const rows = Array.isArray(answer) ? answer : [answer];
  return rows.flatMap((row) => (typeof row === "object" && row !== null && "id" in row ? [String(row.id)] : []));
}

async function isSeen(records: Records, place: TenantScope, id: string): Promise<boolean> {
  for (const kind of ["project", "key", "customer", "user"] satisfies RecordKind[]) {
    const stored = await records.get(kind, id);
    if (stored) return contains(place, scopeOf(kind, stored.record as never));
  }
  return true; // gone meanwhile: what was deleted is in no answer
}

async function settle(office: Office): Promise<Made> {
  const users: string[] = [];
  for (const reseller of ["acme", "zeta"])
    for (const client_id of ["c-1", "c-2"])
      for (const name of ["usr_a", "usr_b"])
        users.push(await office.addUser(`${name}_${reseller}_${client_id}`, { reseller, client_id }));
  const made: Made = { keys: [], projects: [], users };
  for (const place of [
    {},
    { reseller: "acme" },
    { reseller: "acme", client_id: "c-1" },
    { reseller: "zeta", client_id: "c-2" },
  ]) {
    const ai = office.at(place);
    made.projects.push(...shownIds(await ai.createProject({ name: "p", description: "", tier: "full" })));
    made.keys.push(...shownIds(await ai.createKey({ name: "k", description: "", tier: "full", user_bound: false })));
  }
  return made;
}

const opened: readonly [string, number, () => Promise<Store> | Store][] = [
  ["memory", 60, () => memoryStore()],
  ["sqlite", 15, () => sqliteStore(":memory:")],
];

it.each(opened)(
  "no answer of the AI area shows, and no change touches, what lies outside the caller's place: %s",
  async (_name, numRuns, open) => {
    const told = new Map<string, number>();
    const story = async (steps: readonly Step[]) => {
      const store = await open();
      const office = await openOffice(store);
      const made = await settle(office);
      const { records } = store;
      for (const step of steps) {
        const before = await readForeign(records, step.place);
        const answer = await perform(office.at(step.place), step, made).catch((thrown: unknown) => thrown);
        const outcome = isGatewayError(answer) ? answer.code : answer instanceof Error ? "defect" : `ok ${step.name}`;
        told.set(outcome, (told.get(outcome) ?? 0) + 1);
        expect(outcome, String(answer)).not.toMatch(/^(?:internal|defect)$/);
        expect(await readForeign(records, step.place), step.name).toBe(before);
        const ids = outcome.startsWith("ok") ? shownIds(answer) : [];
        for (const id of ids) expect(await isSeen(records, step.place, id), `${step.name} shows ${id}`).toBe(true);
        if (outcome === "ok createKey") made.keys.push(...ids);
        if (outcome === "ok createProject") made.projects.push(...ids);
      }
      await office.engine.close();
    };
    await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 30, maxLength: 80 }), story), { numRuns });
    const done = ["createKey", "assignKey", "changeProject", "addUsers", "deleteProject"] as const;
    for (const name of numRuns < 60 ? done.slice(0, 1) : done)
      expect(told.get(`ok ${name}`) ?? 0, name).toBeGreaterThan(atDepth(0));
    expect(told.get("not_found") ?? 0).toBeGreaterThan(atDepth(50));
  },
);
