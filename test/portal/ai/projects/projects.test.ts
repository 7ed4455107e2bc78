import { describe, expect, it } from "vitest";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { callerAt, client, type Office, openOffice, tiers } from "../../support/areas/ai/office.ts";
import { makePlaces } from "../../support/places.ts";
import { stores } from "../../support/rig.ts";

const other = { ...client, client_id: "c-2" };

/** The code and the field of a refusal. */
async function refusalOf(asked: Promise<unknown>) {
  const thrown = await asked.catch((reason: unknown) => reason);
  return isGatewayError(thrown) ? [thrown.code, thrown.param] : ["ok", thrown];
}

/** A project with some keys, by their ids and values. */
async function found(office: Office, place: TenantScope, keys = 1) {
  const ai = office.at(place);
  const [project] = await ai.createProject({ name: "Search", description: "", tier: "full" });
  const project_id = project?.id ?? "";
  const made = [];
  for (let count = 0; count < keys; count++)
    made.push(await ai.createKey({ name: `k${count}`, description: "", tier: "full", user_bound: false, project_id }));
  return { project_id, keys: made };
}

describe.each(stores)("projects of the portal: %s", (_name, open) => {
  it("a new project has its tier's models and limits, and its tenant's customer, which is made once", async () => {
    const office = await openOffice(await open());
    const ai = office.at(client);
    const [project] = await ai.createProject({ name: "Search", description: "d", tier: "basic" });
    expect(project).toMatchObject({ name: "Search", llm: ["one/*"], budgets: [{ max_limit: 1 }] });
    await ai.createProject({ name: "Index", description: "", tier: "full" });
    await office.at(other).createProject({ name: "Theirs", description: "", tier: "full" });
    const customers = await ai.customers({});
    expect(customers).toMatchObject([{ id: project?.customer_id, name: "c-1", llms: { "*": ["*"] } }]);
    expect(customers[0]?.teams).toHaveLength(2);
    const [single] = await ai.project({ ai_project_id: project?.id ?? "" });
    expect(single).toMatchObject({ ...client, disabled: false, keys: [], llms: { one: ["one/*"] } });
    expect((await ai.projects({})).find(({ id }) => id === project?.id)).toMatchObject({ llm: ["one/*"] });
  });

  it("the provider's own projects have no customer", async () => {
    const office = await openOffice(await open());
    const [project] = await office.at({}).createProject({ name: "p", description: "", tier: "full" });
    expect(project).not.toHaveProperty("customer_id");
    expect(await office.at({}).customers({})).toEqual([]);
  });

  it("keys of a disabled project are refused until it is toggled again", async () => {
    const office = await openOffice(await open());
    const { project_id, keys } = await found(office, client);
    const toggle = () => office.at(client).toggleProject({ ai_project_id: project_id });
    const state = async () => [
      (await office.at(client).project({ ai_project_id: project_id }))[0]?.disabled,
      await office.chat(keys[0]?.value ?? ""),
    ];
    expect(await state()).toEqual([false, "ok"]);
    await toggle();
    expect(await state()).toEqual([true, "virtual_key_blocked"]);
    await toggle();
    expect(await state()).toEqual([false, "ok"]);
  });

  it("its models and budgets hold for its keys without being theirs; with `apply_keys` they are theirs, too", async () => {
    const office = await openOffice(await open());
    const { project_id, keys } = await found(office, client);
    const change = (patch: object) => office.at(client).changeProject({ ai_project_id: project_id, ...patch });
    const key = async () => (await office.at(client).keys({}))[0];
    const value = keys[0]?.value ?? "";
    const budgets = [{ max_limit: 2, reset_duration: "1M", calendar_aligned: false, enforcement: "soft" }];
    await expect(change({ rate_limits: [] })).rejects.toMatchObject({ code: "invalid_request", param: "rate_limits" });
    await change({ llms: ["two/*"], budgets });
    expect([await office.chat(value), await office.chat(value, "two/large")]).toEqual(["model_blocked", "ok"]);
    expect(await key()).toMatchObject({ budgets: [], provider_configs: [{ provider: "*", allowed_models: ["*"] }] });
    await change({ apply_keys: true });
    expect(await key()).toMatchObject({ budgets, rate_limits: tiers.full.rate_limits });
    const entries = [{ provider: "*", allowed_models: ["two/*"] }];
    expect((await key())?.provider_configs).toMatchObject(entries);
    const draft = { name: "later", description: "", tier: "full", user_bound: false, project_id };
    expect(await office.at(client).createKey(draft)).toMatchObject({ budgets, provider_configs: entries });
    await change({ apply_keys: false });
    expect(await office.at(client).createKey({ ...draft, name: "last" })).toMatchObject({ budgets: [] });
  });

  it("keys of a project with `apply_keys` follow its terms, and keys that come into it take them", async () => {
    const office = await openOffice(await open());
    const { project_id, keys } = await found(office, client);
    const ai = office.at(client);
    await ai.changeProject({ ai_project_id: project_id, apply_keys: true });
    const budgets = [
      { max_limit: 2, reset_duration: "1M" as const, calendar_aligned: false, enforcement: "soft" as const },
    ];
    await ai.changeProject({ ai_project_id: project_id, llms: ["two/*"], budgets });
    const terms = {
      budgets: [expect.objectContaining({ max_limit: 2 })],
      provider_configs: [expect.objectContaining({ allowed_models: ["two/*"] })],
    };
    expect(await ai.keys({})).toMatchObject([{ id: keys[0]?.id, ...terms }]);
    const { id } = await ai.createKey({ name: "later", description: "", tier: "full", user_bound: false });
    await ai.assignKey({ key_id: id, project_id });
    expect(await ai.key({ key_id: id })).toMatchObject(terms);
    await ai.changeKey({ key_id: id, budgets: budgets.map((budget) => ({ ...budget, max_limit: 1 })) });
    await ai.changeProject({ ai_project_id: project_id, name: "Renamed" });
    expect(await ai.key({ key_id: id })).toMatchObject({ budgets: [{ max_limit: 1 }] });
  });

  it("a budget of the project or the customer that is used up limits all keys below it", async () => {
    const office = await openOffice(await open());
    const { project_id, keys } = await found(office, client, 2);
    const limited = async () => (await office.at(client).keys({})).map(({ is_limited }) => is_limited);
    for (const { value } of keys) await office.chat(value);
    expect(await limited()).toEqual([false, false]);
    const budgets = [{ max_limit: 0.001, reset_duration: "1M" as const }];
    const change = (patch: object) => office.at(client).changeProject({ ai_project_id: project_id, ...patch });
    await change({ budgets: [{ max_limit: 9, reset_duration: "1M" }] });
    await office.chat(keys[0]?.value ?? "");
    await change({ budgets });
    expect(await limited()).toEqual([true, true]);
    await change({ budgets: [] });
    expect(await limited()).toEqual([false, false]);
    const [customer] = await office.at(client).customers({});
    await office.engine.customers.update(customer?.id ?? "", { budgets: [{ max_limit: 9, reset_duration: "1M" }] });
    await office.chat(keys[0]?.value ?? "");
    await office.engine.customers.update(customer?.id ?? "", { budgets });
    expect(await limited()).toEqual([true, true]);
  });

  it("`remove` takes keys out of the project and leaves them with its customer; an unknown one changes nothing", async () => {
    const office = await openOffice(await open());
    const { project_id, keys } = await found(office, client, 2);
    const [first = "", second = ""] = keys.map(({ id }) => id);
    const ai = office.at(client);
    const refused = ai.changeProject({ ai_project_id: project_id, name: "x", remove: [first, "vk_none"] });
    expect(await refusalOf(refused)).toEqual(["not_found", "remove.1"]);
    expect(await ai.keys({ ai_project_id: project_id })).toHaveLength(2);
    await ai.changeProject({ ai_project_id: project_id, remove: [first] });
    expect((await ai.keys({ ai_project_id: project_id })).map(({ id }) => id)).toEqual([second]);
    const removed = (await ai.keys({})).find(({ id }) => id === first);
    expect(removed).toMatchObject({ customer: { name: "c-1" } });
    expect(removed).not.toHaveProperty("project_id");
    expect((await ai.project({ ai_project_id: project_id }))[0]?.name).toBe("Search");
  });

  it("shows its keys as they are, also one whose user is disabled", async () => {
    const office = await openOffice(await open());
    await office.addUser("usr_p", client, { enabled: false });
    const { project_id } = await found(office, client);
    const draft = { name: "bound", description: "", tier: "full", user_bound: true, user: "usr_p", project_id };
    const { id } = await office.at(client).createKey(draft);
    for (const [project] of [
      await office.at(client).projects({}),
      await office.at(client).project({ ai_project_id: project_id }),
    ]) {
      expect(project?.keys).toHaveLength(2);
      expect(project?.keys).toContainEqual({ id, name: "bound", is_active: false });
      expect(project?.keys).toContainEqual(expect.objectContaining({ name: "k0", is_active: true }));
    }
  });

  it("a project with keys is not deleted and loses nothing; without, it goes with its list of users", async () => {
    const office = await openOffice(await open());
    await office.addUser("usr_p", client);
    const { project_id: ai_project_id, keys } = await found(office, client);
    const ai = office.at(client);
    await ai.addUsers({ ai_project_id, users_ids: ["usr_p"] });
    expect(await refusalOf(ai.deleteProject({ ai_project_id }))).toEqual(["conflict", undefined]);
    expect([await ai.users({ ai_project_id }), await office.chat(keys[0]?.value ?? "")]).toMatchObject([
      [{ id: "usr_p" }],
      "ok",
    ]);
    await ai.deleteKey({ key_id: keys[0]?.id ?? "" });
    await ai.deleteProject({ ai_project_id });
    expect(await refusalOf(ai.users({ ai_project_id }))).toEqual(["not_found", "ai_project_id"]);
    expect(await office.store.records.count("project_user")).toBe(0);
  });

  it("users are added once, all or none, listed as they are, and taken out", async () => {
    const office = await openOffice(await open());
    const { project_id: ai_project_id } = await found(office, client, 0);
    await office.addUser("usr_a", client, { email: "a@example.com", first_name: "Ann", last_name: "Alb" });
    await office.addUser("usr_b", client, { enabled: false });
    await office.addUser("usr_c", other);
    const ai = office.at(client);
    const idsOf = async () => (await ai.users({ ai_project_id })).map(({ id }) => id).sort();
    expect(await refusalOf(ai.addUsers({ ai_project_id, users_ids: ["usr_a", "usr_c"] }))).toEqual([
      "not_found",
      "users_ids.1",
    ]);
    expect(await idsOf()).toEqual([]);
    await ai.addUsers({ ai_project_id, users_ids: ["usr_a", "usr_b"] });
    await ai.addUsers({ ai_project_id, users_ids: ["usr_a"] });
    expect(await idsOf()).toEqual(["usr_a", "usr_b"]);
    const person = { id: "usr_a", username: "usr_a", email: "a@example.com", firstName: "Ann", lastName: "Alb" };
    expect(await ai.users({ ai_project_id })).toContainEqual({ ...person, ...client, client: "c-1", enabled: "true" });
    expect(await refusalOf(ai.removeUsers({ ai_project_id, users_ids: ["usr_a", "usr_none"] }))).toEqual([
      "not_found",
      "users_ids.1",
    ]);
    await ai.removeUsers({ ai_project_id, users_ids: ["usr_a"] });
    expect(await idsOf()).toEqual(["usr_b"]);
  });

  it("a user is taken out by the name that it was added by", async () => {
    const office = await openOffice(await open());
    const { project_id: ai_project_id } = await found(office, client, 0);
    await makePlaces(office.portal, client);
    const { ai, users } = office.portal.as(callerAt(client));
    for (const username of ["ann", "bob"]) await users.create({ username });
    await ai.addUsers({ ai_project_id, users_ids: ["Ann", "bob"] });
    await ai.removeUsers({ ai_project_id, users_ids: ["ANN"] });
    expect((await ai.users({ ai_project_id })).map(({ username }) => username)).toEqual(["bob"]);
  });
});
