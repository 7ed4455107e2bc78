import { expect, it } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { createEngine } from "../../../../src/index.ts";
import { fakeClock, scriptedWorld } from "../../../../src/testing/index.ts";
import { hello } from "../../support/engine-double.ts";

const busy = (retryAfterMs?: number) =>
  new GatewayError("upstream_error", "busy", { retryAfterMs, upstream: { status: 429, message: "busy" } });

/** The answer to one request at a provider that always fails like this, and how often it was asked. */
async function ask(where: string, error: () => GatewayError, retry = {}) {
  let calls = 0;
  const fail: Provider["chat"] = async () => {
    calls++;
    throw error();
  };
  const clock = fakeClock({ runsByItself: true });
  const engine = createEngine({ ...scriptedWorld(), clock, retry, providers: [{ name: "double", chat: fail }] });
  const response = await createFetch(engine)(`http://engine${where}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ ...hello, max_tokens: 9 }),
  });
  return {
    calls,
    status: response.status,
    retries: response.headers.get("x-should-retry"),
    body: await response.json(),
  };
}

it.each(["/v1/chat/completions", "/openai/v1/chat/completions", "/anthropic/v1/messages"])(
  "%s: what was asked again by the gateway need not be asked again by an SDK",
  async (where) => {
    expect(await ask(where, busy)).toMatchObject({ calls: 3, status: 429, retries: "false" });
    expect(await ask(where, () => busy(3_600_000))).toMatchObject({ calls: 1, status: 429, retries: null });
    expect(await ask(where, busy, { retries: 0 })).toMatchObject({ calls: 1, status: 429, retries: null });
  },
);

it("the report of a target says how often it was asked, where that was more than once", async () => {
  const { body } = await ask("/v1/chat/completions", busy);
  expect(body).toMatchObject({ error: { attempts: [{ target: "double/m", tries: 3 }] } });
  const once = await ask("/v1/chat/completions", busy, { retries: 0 });
  expect(once.body).toMatchObject({ error: { attempts: [{ target: "double/m" }] } });
  expect(JSON.stringify(once.body)).not.toContain("tries");
});
