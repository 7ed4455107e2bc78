import { describe, expect, it } from "vitest";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { operator } from "../../../../src/portal/call/operator.ts";
import { hashUsername } from "../../../../src/portal/identity/user-scope.ts";
import { callerAt, client, type Office, openOffice, tiers } from "../../support/areas/ai/office.ts";
import { stores } from "../../support/rig.ts";

const draft = { name: "crawler", description: "d", tier: "basic", user_bound: false };
const admin = {};
const person = { ...client, user_id: "usr_p" };

/** The code and the field of a refusal. */
async function refusalOf(asked: Promise<unknown>) {
  const thrown = await asked.catch((reason: unknown) => reason);
  return isGatewayError(thrown) ? [thrown.code, thrown.param] : ["ok", thrown];
}

async function projectIn(office: Office, place = client, name = "Search"): Promise<string> {
  const [project] = await office.at(place).createProject({ name, description: "", tier: "full" });
  return project?.id ?? "";
}

describe.each(stores)("virtual keys of the portal: %s", (_name, open) => {
  it("a new key is made by its tier, belongs to its tenant, and shows its value this once", async () => {
    const office = await openOffice(await open());
    const made = await office.at(client).createKey(draft);
    expect(made).toMatchObject({ name: "crawler", is_active: true, budgets: [{ max_limit: 1, reset_duration: "1M" }] });
    expect(made.provider_configs).toMatchObject([{ provider: "one", allowed_models: ["one/*"] }]);
    expect([await office.chat(made.value), await office.chat(made.value, "two/large")]).toEqual([
      "ok",
      "provider_blocked",
    ]);
    const [listed] = await office.at(client).keys({});
    expect(listed).toMatchObject({
      id: made.id,
      customer: { name: "c-1" },
      profile: { name: "basic", key_price: 5 },
      uplift: [{ provider: "one", percent: 12.5 }, { percent: 3 }],
    });
    expect(JSON.stringify([listed, await office.at(client).key({ key_id: made.id })])).not.toContain(made.value);
  });

  it("an unknown tier is refused, naming those that the tenant is offered", async () => {
    const office = await openOffice(await open());
    for (const [place, known] of [
      [client, "basic, full, acme"],
      [{ reseller: "other" }, "basic, full."],
    ] as const) {
      const thrown = await office
        .at(place)
        .createKey({ ...draft, tier: "gold" })
        .catch((reason: unknown) => reason);
      expect(thrown).toMatchObject({ code: "invalid_request", param: "tier", message: expect.stringContaining(known) });
    }
    expect(await refusalOf(office.at({ reseller: "other" }).createKey({ ...draft, tier: "acme" }))).toEqual([
      "invalid_request",
      "tier",
    ]);
  });

  it("without configured tiers there is one, `standard`, that allows every model", async () => {
    const office = await openOffice(await open(), {});
    const { value } = await office.at(admin).createKey({ ...draft, tier: "standard" });
    expect([await office.chat(value), await office.chat(value, "two/large")]).toEqual(["ok", "ok"]);
  });

  it("a key that is bound to its user is disabled with it, and works again with it", async () => {
    const office = await openOffice(await open());
    await office.addUser("usr_p", client);
    const bound = await office.at(client).createKey({ ...draft, user_bound: true, user: "usr_p" });
    const free = await office.at(client).createKey({ ...draft, name: "free", user: "usr_p" });
    const chats = async () => [await office.chat(bound.value), await office.chat(free.value)];
    const activity = async () => {
      const keys = new Map((await office.at(client).keys({})).map((key) => [key.id, key]));
      return [bound, free].map(({ id }) => [keys.get(id)?.is_active, keys.get(id)?.user]);
    };
    expect([await chats(), await activity()]).toEqual([
      ["ok", "ok"],
      [
        [true, "usr_p"],
        [true, "usr_p"],
      ],
    ]);
    const users = office.portal.as(callerAt(client)).users;
    await users.disable({ user_id: "usr_p" });
    expect(await chats()).toEqual(["virtual_key_blocked", "ok"]);
    expect((await activity()).map(([active]) => active)).toEqual([false, true]);
    await users.enable({ user_id: "usr_p" });
    expect(await chats()).toEqual(["ok", "ok"]);
    await users.delete({ user_id: "usr_p" });
    expect(await chats()).toEqual(["virtual_key_blocked", "ok"]);
  });

  it("a key is bound to the caller unless a user is named, by id or username; never to another tenant's", async () => {
    const office = await openOffice(await open());
    await office.addUser("usr_p", client, { username: "Ann", hash: hashUsername("Ann") });
    await office.addUser("usr_q", { ...client, client_id: "c-2" });
    await office.addUser("usr_office", client);
    const userOf = async (user?: string) => {
      const given = user === undefined ? {} : { user };
      const { id } = await office.at(client).createKey({ ...draft, name: `of ${user}`, user_bound: true, ...given });
      return (await office.at(client).keys({})).find((key) => key.id === id)?.user_id;
    };
    expect([await userOf(), await userOf("usr_p"), await userOf("ANN")]).toEqual(["usr_office", "usr_p", "usr_p"]);
    expect(await refusalOf(userOf("usr_q"))).toEqual(["not_found", "user"]);
    const reseller = office.at({ reseller: "acme" });
    const project_id = await projectIn(office);
    expect(await refusalOf(reseller.createKey({ ...draft, user: "usr_q", project_id }))).toEqual([
      "invalid_request",
      "user",
    ]);
  });

  it("a caller who is no user, as the operator, has no key bound to itself, which could never be used", async () => {
    const office = await openOffice(await open());
    const { ai } = office.portal.as(operator);
    expect(await refusalOf(ai.createKey({ ...draft, user_bound: true }))).toEqual(["not_found", "user"]);
    expect(await ai.keys({})).toEqual([]);
    const bound = await ai.createKey({ ...draft, user_bound: true, user: await office.addUser("usr_r", admin) });
    expect(bound.is_active).toBe(true);
    expect(await office.chat((await ai.createKey(draft)).value)).toBe("ok");
  });

  it("a user has keys of its own only, in projects only where it is a user of them", async () => {
    const office = await openOffice(await open());
    await office.addUser("usr_p", client);
    const [inside, outside] = [await projectIn(office), await projectIn(office, client, "Other")];
    await office.at(client).addUsers({ ai_project_id: inside, users_ids: ["usr_p"] });
    const own = office.at(person);
    const { id, value } = await own.createKey({ ...draft, project_id: inside });
    await office.at(client).createKey({ ...draft, name: "other" });
    expect((await own.keys({})).map((key) => [key.id, key.user_id, key.project_id])).toEqual([[id, "usr_p", inside]]);
    expect(await office.chat(value)).toBe("ok");
    expect(await refusalOf(own.createKey({ ...draft, project_id: outside }))).toEqual(["not_found", "project_id"]);
    expect(await refusalOf(own.createProject({ name: "p", description: "", tier: "full" }))).toEqual([
      "permission_denied",
      undefined,
    ]);
    expect([await own.projects({}), await refusalOf(own.projectCost({ ai_project_id: inside }))]).toEqual([
      [],
      ["not_found", "ai_project_id"],
    ]);
  });

  it("what is changed holds from the next call on, and what is absent stays", async () => {
    const office = await openOffice(await open());
    const { id, value } = await office.at(client).createKey({ ...draft, tier: "full" });
    const change = (patch: object) => office.at(client).changeKey({ key_id: id, ...patch });
    expect(await change({ active: false })).toMatchObject({ is_active: false, name: "crawler" });
    expect(await office.chat(value)).toBe("virtual_key_blocked");
    expect(await change({ active: true, llms: ["two/*"] })).toMatchObject({ is_active: true, description: "d" });
    expect([await office.chat(value), await office.chat(value, "two/large")]).toEqual(["model_blocked", "ok"]);
    await change({ rate_limits: [{ request_max_limit: 1, request_reset_duration: "1h" }] });
    expect(await office.chat(value, "two/large")).toBe("ok"); // the window of an hour begins with this call
    expect(await office.chat(value, "two/large")).toBe("request_limited");
    expect((await office.at(client).keys({}))[0]?.is_limited).toBe(true);
    await change({ name: "spider" });
    await change({ name: "ant" });
    expect((await office.at(client).keys({}))[0]).toMatchObject({ name: "ant", original_name: "crawler" });
  });

  it("only the provider gives models beyond the tier", async () => {
    const office = await openOffice(await open());
    const { id } = await office.at(client).createKey(draft);
    const patch = { key_id: id, llms: ["one/small", "two/large"] };
    expect(await refusalOf(office.at(client).changeKey(patch))).toEqual(["invalid_request", "llms.1"]);
    expect(await office.at(client).changeKey({ key_id: id, llms: ["one/small"] })).toMatchObject({
      provider_configs: [{ provider: "one", allowed_models: ["one/small"] }],
    });
    expect((await office.at(admin).changeKey(patch)).provider_configs).toHaveLength(2);
  });

  it("a key moves to a project and to a user of its tenant or below, and to no other", async () => {
    const office = await openOffice(await open());
    await office.addUser("usr_p", client);
    const { id } = await office.at({ reseller: "acme" }).createKey(draft);
    const project_id = await projectIn(office);
    const foreign = await projectIn(office, { ...client, client_id: "c-2" });
    const reseller = office.at({ reseller: "acme" });
    expect(await refusalOf(reseller.assignKey({ key_id: id }))).toEqual(["invalid_request", "project_id"]);
    await reseller.assignKey({ key_id: id, project_id, user_id: "usr_p" });
    expect(await office.at(client).keys({ ai_project_id: project_id })).toMatchObject([
      { id, project_id, project: "Search", user_id: "usr_p", customer: { name: "c-1" } },
    ]);
    expect(await refusalOf(reseller.assignKey({ key_id: id, project_id: foreign }))).toEqual(["conflict", undefined]);
    expect(await refusalOf(office.at(client).assignKey({ key_id: id, project_id: foreign }))).toEqual([
      "not_found",
      "project_id",
    ]);
    expect(await refusalOf(reseller.assignKey({ key_id: id, user_id: "usr_none" }))).toEqual(["not_found", "user_id"]);
  });

  it("the limits of a key's entries are its model limits, as they stand", async () => {
    const budgets = [{ max_limit: 1, reset_duration: "1d" as const }];
    const rate_limits = [{ token_max_limit: 1_500, token_reset_duration: "1h" as const }];
    const entry = { provider: "one", allowed_models: ["*"], budgets, rate_limits };
    const office = await openOffice(await open(), { tiers: { ...tiers, own: { provider_configs: [entry] } } });
    const { id, value } = await office.at(client).createKey({ ...draft, tier: "own" });
    expect((await office.at(client).keys({}))[0]?.is_limited).toBe(false);
    await office.chat(value);
    expect((await office.at(client).key({ key_id: id })).model_limits).toMatchObject([
      { provider: "one", unit: "tokens", max_limit: 1_500, used: 1_500, left: 0, reset_duration: "1h" },
      { provider: "one", unit: "cost", max_limit: 1, used: 0.002, left: 0.998, reset_duration: "1d" },
    ]);
    expect((await office.at(client).keys({}))[0]?.is_limited).toBe(true);
    await office.clock.advance(3_600_000);
    expect((await office.at(client).keys({}))[0]?.is_limited).toBe(false);
  });
});
