import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  type AlertParam,
  alertBounds,
  alertKinds,
  isParamValid,
  placeOf,
  readParams,
  typedParams,
} from "../../../../console/src/screens/alerts/alert.ts";
import { portalTable } from "../../../../src/operations/portal/table.ts";
import { type AlertKind, alertKinds as gatewayKinds } from "../../../../src/operations/records/alerts/alerts.ts";
import { alertSources } from "../../../../src/portal/alerts/sources/sources.ts";

const kind = fc.constantFrom(...gatewayKinds);

describe("the kinds of the console's form", () => {
  it.each(gatewayKinds)("%s has the parameters, the defaults and the permission of the gateway", (name: AlertKind) => {
    const { defaults, permission } = alertSources[name];
    const { params, row } = alertKinds[name];
    const first = Object.entries(defaults).map(([param, value]) => [param, String(value ?? "")] as const);
    expect(params).toEqual(Object.fromEntries(first));
    expect(portalTable[row]?.access).toBe(permission);
  });

  it("have the bounds of the operation", () => {
    const fields = portalTable["alerts.createRule"]?.input as z.ZodObject;
    const number = fc.oneof(
      fc.integer({ min: -5, max: 70 }),
      fc.double({ min: -2, max: 2e9, noNaN: true }),
      fc.integer(),
    );
    const param = fc.constantFrom(...(Object.keys(alertBounds) as Exclude<AlertParam, "target">[]));
    fc.assert(
      fc.property(param, number, (name, value) => {
        const schema = fields.shape[name] as z.ZodType;
        expect(isParamValid(name, String(value))).toBe(schema.safeParse(value).success);
      }),
      { numRuns: 2_000 },
    );
  });

  it("take what a rule has back as it is", () => {
    const rule = { id: "r", created_at: "", name: "n", channels: [], enabled: true, reseller: null, client_id: null };
    fc.assert(
      fc.property(kind, fc.integer({ min: 1, max: 60 }), (name, value) => {
        const params = Object.keys(alertKinds[name].params).map((param) => [param, param === "target" ? "a/b" : value]);
        const known = Object.fromEntries(params);
        expect(readParams(typedParams(name, { ...rule, kind: name, ...known }))).toEqual(known);
      }),
    );
  });

  it("send no empty target", () => {
    expect(readParams({ target: " " })).toEqual({});
    expect(isParamValid("days", "")).toBe(false);
  });
});

it.each([
  ["/ai/keys/vk_1", "ai/keys/vk_1"],
  ["/ai/project/p_1", "ai/projects/p_1"],
  ["/ai/customer", "ai/customers/a%2Fb"],
  ["/ai/health", "ai/health"],
  ["/users/u_1/tokens", "users/u_1"],
  ["/backup/b_1", "backups/b_1"],
  ["/something/else", undefined],
  [undefined, undefined],
])("an alert with the link %s opens %s", (link, place) => {
  expect(placeOf({ subject: "a/b", ...(link === undefined ? {} : { link }) })).toBe(place);
});
