import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { ErrorBody } from "../../../src/engine/api/error.ts";
import { components, type DescribedRow, describedRows } from "../support/document.ts";
import { valuesOf } from "../support/from-schema.ts";
import { type Answer, type Asked, type Gateway, openGateway } from "../support/gateway.ts";

let gateway: Gateway;
let ownerId: string;

beforeAll(async () => {
  gateway = await openGateway(memoryStore());
  const [admin] = (await gateway.ask({ method: "GET", path: "/users" })).body as { id: string }[];
  ownerId = admin?.id ?? "";
});

/** A request of a row with a valid body and made-up parameters. */
function requestOf({ operation, input }: DescribedRow, seed = 1): Asked {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, "none-$1");
  if (!input) return { method: operation.method, path };
  const body = valuesOf(input, components).filter((value) => operation.input?.safeParse(value).success ?? true);
  const [sampled] = fc.sample(body, { numRuns: 1, seed });
  return { method: operation.method, path, body: sampled };
}

/** Names of tokens: no two of a user have the same. */
let tokens = 0;

/** The value of a new token of the first user. */
async function tokenWith(permissions: readonly string[], dates: object = {}): Promise<string> {
  const path = `/users/${ownerId}/tokens`;
  const { status, body } = await gateway.ask({
    method: "POST",
    path,
    body: { name: `t${++tokens}`, permissions, ...dates },
  });
  expect(status).toBe(200);
  return (body as { value: string }).value;
}

function expectError({ status, body }: Answer, wanted: number, code: string): void {
  expect({ status, type: (body as { error?: { type: string } }).error?.type }).toEqual({ status: wanted, type: code });
  expect(ErrorBody.safeParse(body).success).toBe(true);
}

/** What a row reads for its caller, who must be allowed to read it: the budgets of a rule's kind. */
const alsoRead: Readonly<Record<string, readonly string[]>> = {
  "alerts.createRule": ["ai_limits-get", "backups-get", "ai-get"],
  "me.setPassword": ["*"], // a first password gives all that the user may
};

/** The instant that many minutes from now. */
const minute = (count: number) => new Date(gateway.clock.now() + count * 60_000).toISOString();

describe.each(describedRows.map((row) => [row.id, row] as const))("%s", (id, row) => {
  const asked = requestOf(row);
  const permission = row.operation.access;
  const with_ = (headers: Asked["headers"]) => gateway.ask({ ...asked, ...(headers ? { headers } : {}) });

  it("is refused without a token, with an unknown one, and with a virtual key", async () => {
    expectError(await with_({ "auth-token": undefined }), 401, "token_required");
    expectError(await with_({ "auth-token": "tg_at_unknown" }), 401, "token_not_found");
    expectError(await with_({ "auth-token": "sk-tg-0123456789" }), 401, "virtual_key_not_accepted");
    expectError(await with_({ "x-tg-key": "sk-tg-0123456789" }), 401, "virtual_key_not_accepted");
  });

  it("is refused before the token's start and from its end on", async () => {
    const early = await tokenWith([permission], { starts_at: minute(1) });
    expectError(await with_({ "auth-token": early }), 401, "token_not_yet_valid");
    const late = await tokenWith([permission], { starts_at: minute(-2), ends_at: minute(1) });
    await gateway.clock.advance(60_000);
    expectError(await with_({ "auth-token": late }), 401, "token_expired");
  });

  it("is refused without a region and with an unknown one", async () => {
    expectError(await with_({ region: undefined }), 400, "region_required");
    expectError(await with_({ region: "nowhere" }), 400, "region_unknown");
  });

  it("is refused without its permission, by name, though the token has all others", async () => {
    const others = describedRows.map(({ operation }) => operation.access).filter((other) => other !== permission);
    const answer = await with_({ "auth-token": await tokenWith(others) });
    expectError(answer, 403, "permission_denied");
    expect((answer.body as { error: { param: string } }).error.param).toBe(permission);
  });

  it("passes with exactly its permission, at both mounts, and answers what its schema accepts or why not", async () => {
    const token = await tokenWith([permission, ...(alsoRead[id] ?? [])]);
    for (const mount of ["", "/api"]) {
      const { status, body } = await gateway.ask({
        ...asked,
        path: mount + asked.path,
        headers: { "auth-token": token },
      });
      expect(ErrorBody.safeParse(body).success ? (body as ErrorBody).error.type : "ok").not.toMatch(
        /token|permission_denied|region|internal/,
      );
      if (row.operation.stream) continue; // its events are tested one by one
      if (status === 200) expect(row.operation.output?.safeParse(body).success).toBe(true);
      else if (status === 204) expect(row.operation.output).toBeUndefined();
      else expect([400, 403, 404, 409, 501, 502]).toContain(status);
    }
  });

  it("names what is not there by the field that it was asked with", async () => {
    const { status, body } = await with_({});
    const { param } = status === 404 ? (body as ErrorBody).error : {};
    const fields = [...row.operation.params, ...Object.keys((asked.body as object | undefined) ?? {})];
    if (param !== undefined && param !== null) expect(fields).toContain(param.split(".")[0]);
  });

  it("knows no field that the table does not show", async () => {
    const answer = await gateway.ask({ ...asked, body: { ...(asked.body as object), surprise: 1 } });
    expectError(answer, 400, "invalid_request");
    expect((answer.body as { error: { param: string } }).error.param).toBe("surprise");
  });
});
