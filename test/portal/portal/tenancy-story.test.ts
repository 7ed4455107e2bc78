import { describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { stores } from "../support/rig.ts";

const place = { reseller: "acme", client_id: "c-1" };
const level = { reseller_name: "acme", client_id: "c-1" };

/** Asks as somebody, and gives the body; fails when the answer is not of the status. */
async function ask(
  gateway: Gateway,
  [method = "", path = ""]: string[],
  said: { body?: object; token?: string; status?: number },
) {
  const headers = said.token === undefined ? {} : { "auth-token": said.token };
  const answer = await gateway.ask({ method, path, headers, ...(said.body && { body: said.body }) });
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status: said.status ?? 200 });
  return answer.body as Record<string, never>;
}

/** A gateway with Ann, a user of the client. */
async function openWithAnn(gateway: Gateway) {
  await makePlaces(gateway.portal, place);
  const ann = await ask(gateway, ["POST", "/users"], { body: { username: "ann", ...place } });
  const user: string = ann.id ?? "";
  const makeToken = (permissions: string[], status = 200) =>
    ask(gateway, ["POST", `/users/${user}/tokens`], { body: { name: "t", permissions }, status });
  const makeProfile = (name: string, body: object) =>
    ask(gateway, ["POST", "/profiles"], { body: { name, profile_type: "permission", ...level, ...body } });
  const named = (profile_type: string) => ({ entity: "ann", profile_type, ...level });
  return { user, makeToken, makeProfile, named };
}

describe.each(stores)("tenancy over HTTP: %s", (_name, open) => {
  it("a token holds what its owner's profiles grant, from the next call on, and loses it with them", async () => {
    const gateway = await openGateway(await open());
    const { makeToken, makeProfile, named } = await openWithAnn(gateway);
    await makeToken(["property-get"], 403);
    const base = await makeProfile("Base", { entries: [{ name: "property-get" }, { name: "context-get" }] });
    await makeProfile("Reader", { parents_ids: [base.id], entries: [{ name: "theme-get" }] });
    const assign = { ...named("permission"), profile_id: "Reader" };
    await ask(gateway, ["POST", "/profile/assign"], { body: assign, status: 204 });
    await makeToken(["ai-post"], 403);
    const { value: token = "" } = await makeToken(["property-get", "theme-get"]);
    await ask(gateway, ["GET", "/property"], { token });
    await ask(gateway, ["GET", "/theme"], { token });
    await ask(gateway, ["GET", "/context"], { token, status: 403 }); // granted to Ann, not to the token
    const entries = [{ name: "property-get", enabled: false }];
    const listed = await ask(gateway, ["GET", "/profile?profile_type=permission"], {});
    const reader = (listed as unknown as { id: string; name: string }[]).find(({ name }) => name === "Reader")?.id;
    await ask(gateway, ["PATCH", `/profiles/${reader}`], { body: { entries } });
    const refused = await ask(gateway, ["GET", "/property"], { token, status: 403 });
    expect(refused).toMatchObject({ error: { type: "permission_denied", param: "property-get" } });
    await ask(gateway, ["DELETE", "/profile/assign"], { body: assign, status: 204 });
    await ask(gateway, ["GET", "/theme"], { token, status: 403 });
  });

  it("the menu follows profiles and permissions, and the context tells them", async () => {
    const gateway = await openGateway(await open());
    const { makeToken, makeProfile, named } = await openWithAnn(gateway);
    await makeProfile("All", { entries: [{ name: "*" }] });
    await makeProfile("Boards", { profile_type: "dashboard", entries: [{ name: "tasks" }, { name: "audit" }] });
    await ask(gateway, ["POST", "/profile/assign"], {
      body: { ...named("permission"), profile_id: "All" },
      status: 204,
    });
    await ask(gateway, ["POST", "/profile/assign"], {
      body: { ...named("dashboard"), profile_id: "Boards" },
      status: 204,
    });
    const { value: token = "" } = await makeToken(["dashboards-get", "dashboard-get", "context-get", "task-get"]);
    const menu = (await ask(gateway, ["GET", "/dashboards"], { token })) as unknown as { items: { path: string }[] }[];
    expect(menu.flatMap(({ items }) => items.map(({ path }) => path))).toEqual(["tasks"]);
    await ask(gateway, ["GET", "/dashboard/tasks"], { token });
    await ask(gateway, ["GET", "/dashboard/audit"], { token, status: 404 });
    const context = await ask(gateway, ["GET", "/context"], { token });
    expect(context).toMatchObject({
      user: { username: "ann" },
      client: { id: "c-1" },
      profile: { dashboards: ["tasks", "audit"] },
      permissions: { "task-get": true },
    });
  });

  it("a user that is deleted leaves no profile behind, and its profiles can go", async () => {
    const store = await open();
    const gateway = await openGateway(store);
    const { user, makeProfile, named } = await openWithAnn(gateway);
    const { id } = await makeProfile("One", {});
    await ask(gateway, ["POST", "/profile/assign"], { body: { ...named("permission"), profile_id: id }, status: 204 });
    await ask(gateway, ["DELETE", `/profiles/${id}`], { status: 409 });
    await ask(gateway, ["DELETE", `/users/${user}`], { status: 204 });
    expect(await store.records.count("profile_assignment")).toBe(0);
    await ask(gateway, ["DELETE", `/profiles/${id}`], { status: 204 });
  });

  it("quotas and texts by query and body, notifications read once", async () => {
    const store = await open();
    const gateway = await openGateway(store);
    const quota = { quota: "cores", reseller: "acme", client_id: "", resource_id: "" };
    await ask(gateway, ["POST", "/quota"], { body: { ...quota, limit: 10 } });
    const row = await ask(gateway, ["POST", "/quota/increase"], { body: { ...quota, increase: 5 } });
    expect(row).toEqual({ reseller: "acme", client_id: "", resource_id: "", limit: 15, used: 0 });
    expect(await ask(gateway, ["GET", "/quota"], {})).toEqual({ cores: [row] });
    await ask(gateway, ["POST", "/i18n/lang/de"], { body: { key: "x.y", value: "Z" }, status: 404 });
    await ask(gateway, ["POST", "/i18n/lang/de"], { body: { key: "x.y", value: "Z", insert: true }, status: 204 });
    expect(await ask(gateway, ["GET", "/i18n/lang/de"], {})).toMatchObject({ "x.y": "Z", "menu.users": "Benutzer" });
    const told = { created_at: "2026-11-20T00:00:00.000Z", reseller: null, client_id: null, user_id: null };
    await store.records.put(
      "notification",
      { ...told, id: "ntf_1", type: "task_ended", text: "Done.", read_at: null },
      0,
    );
    expect(await ask(gateway, ["GET", "/notification?unread=true"], {})).toMatchObject([{ id: "ntf_1", read: "" }]);
    await ask(gateway, ["PATCH", "/notification"], { body: { id: "ntf_1" }, status: 204 });
    expect(await ask(gateway, ["GET", "/notification?unread=true"], {})).toEqual([]);
  });
});
