import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { upstreamPortal } from "../../../../adapters/clouds/http/index.ts";
import { outgoingOf } from "../../../../adapters/clouds/http/request.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { errorTable, GatewayError, isGatewayError } from "../../../../src/engine/errors.ts";
import type { Transport, WireRequest } from "../../../../src/engine/ports/transport.ts";
import { toErrorBody } from "../../../../src/http/response/errors.ts";
import { portalRows } from "../../../../src/operations/portal/table.ts";
import { createRouter } from "../../../../src/operations/router.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { callAt } from "../../../portal/support/rig.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";

const route = createRouter(portalRows.map(({ operation }) => operation));
const anyRow = fc.constantFrom(...portalRows);
const anyParam = fc.oneof(
  fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  fc.string({ minLength: 1, unit: "grapheme" }),
  fc.constantFrom("..", "shoots", "cloudprofile", "a/b", "%2F"),
);
const anyFields = fc.dictionary(fc.stringMatching(/^field_[a-z]{1,5}$/), fc.jsonValue(), { maxKeys: 4 });

describe("a call sent on to another portal", () => {
  it("arrives at the same row with the same parameters and fields, or is not sent at all", () => {
    fc.assert(
      fc.property(
        anyRow,
        fc.array(anyParam, { minLength: 4, maxLength: 4 }),
        anyFields,
        ({ operation }, values, fields) => {
          const params = Object.fromEntries(operation.params.map((name, n) => [name, values[n] ?? "x"]));
          let sent: ReturnType<typeof outgoingOf>;
          try {
            sent = outgoingOf(operation, { ...fields, ...params });
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: "not_found" });
            return;
          }
          expect(route(operation.method, sent.path)).toMatchObject({ kind: "found", row: operation, params });
          expect(JSON.parse(sent.body ?? "{}")).toEqual(JSON.parse(JSON.stringify(fields)));
          expect(sent.path.split("/")).not.toContain("..");
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("is sent for plain parameters of every row", () => {
    for (const { operation } of portalRows) {
      const params = Object.fromEntries(operation.params.map((name, n) => [name, `p-${n}`]));
      expect(outgoingOf(operation, params)).toEqual({
        path: operation.path.replace(/\{(\w+)\}/g, (_, name) => String(params[name])),
      });
    }
  });
});

/** A transport that gives one answer and remembers what it was asked. */
function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
  const asked: WireRequest[] = [];
  const transport: Transport = {
    async whole(request) {
      asked.push(request);
      return { status, headers, body: typeof body === "string" ? body : JSON.stringify(body) };
    },
    stream: () => expect.fail("streams nothing"),
    close: async () => {},
  };
  return { asked, transport };
}

const url = "https://portal.example/api/";
const callOf = (place: TenantScope = {}) => callAt(withPortalKinds(memoryStore()).records, place);

describe("an upstream portal", () => {
  it("is asked with its token and region, by the row's method and path, fields in the body of a GET too", async () => {
    const { asked, transport } = answering(200, []);
    const backend = upstreamPortal({ url, token: "tg_at_up", region: "there", transport }).area("clusters");
    expect(await backend.cloudProfiles?.({ cloudprofilename: "cp" }, callOf())).toEqual([]);
    expect(asked[0]).toMatchObject({
      method: "GET",
      url: "https://portal.example/api/cluster/cloudprofiles",
      headers: { "auth-token": "tg_at_up", region: "there", "content-type": "application/json" },
      body: '{"cloudprofilename":"cp"}',
    });
  });

  it.each([
    [{ user: "operator", password: "a:pässword" }, `Basic ${Buffer.from("operator:a:pässword").toString("base64")}`],
    [{ token: "t0k3n" }, "Bearer t0k3n"],
    [{ user: "operator", password: "a", token: "t0k3n" }, "Bearer t0k3n"],
  ])("is sent the service credential that its gateway asks for: %j", async (service, authorization) => {
    const { asked, transport } = answering(200, []);
    await upstreamPortal({ url, token: "t", service, transport }).area("clusters").cloudProfiles?.({}, callOf());
    expect(asked[0]?.headers).toMatchObject({ authorization, "auth-token": "t" });
    const without = answering(200, []);
    await upstreamPortal({ url, token: "t", transport: without.transport })
      .area("clusters")
      .cloudProfiles?.({}, callOf());
    expect(without.asked[0]?.headers).not.toHaveProperty("authorization");
  });

  it("says so when the service credential is what its gateway misses, or when it is none", async () => {
    const error = new GatewayError("token_required", "Send it.", { param: "authorization" });
    const body = toErrorBody(error, { eventId: "evt_1", requestType: undefined, model: undefined });
    const backend = upstreamPortal({ url, token: "t", transport: answering(401, body).transport }).area("clusters");
    await expect(backend.cloudProfiles?.({}, callOf())).rejects.toMatchObject({
      code: "backend_error",
      message: expect.stringContaining("Set `service` of the back end"),
    });
    expect(() => upstreamPortal({ url, token: "t", service: { user: "a" } })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", param: "service.password" }),
    );
  });

  it("has a method for every row of every area", () => {
    const portal = upstreamPortal({ url, token: "t", transport: answering(200, {}).transport });
    for (const { area, name } of portalRows) expect(portal.area(area)).toHaveProperty(name);
  });

  it("answers nothing where the row has no output", async () => {
    const { transport } = answering(204, "");
    const backend = upstreamPortal({ url, token: "t", transport }).area("objectstore");
    expect(await backend.unshareBucket?.({ bucket: "b" }, callOf())).toBeUndefined();
  });

  it("serves callers below the provider with a token of their place only", async () => {
    const { asked, transport } = answering(200, []);
    const client = callOf({ reseller: "acme", client_id: "one" });
    const single = upstreamPortal({ url, token: "tg_at_all", transport }).area("iaas");
    await expect(single.servers?.({}, client)).rejects.toMatchObject({ code: "not_implemented" });
    expect(asked).toEqual([]);
    const token = ({ scope }: { scope: TenantScope }) => (scope.client_id === "one" ? "tg_at_one" : undefined);
    const own = upstreamPortal({ url, token, transport }).area("iaas");
    await own.servers?.({}, client);
    expect(asked[0]?.headers["auth-token"]).toBe("tg_at_one");
    await expect(own.servers?.({}, callOf({ reseller: "acme" }))).rejects.toMatchObject({ code: "not_implemented" });
  });

  const passedOn = [
    "invalid_request",
    "not_found",
    "conflict",
    "quota_exceeded",
    "not_implemented",
    "backend_error",
    "backend_timeout",
    "backend_unreachable",
    "request_too_large",
  ];

  it.each(Object.keys(errorTable) as (keyof typeof errorTable)[])(
    "tells %s of the upstream as it should be told",
    async (code) => {
      const error = new GatewayError(code, "in their words", { param: "bucket" });
      const body = toErrorBody(error, { eventId: "evt_1", requestType: undefined, model: undefined });
      const { transport } = answering(error.status, body);
      const backend = upstreamPortal({ url, token: "tg_at_hush", transport }).area("iaas");
      const thrown = await Promise.resolve(backend.servers?.({}, callOf())).catch((reason: unknown) => reason);
      if (!isGatewayError(thrown)) return expect.fail("was not refused");
      if (passedOn.includes(code)) expect(thrown).toMatchObject({ code, message: "in their words", param: "bucket" });
      else
        expect(thrown).toMatchObject({
          code: "backend_error",
          message: expect.stringContaining(`${code} (its event evt_1)`),
        });
      expect(thrown.message).not.toContain("hush");
    },
  );

  it.each([
    ["HTML", 200, "<html>"],
    ["an answer of another shape", 200, [{ no: "server" }]],
    ["a redirect", 302, ""],
    ["an error of nobody's", 418, { error: "teapot" }],
  ])("%s is backend_error", async (_title, status, body) => {
    const { transport } = answering(status as number, body);
    const backend = upstreamPortal({ url, token: "t", transport }).area("iaas");
    await expect(backend.servers?.({}, callOf())).rejects.toMatchObject({ code: "backend_error" });
  });

  it.each(["ftp://x", "portal.example", "https://user:secret@portal.example", "https://portal.example/?a=b"])(
    "%s is no address",
    (bad) => {
      expect(() => upstreamPortal({ url: bad, token: "t" })).toThrow(
        expect.objectContaining({ code: "invalid_configuration", param: "url" }),
      );
    },
  );
});
