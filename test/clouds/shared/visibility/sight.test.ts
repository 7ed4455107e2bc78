import { describe, expect, it } from "vitest";
import { ownerOf } from "../../../../adapters/clouds/shared/visibility.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { callAt } from "../../../portal/support/rig.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";

const { records } = withPortalKinds(memoryStore());
const owner = (place: TenantScope, named: { reseller?: string; client?: string } = {}) =>
  ownerOf(named, callAt(records, place));

describe("whose a new infrastructure project is", () => {
  it("is the caller's own where nothing is named, and whom it names below its place", () => {
    expect(owner({})).toEqual({ reseller: null, client_id: null, user_id: null });
    expect(owner({ reseller: "acme" }, { client: "c-1" })).toMatchObject({ reseller: "acme", client_id: "c-1" });
    expect(owner({}, { reseller: "acme", client: "c-1" })).toMatchObject({ reseller: "acme", client_id: "c-1" });
  });

  it("is nobody's of whom only the client is named: no client stands right below the provider", () => {
    const refused = expect.objectContaining({ code: "invalid_request", param: "reseller" });
    expect(() => owner({}, { client: "c-1" })).toThrow(refused);
  });

  it("is nobody's outside the caller's scope", () => {
    expect(() => owner({ reseller: "acme" }, { reseller: "other" })).toThrow(
      expect.objectContaining({ param: "reseller" }),
    );
    const place = { reseller: "acme", client_id: "c-1" };
    expect(() => owner(place, { client: "c-2" })).toThrow(
      expect.objectContaining({ code: "not_found", param: "client" }),
    );
  });
});
