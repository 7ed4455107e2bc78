import { describe, expect, it } from "vitest";
import type { PortalCalls } from "../../../../src/portal/index.ts";
import { openGateway } from "../../support/gateway.ts";
import { asAdmin } from "../../support/many-records.ts";
import { makePlaces } from "../../support/places.ts";
import { stores } from "../../support/rig.ts";

const client = { reseller: "acme", client_id: "c-1" };
const common = { description: "", tier: "standard" };

async function callsOf(gateway: Awaited<ReturnType<typeof openGateway>>, value: string): Promise<PortalCalls> {
  return gateway.portal.as(await gateway.portal.authenticate(value));
}

describe.each(stores)("reading the audit log: %s", (_name, open) => {
  it("the newest entry comes first, and filters apply together", async () => {
    const gateway = await openGateway(await open());
    const { users } = await asAdmin(gateway);
    const ann = await users.create({ username: "ann" });
    await gateway.clock.advance(60_000);
    const bob = await users.create({ username: "bob" });
    await users.change({ user_id: ann.id, email: "ann@example.com" });
    await users.change({ user_id: "usr_none", email: "x@example.com" }).catch(() => undefined);
    const read = async (question: Parameters<typeof users.audit>[0]) =>
      (await users.audit(question)).entries.map(({ operation, target_id }) => [operation, target_id]);
    expect(await read({})).toEqual([
      ["users.change", "usr_none"],
      ["users.change", ann.id],
      ["users.create", bob.id],
      ["users.create", ann.id],
    ]);
    expect(await read({ operation: "users.change", outcome: "ok" })).toEqual([["users.change", ann.id]]);
    expect(await read({ target: ann.id, order: "oldest" })).toEqual([
      ["users.create", ann.id],
      ["users.change", ann.id],
    ]);
    const minute = new Date(gateway.clock.now()).toISOString();
    expect(await read({ to: minute })).toEqual([["users.create", ann.id]]);
    expect(await read({ from: minute.replace(".000Z", "+00:00"), operation: "users.create" })).toEqual([
      ["users.create", bob.id],
    ]);
    expect(await read({ user_id: "usr_nobody" })).toEqual([]);
    const first = await users.audit({ limit: 3 });
    expect((await users.audit({ limit: 3, after: first.next ?? "" })).entries).toMatchObject([{ target_id: ann.id }]);
  });

  it("an entry names who asked, and the fields that changed, and no values of them", async () => {
    const gateway = await openGateway(await open());
    const { users } = await asAdmin(gateway);
    const ann = await users.create({ username: "ann" });
    await users.change({ user_id: ann.id, email: "ann@example.com", username: "anna" });
    const [changed, made] = (await users.audit({})).entries;
    expect(changed).toMatchObject({ changed: ["email", "username"], actor: { username: "admin" } });
    expect(changed?.actor?.token_name).not.toBeNull();
    expect(made).toMatchObject({ changed: [], target_id: ann.id });
    expect(JSON.stringify(changed)).not.toContain("example.com");
  });

  it("a change by a level above is seen by the tenant whose thing it is, and by no other", async () => {
    const gateway = await openGateway(await open());
    const { users, ai } = await asAdmin(gateway);
    const tokenOf = async (username: string, place: object) => {
      await makePlaces(gateway.portal, place);
      const { id: user_id } = await users.create({
        username,
        ...place,
        level: "client",
        roles: ["role_administrator"],
      });
      return (await users.createToken({ user_id, name: "t", permissions: ["*"] })).value;
    };
    const own = await callsOf(gateway, await tokenOf("ann", client));
    const other = await callsOf(gateway, await tokenOf("bob", { ...client, client_id: "c-2" }));
    const { id: key_id } = await own.ai.createKey({ name: "k", user_bound: false, ...common });
    await ai.changeKey({ key_id, name: "renamed" });
    const told = (await own.users.audit({ target: key_id })).entries;
    expect(told.map(({ operation, actor }) => [operation, actor?.username])).toEqual([
      ["ai.changeKey", "admin"],
      ["ai.createKey", "ann"],
    ]);
    expect((await other.users.audit({ target: key_id })).entries).toEqual([]);
    expect((await users.audit({ target: key_id })).entries).toHaveLength(2);
  });
});
