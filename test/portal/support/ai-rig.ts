import { expect } from "vitest";
import { officePrices, providerOf } from "./areas/ai/office.ts";
import type { Gateway } from "./gateway.ts";
import { makePlaces } from "./places.ts";

interface Sent {
  readonly body?: object;
  readonly token?: string;
  readonly status?: number;
}

/** Asks, and gives the body; fails when the answer is not of the status. */
// biome-ignore lint/suspicious/noExplicitAny: what comes over HTTP is read as it is
export async function ask(gateway: Gateway, asked: string, { body, token, status = 200 }: Sent = {}): Promise<any> {
  const [method = "", path = ""] = asked.split(" ");
  const headers = token === undefined ? {} : { "auth-token": token };
  const answer = await gateway.ask({ method, path, headers, ...(body && { body }) });
  expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status });
  return answer.body;
}

/** Sends a chat with a key, and gives the event id. */
export async function chat(gateway: Gateway, key: string, { model = "one/large", status = 200 } = {}): Promise<string> {
  const answer = await gateway.ask({
    method: "POST",
    path: "/v1/chat/completions",
    headers: { "x-tg-key": key, "auth-token": undefined, region: undefined },
    body: { model, messages: [{ role: "user", content: "hello" }], max_tokens: 1 },
  });
  expect(answer.status).toBe(status);
  return answer.headers["x-tg-event-id"] ?? "";
}

export async function openStory(gateway: Gateway) {
  const place = { reseller: "acme", client_id: "c-1" };
  const makeUser = async (username: string, at: object) => {
    await makePlaces(gateway.portal, at);
    const user = await ask(gateway, "POST /users", { body: { username, ...at, roles: ["role_administrator"] } });
    const token = await ask(gateway, `POST /users/${user.id}/tokens`, { body: { name: "t", permissions: ["*"] } });
    return token.value as string;
  };
  const client = await makeUser("ada", { ...place, level: "client" });
  const other = await makeUser("eve", { reseller: "acme", client_id: "c-2", level: "client" });
  const [project] = await ask(gateway, "POST /ai/projects", {
    token: client,
    body: { name: "shop", description: "", tier: "standard" },
  });
  const key = await ask(gateway, "POST /ai/keys", {
    token: client,
    body: { name: "website", description: "", tier: "standard", user_bound: false, project_id: project.id },
  });
  return { client, other, project, key };
}

export const world = () => ({ providers: [providerOf("one"), providerOf("two")], prices: officePrices() });
