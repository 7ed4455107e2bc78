import { expect, it } from "vitest";
import { watsonx } from "../../../../../adapters/providers/watsonx/index.ts";
import type { ProviderCall } from "../../../../../src/engine/ports/provider.ts";
import type { Transport, WireAnswer, WireRequest } from "../../../../../src/engine/ports/transport.ts";
import { recordedCall } from "../../../../fixtures/native.ts";

const answer = {
  id: "c",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } }],
};
const json = (status: number, body: unknown): WireAnswer => ({ status, headers: {}, body: JSON.stringify(body) });

interface Rig {
  /** What the identity service says to the exchange of that number, from 1 on. */
  readonly exchange?: (count: number) => WireAnswer;
  /** Tokens that the vendor refuses. */
  readonly refused?: readonly string[];
}

/** IBM's identity service, which numbers its tokens, and the vendor behind it. */
function rig({ exchange, refused = [] }: Rig = {}) {
  const forms: string[] = [];
  const tokens: string[] = [];
  const addresses: string[] = [];
  const identify = () => {
    const count = forms.length;
    return exchange?.(count) ?? json(200, { access_token: `token-${count}`, expires_in: 3600 });
  };
  async function whole({ url, body, headers }: WireRequest): Promise<WireAnswer> {
    if (url.includes("iam.")) {
      forms.push(`${body}`);
      return identify();
    }
    addresses.push(url);
    const token = headers.authorization ?? "";
    tokens.push(token);
    const isRefused = refused.some((each) => token.endsWith(each));
    return isRefused
      ? json(401, { errors: [{ code: "authentication_token_expired", message: token }] })
      : json(200, answer);
  }
  const transport: Transport = {
    whole,
    stream: () => Promise.reject(new Error("not asked for")),
    close: async () => {},
  };
  const provider = watsonx({ apiKey: "the key", projectId: "p-1", transport });
  const ask = (startedAt: number, more: Partial<ProviderCall> = {}) =>
    provider.chat?.(
      { model: "m", messages: [{ role: "user", content: "go" }] },
      { ...recordedCall("m"), startedAt, ...more },
    );
  return { ask, forms, tokens, addresses };
}

const minute = 60_000;

it("exchanges the key once for calls that come together, and keeps the token", async () => {
  const { ask, forms, tokens } = rig();
  await Promise.all([ask(0), ask(1), ask(2)]);
  await ask(50 * minute);
  expect(forms).toEqual(["grant_type=urn%3Aibm%3Aparams%3Aoauth%3Agrant-type%3Aapikey&apikey=the+key"]);
  expect(new Set(tokens)).toEqual(new Set(["Bearer token-1"]));
});

it("renews the token before it ends, and uses it to its end where that fails", async () => {
  const { ask, tokens } = rig({
    exchange: (count) =>
      count === 2 ? json(503, {}) : json(200, { access_token: `token-${count}`, expires_in: 3600 }),
  });
  for (const at of [0, 53, 55, 56]) await ask(at * minute);
  expect(tokens).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-1", "Bearer token-3"]);
});

it("asks once more with a new token where a kept one is refused, and only once", async () => {
  const { ask, tokens } = rig({ refused: ["token-1"] });
  await ask(0);
  expect(tokens).toEqual(["Bearer token-1", "Bearer token-2"]);
  const dead = rig({ refused: ["token-1", "token-2"] });
  await expect(dead.ask(0)).rejects.toMatchObject({ upstream: { status: 401, message: "Bearer [redacted]" } });
  expect(dead.tokens).toHaveLength(2);
});

it("says that the credential is bad where the key is refused, and that the service failed where it did", async () => {
  const bad = rig({
    exchange: () => json(400, { errorCode: "BXNIM0415E", errorMessage: "Provided API key could not be found." }),
  });
  await expect(bad.ask(0)).rejects.toMatchObject({ code: "upstream_credentials_exhausted", param: "apiKey" });
  const down = rig({ exchange: () => json(503, {}) });
  await expect(down.ask(0)).rejects.toMatchObject({ code: "upstream_error", upstream: { status: 503 } });
});

it("a call that ends while it waits does not end the exchange for others", async () => {
  const { ask, tokens } = rig();
  const controller = new AbortController();
  const first = ask(0, { signal: controller.signal });
  controller.abort(new Error("hung up"));
  const second = ask(0);
  await expect(first).rejects.toThrow();
  await second;
  expect(tokens).toEqual(["Bearer token-1"]);
});

it.each([
  [{}, "projectId"],
  [{ projectId: "p", spaceId: "s" }, "projectId"],
  [{ projectId: "p", apiKey: "" }, "apiKey"],
])("refuses the options %j naming %s", (options, param) => {
  expect(() => watsonx({ apiKey: "k", ...options })).toThrow(
    expect.objectContaining({ code: "invalid_configuration", param }),
  );
});
