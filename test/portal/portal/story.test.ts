import { describe, expect, it } from "vitest";
import { createHandler, type Handler } from "../../../src/http/server/handler.ts";
import type { AiKey, AiKeyCost, AiKeyCreated, AiProject } from "../../../src/operations/portal/tenancy/ai/resources.ts";
import { answerCost, openOffice, usage } from "../support/areas/ai/office.ts";
import { stores } from "../support/rig.ts";

type Headers = Readonly<Record<string, string>>;

/** One request without a socket: its status, and its body as JSON. */
async function ask(handle: Handler, headers: Headers, [method, path, body]: readonly [string, string, unknown?]) {
  const [bare = "", query = ""] = path.split("?");
  const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  const response = await handle({
    method,
    path: bare,
    query,
    prefix: "",
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    isShared: false,
    signal: new AbortController().signal,
    read: async () => ({ kind: "bytes", bytes, encoding: undefined }),
  });
  const text = typeof response.body === "string" ? response.body : "";
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

describe.each(stores)("the AI area over HTTP: %s", (_name, open) => {
  it("a key is made, used, billed, limited, refused and deleted; the numbers are the ledger's", async () => {
    const { engine, portal } = await openOffice(await open());
    const first = await portal.startFirst();
    const handle = createHandler({ engine, portal });
    const admin = { "auth-token": first?.token ?? "", region: "eu-1" };
    const manage = (method: string, path: string, body?: unknown) => ask(handle, admin, [method, path, body]);

    const made = await manage("POST", "/ai/projects", { name: "Search", description: "d", tier: "full" });
    expect(made.status).toBe(200);
    const project = (made.body as [AiProject])[0].id;
    const draft = { name: "crawler", description: "", tier: "basic", user_bound: false, project_id: project };
    const created = await manage("POST", "/api/ai/keys", draft);
    expect(created.status).toBe(200);
    const { id, value } = created.body as AiKeyCreated;

    const chat = () => {
      const body = { model: "one/small", messages: [{ role: "user", content: "hi" }] };
      return ask(handle, { authorization: `Bearer ${value}` }, ["POST", "/v1/chat/completions", body]);
    };
    expect([(await chat()).status, (await chat()).status, (await chat()).status]).toEqual([200, 200, 200]);

    const cost = (await manage("GET", `/ai/keys/${id}/cost`)).body as AiKeyCost;
    expect(cost).toEqual({
      from: "2026-11-01T00:00:00.000Z",
      to: "2026-12-01T00:00:00.000Z",
      key_price: 5,
      price: 3 * answerCost,
      tokens: 3 * usage.total_tokens,
      usage: {
        "one/small": {
          requests: 3,
          refused: 0,
          prompt_tokens: 3_000,
          completion_tokens: 1_500,
          cost: 3 * answerCost,
          price: 3 * answerCost,
        },
      },
    });
    const [row] = await engine.usage.query({ from: 0, to: Number.MAX_SAFE_INTEGER, filters: { key_id: id } });
    expect([cost.tokens, Math.round(cost.price * 1e9)]).toEqual([
      (row?.prompt_tokens ?? 0) + (row?.completion_tokens ?? 0),
      row?.cost_nano,
    ]);
    const { key_price: _own, ...ofProject } = cost;
    expect((await manage("GET", `/ai/project/${project}/cost`)).body).toEqual(ofProject);

    const list = async () => ((await manage("GET", `/ai/keys?ai_project_id=${project}`)).body as [AiKey])[0];
    expect(await list()).toMatchObject({
      is_limited: false,
      tokens_usage: { requests: 3, total_tokens: 4_500, cost: 3 * answerCost },
    });

    const lower = { budgets: [{ max_limit: 0.005, reset_duration: "1M" }] };
    expect((await manage("PATCH", `/ai/keys/${id}`, lower)).status).toBe(200);
    expect(await list()).toMatchObject({ is_limited: true, is_active: true });
    const refused = await chat();
    expect([refused.status, refused.body.error.type]).toEqual([402, "budget_exceeded"]);

    expect((await manage("DELETE", `/ai/project/${project}`)).status).toBe(409);
    expect((await manage("DELETE", `/ai/keys/${id}`)).status).toBe(204);
    expect((await manage("GET", `/ai/keys/${id}`)).status).toBe(404);
    expect((await chat()).status).toBe(401);
    expect((await manage("DELETE", `/ai/project/${project}`)).status).toBe(204);
    expect((await manage("GET", `/ai/project/${project}`)).status).toBe(404);
  });
});
