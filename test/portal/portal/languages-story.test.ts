import { describe, expect, it } from "vitest";
import type { ErrorBody } from "../../../src/engine/api/error.ts";
import { findOperation } from "../../../src/operations/portal/find.ts";
import { createNotify } from "../../../src/portal/notify.ts";
import { type Answer, type Gateway, openGateway } from "../support/gateway.ts";
import { stores } from "../support/rig.ts";

const german = "Diesen Pfad gibt es nicht, oder das Genannte fehlt oder gehört nicht zu Ihrem Bereich.";
const english = "There is no user `usr_none`.";

const failureOf = ({ body }: Answer) => (body as ErrorBody).error;

function readNone(gateway: Gateway, accepts?: string): Promise<Answer> {
  return gateway.ask({ method: "GET", path: "/users/usr_none", headers: { "accept-language": accepts } });
}

async function ownId(gateway: Gateway): Promise<string> {
  const { body } = await gateway.ask({ method: "GET", path: "/context" });
  return (body as { user: { id: string } }).user.id;
}

describe.each(stores)("languages of errors and notifications over HTTP: %s", (_name, open) => {
  it("an error is told in the language that the client accepts, with key, parameters and the English sentence", async () => {
    const gateway = await openGateway(await open());
    const answer = await readNone(gateway, "nl, de-CH;q=0.9, en;q=0.1");
    expect(answer.headers["content-language"]).toBe("de");
    expect(failureOf(answer)).toMatchObject({
      ...{ code: "not_found", type: "not_found", param: "user_id", message: german, key: "error.not_found" },
      params: { param: "user_id", detail: english },
    });
    for (const accepts of ["en", "nl", undefined]) {
      const plain = await readNone(gateway, accepts);
      expect(failureOf(plain)).toMatchObject({ message: english, key: "error.not_found", code: "not_found" });
    }
  });

  it("callers who are not known, and sessions, get theirs too", async () => {
    const gateway = await openGateway(await open());
    const headers = { "accept-language": "fr", "auth-token": undefined };
    const unknown = await gateway.ask({ method: "GET", path: "/users", headers });
    expect(unknown.headers["content-language"]).toBe("fr");
    const login = await gateway.ask({ method: "GET", path: "/session", headers });
    expect(login.headers["content-language"]).toBe("fr");
    for (const { body } of [unknown, login]) expect((body as ErrorBody).error.message).toMatch(/jeton/i);
  });

  it("what the user has chosen goes before what the client accepts, and that before the tenant's property", async () => {
    const gateway = await openGateway(await open());
    const body = { property: "language", value: "it", description: "" };
    await gateway.ask({ method: "POST", path: "/property", body });
    expect((await readNone(gateway)).headers["content-language"]).toBe("it");
    expect((await readNone(gateway, "de")).headers["content-language"]).toBe("de");
    const path = `/users/${await ownId(gateway)}`;
    const refused = await gateway.ask({ method: "PATCH", path, body: { language: "xx" } });
    expect(failureOf(refused)).toMatchObject({ code: "invalid_request", param: "language" });
    const changed = await gateway.ask({ method: "PATCH", path, body: { language: "es" } });
    expect(changed.body).toMatchObject({ language: "es" });
    expect((await readNone(gateway, "de")).headers["content-language"]).toBe("es");
  });

  it("a tenant's own text of an error is used", async () => {
    const gateway = await openGateway(await open());
    const body = { key: "error.not_found", value: "Nicht da: {param}." };
    expect((await gateway.ask({ method: "POST", path: "/i18n/lang/de", body })).status).toBe(204);
    expect(failureOf(await readNone(gateway, "de")).message).toBe("Nicht da: user_id.");
  });

  it("notifications are told in the reader's language, by key and parameters, and lead to their subject", async () => {
    const store = await open();
    const gateway = await openGateway(store);
    const notify = createNotify({ records: store.records, clock: gateway.clock });
    const params = { percent: 80, kind: "project", name: "Chat {used}", used: "$8.00", limit: "$10.00" };
    await notify({
      ...{ type: "budget_80", subject: "prj_1", event: "one", key: "notice.budget", params },
      ...{ link: "/ai/project/prj_1", scope: {} },
    });
    await notify({ type: "task_ended", subject: "tsk_1", key: "notice.task_failed", params: { name: "x" }, scope: {} });
    const old = { id: "ntf_old", created_at: "2026-01-01T00:00:00.000Z", read_at: null };
    await store.records.put(
      "notification",
      { ...old, type: "task_ended", text: "Of an older version.", reseller: null, client_id: null },
      0,
    );
    const list = async (query: string, accepts = "de") => {
      const headers = { "accept-language": accepts };
      const { body } = await gateway.ask({ method: "GET", path: `/notification${query}`, headers });
      return body as { id: string; notification: string; link?: string; key?: string; params?: object }[];
    };
    expect((await list("?sort=type")).map(({ notification }) => notification)).toEqual([
      "80 % des Budgets von `Chat {used}` (Projekt) sind verbraucht: $8.00 von $10.00.",
      "Of an older version.",
      "Die Aufgabe „x“ ist fehlgeschlagen.",
    ]);
    const [warning] = await list("?severity=warning", "en");
    expect(warning).toMatchObject({
      notification: "80 % of the budget of the project `Chat {used}` has been used: $8.00 of $10.00.",
      ...{ key: "notice.budget", params, link: "/ai/project/prj_1" },
    });
    expect(findOperation("GET", warning?.link ?? "").kind).toBe("found");
    expect(await list("?subject=tsk_1")).toHaveLength(1);
    expect(await list("?severity=error")).toEqual([]);
    await gateway.ask({ method: "PATCH", path: "/notification", body: { id: warning?.id } });
    expect(await list("?read=true")).toMatchObject([{ id: warning?.id }]);
    expect(await list("?read=false")).toHaveLength(2);
    expect(await list("?unread=true&severity=warning")).toEqual([]);
    expect(await list("?search=Budgets")).toHaveLength(1);
  });
});
