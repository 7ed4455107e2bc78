import { local } from "../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { RecordKind, RecordKinds } from "../../../src/engine/ports/records.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { createEngine } from "../../../src/index.ts";
import { portalRows } from "../../../src/operations/portal/table.ts";
import type { ProfileType } from "../../../src/operations/records/profiles.ts";
import type { Caller } from "../../../src/portal/call/call.ts";
import { createPortal } from "../../../src/portal/index.ts";
import type { PortalCalls } from "../../../src/portal/portal.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { type Gateway, openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { noon } from "../support/rig.ts";

/** The areas whose operations change what somebody may do: by themselves, or by what others run. */
const grantingAreas = ["users", "profiles", "tasks"];

/** What only ends what somebody else begins, or takes half a second: test/portal/sessions/sessions.test.ts has the rules of passwords. */
const leftOut: ReadonlySet<string> = new Set(["setPassword", "stop", "unschedule"]);

/** The operations that may grant something. */
export const grantingRows = portalRows.filter(
  ({ area, name, operation }) => grantingAreas.includes(area) && operation.method !== "GET" && !leftOut.has(name),
);

/** What the token of the attacker may do, and what its owner may do beyond that. */
export const held = grantingRows.map(({ operation }) => operation.access);
export const ownersOnly = "property-get";
/** What neither may do. */
export const strong = "ai-get";

export const place = { reseller: "acme", client_id: "c-1" } as const;
export const end = new Date(noon + 60_000).toISOString();

/** Things by the field that names them. */
export type Pools = Readonly<Record<string, readonly unknown[]>>;

/** The kinds of records that a world has, each after those that it names. */
const kinds = [
  "role",
  "user",
  "token",
  "profile",
  "profile_assignment",
  "task",
  "totp",
] as const satisfies RecordKind[];

/** Returns a function that opens the same world again, over a store of its own. */
export async function createWorlds(): Promise<() => Promise<World>> {
  const { records } = withPortalKinds(memoryStore());
  const built = await buildWorld({ ...memoryStore(), records });
  const copies: (() => [RecordKind, never])[] = [];
  for (const kind of kinds)
    for (const { record } of (await records.list(kind, { limit: 1_000 })).records)
      copies.push(() => [kind, record as never]);
  return async () => {
    const store = withPortalKinds(memoryStore());
    for (const copy of copies) await store.records.put(...copy(), 0);
    const gateway = gatewayOver(store);
    const [attacker, ben] = await Promise.all([built.token, built.benToken].map(gateway.portal.authenticate));
    return { ...built, gateway, attacker: attacker as Caller, ben: gateway.portal.as(ben as Caller) };
  };
}

function gatewayOver(store: Store): Pick<Gateway, "portal" | "clock"> {
  const clock = fakeClock({ startAt: noon });
  const engine = createEngine({ providers: [local()], store, clock });
  const regions = { "eu-1": {} };
  return { clock, portal: createPortal({ engine, store, regions, clock, secret: "a secret of the tests" }) };
}

/** A gateway with a client whose help desk may do all that grants, and nothing else. */
export interface World {
  readonly gateway: Pick<Gateway, "portal" | "clock">;
  readonly ben: PortalCalls;
  readonly helpId: string;
  readonly hireId: string;
  /** The value of the attacker's token. */
  readonly token: string;
  readonly benToken: string;
  readonly attacker: Caller;
  readonly pools: Pools;
}

/** What a user has who logs in with one-time codes. */
function withCode(user_id: string): RecordKinds["totp"] {
  const facts = { confirmed_at: end, last_step: 0, recovery: [], tries: [], sealed_secret: "sealed" };
  return { id: user_id, user_id, created_at: new Date(noon).toISOString(), ...place, ...facts };
}

async function buildWorld(store: Store): Promise<World> {
  const gateway = await openGateway(store);
  const { portal } = gateway;
  const admin = portal.as(await portal.authenticate(gateway.token));
  const at = { ...place, level: "client" } as const;
  await makePlaces(portal, place);
  const benUser = await admin.users.create({ username: "ben", roles: ["role_administrator"], ...at });
  const benToken = await admin.users.createToken({ user_id: benUser.id, name: "b", permissions: ["*"] });
  const ben = portal.as(await portal.authenticate(benToken.value));
  const role = (name: string, permissions: string[]) => ben.users.createRole({ name, permissions });
  const roles = [await role("help", [...held, ownersOnly]), await role("strong", [strong]), await role("empty", [])];
  const help = await ben.users.create({ username: "help", level: "client", roles: [roles[0]?.id ?? ""] });
  const hire = await ben.users.create({ username: "hire", level: "client" });
  await store.records.put("totp", withCode(hire.id), 0);
  const draft = { user_id: help.id, name: "t" };
  const own = await ben.users.createToken({ ...draft, permissions: held, ends_at: end });
  const tokens = [own, await ben.users.createToken({ ...draft, name: "all", permissions: ["*"] })];
  tokens.push(await ben.users.createToken({ user_id: hire.id, name: "h", permissions: ["*"] }), benToken);
  const profile = (name: string, parts: object, profile_type: ProfileType = "permission") =>
    ben.profiles.create({ name, profile_type, ...parts });
  const all = await profile("all", { entries: [{ name: "*" }] });
  const hidden = await profile("hidden", { entries: [{ name: "*" }], inheritable: false });
  const blank = await profile("blank", {});
  const child = await profile("child", { parents_ids: [hidden.id] });
  const set = await profile("set", { entries: [{ name: blank.id }] }, "profile");
  for (const { id, type } of [blank, child, set])
    await ben.profiles.assign({
      client_id: place.client_id,
      reseller_name: place.reseller,
      entity: help.id,
      profile_id: id,
      profile_type: type,
    });
  const draftOfBen = await ben.tasks.create({ name: "nightly" });
  await ben.tasks.setStep({ task_id: draftOfBen.id, description: "", method: "GET", params: {}, step_path: "/users" });
  const attacker = await portal.authenticate(own.value);
  const draftOfHelp = await portal.as(attacker).tasks.create({ name: "own" });
  const listing = { description: "", method: "GET", params: {}, step_path: "/users" } as const;
  await portal.as(attacker).tasks.setStep({ task_id: draftOfHelp.id, ...listing });
  const profiles = [all, hidden, blank, child, set].map(({ id }) => id);
  return {
    ...{ gateway, ben, attacker, helpId: help.id, hireId: hire.id, token: own.value, benToken: benToken.value },
    pools: {
      user_id: [help.id, hire.id, benUser.id],
      role_id: ["role_administrator", ...roles.map(({ id }) => id)],
      token_id: tokens.map(({ id }) => id),
      profile_id: profiles,
      task_id: [draftOfBen.id, draftOfHelp.id],
    },
  };
}
