import { local } from "../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { ErrorBody } from "../../../src/engine/api/error.ts";
import type { HandlerOptions } from "../../../src/http/server/handler-options.ts";
import { createEngine, createFetch } from "../../../src/index.ts";
import { createPortal } from "../../../src/portal/index.ts";

export const user = "operator";
export const password = "colon:in-the-pässwörd-€";
export const token = "tg-service-0123456789";
export const service = { user, password, token };
export const basic = (pair: string | Uint8Array) => `Basic ${Buffer.from(pair).toString("base64")}`;
export const right = basic(`${user}:${password}`);

/** A gateway with a portal, the token of its first start, and what was reported of failures. */
export async function open(options: Partial<HandlerOptions> = { service }) {
  const store = memoryStore();
  const engine = createEngine({ providers: [local()], store });
  const portal = createPortal({ engine, store, secret: "a secret of the tests" });
  const accessToken = (await portal.startFirst())?.token ?? "";
  const reported: unknown[] = [];
  const onFailure = (error: unknown) => void reported.push(error);
  const fetch = createFetch(engine, { portal, onFailure, ...options });
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`http://gateway${path}`, { method, headers });
  const signed = (authorization?: string) => ({
    "auth-token": accessToken,
    region: "local",
    ...(authorization === undefined ? {} : { authorization }),
  });
  return { engine, fetch, ask, signed, reported };
}

/** Status, type, parameter and challenge of a refusal. */
export async function refusalOf(answer: Promise<Response>) {
  const response = await answer;
  const body = ErrorBody.parse(await response.json());
  const challenge = response.headers.get("www-authenticate");
  return { status: response.status, type: body.type, param: body.error.param, challenge, message: body.error.message };
}
