import fc from "fast-check";
import { expect } from "vitest";
import { isGatewayError } from "../../../src/engine/errors.ts";
import type { RecordKinds, Records } from "../../../src/engine/ports/records.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { Caller } from "../../../src/portal/call/call.ts";
import { readAll } from "../../../src/portal/tenancy/record-access.ts";
import { callerAt, openOffice } from "../support/areas/ai/office.ts";

const tenants = [
  { reseller: "acme", client_id: "c-1" },
  { reseller: "acme", client_id: "c-2" },
] as const;
const kinds = ["project", "key", "role", "token"] as const;
type Kind = (typeof kinds)[number];

/** One call; numbers pick among what is there. Calls of one step are made at once. */
interface NameCall {
  readonly verb: "create" | "rename" | "delete" | "move" | "takeOut";
  readonly kind: Kind;
  readonly name: string;
  readonly tenant: 0 | 1;
  readonly pick: number;
  readonly project: number;
}

const call: fc.Arbitrary<NameCall> = fc.record({
  verb: fc.constantFrom("create", "create", "rename", "rename", "delete", "move", "takeOut"),
  kind: fc.constantFrom(...kinds),
  name: fc.constantFrom("a", "b", "A", "\u00e9", "e\u0301"),
  tenant: fc.constantFrom(0, 1),
  pick: fc.nat(7),
  project: fc.nat(3),
});

/** Steps of calls; those of one step are made at once, now and then with the same name. */
export const nameSteps: fc.Arbitrary<readonly (readonly NameCall[])[]> = fc.array(
  fc.oneof(
    call.map((one) => [one]),
    call.map((one) => [one, one]),
    fc.tuple(call, call),
  ),
  { minLength: 4, maxLength: 14 },
);

/** Where a name is to be unique, in the words of the specification: keys in their project, the rest in their tenant or with their user. */
function placeOf(kind: Kind, record: RecordKinds[Kind]): string {
  const { metadata, project_id, user, reseller, client_id, user_id } = record as Partial<
    RecordKinds["key"] & RecordKinds["token"]
  >;
  const tenant = [metadata?.reseller ?? reseller, metadata?.client_id ?? client_id];
  if (kind === "token") return String(user_id);
  if (kind !== "key") return tenant.join("/");
  return project_id ?? [...tenant, user ?? ""].join("/");
}

async function readNames(records: Records): Promise<string[]> {
  const all = await Promise.all(
    kinds.map(async (kind) =>
      (await readAll(records, kind)).map((one) => `${kind} ${placeOf(kind, one)} ${one.name.normalize("NFC")}`),
    ),
  );
  return all.flat();
}

/** Plays the steps through the operations of a portal: no two records of one name and owner are ever left, and refusals name the field. */
export async function playNames(store: Store, steps: readonly (readonly NameCall[])[]): Promise<number> {
  const office = await openOffice(store, { tiers: { t: { llms: ["*"] } } });
  const { records } = store;
  for (const [place, tenant] of tenants.entries())
    await office.addUser(`usr_${place}`, tenant, { level: "client", roles: [] });
  let refusals = 0;
  for (const calls of steps) {
    const before = await readNames(records);
    const outcomes = await Promise.all(calls.map(async (one) => codeOf(await run(one))));
    const after = await readNames(records);
    expect(new Set(after).size).toBe(after.length);
    refusals += outcomes.filter((code) => code === "conflict name").length;
    const [first] = calls;
    const isCreated = first?.verb === "create" && first.kind !== "key";
    if (!first || !isCreated || calls.some((one) => one !== first)) continue;
    const owner = first.kind === "token" ? `usr_${first.tenant}` : Object.values(tenants[first.tenant]).join("/");
    const isFree = !before.includes(`${first.kind} ${owner} ${first.name.normalize("NFC")}`);
    expect(outcomes.filter((code) => code === "ok").length).toBe(isFree ? 1 : 0);
  }
  await office.engine.close();
  return refusals;

  function codeOf(thrown: unknown): string {
    if (thrown === undefined) return "ok";
    if (!isGatewayError(thrown)) throw thrown;
    return `${thrown.code} ${thrown.param ?? ""}`.trim();
  }

  async function run(one: NameCall): Promise<unknown> {
    try {
      await act(one);
      return undefined;
    } catch (thrown) {
      return thrown;
    }
  }

  async function act({ verb, kind, name, tenant, pick, project }: NameCall): Promise<unknown> {
    const user_id = `usr_${tenant}`;
    const caller: Caller = { ...callerAt(tenants[tenant]), user: { id: user_id, username: user_id } };
    const { ai, users } = office.portal.as(caller);
    const projects = (await ai.projects({})).map(({ id }) => id);
    const project_id = projects[project];
    const text = { name, description: "" };
    if (verb === "create") {
      if (kind === "project") return ai.createProject({ ...text, tier: "t" });
      if (kind === "role") return users.createRole({ name, permissions: [] });
      if (kind === "token") return users.createToken({ user_id, name, permissions: [] });
      return ai.createKey({ ...text, tier: "t", user_bound: false, ...(project_id ? { project_id } : {}) });
    }
    const own = (await readAll(records, kind)).filter(
      (one) => placeOf("project", one as never) === placeOf("project", { metadata: tenants[tenant] } as never),
    );
    const id = own[pick % Math.max(1, own.length)]?.id ?? "none";
    if (kind === "role")
      return verb === "rename" ? users.changeRole({ role_id: id, name }) : users.deleteRole({ role_id: id });
    if (kind === "token") return users.revokeToken({ user_id, token_id: id });
    if (kind === "project")
      return verb === "delete"
        ? ai.deleteProject({ ai_project_id: id })
        : ai.changeProject({ ai_project_id: id, name });
    if (verb === "rename") return ai.changeKey({ key_id: id, name });
    if (verb === "delete") return ai.deleteKey({ key_id: id });
    if (verb === "move") return ai.assignKey({ key_id: id, project_id: project_id ?? "none" });
    const holder = (await records.get("key", id))?.record.project_id ?? "none";
    return ai.changeProject({ ai_project_id: holder, remove: [id] });
  }
}
