import { describe, expect, it } from "vitest";
import { limitsOf } from "../../../adapters/clouds/shared/quota-profile.ts";
import type { ProfileType, StoredProfile } from "../../../src/operations/records/profiles.ts";
import { callAt, stores } from "../../portal/support/rig.ts";

const cores = { name: "cores", enabled: true, limit: 8 };

function profile(name: string, parts: Partial<StoredProfile> = {}): StoredProfile {
  const place = { reseller: null, client_id: null };
  const fixed = {
    created_at: "2026-11-20T12:00:00.000Z",
    type: "quota" as ProfileType,
    inheritable: true,
    parents: [],
  };
  return { id: `prf_${name}`, hash: name, name, ...place, ...fixed, entries: [cores], ...parts };
}

const sources = {
  profiles: { small: { cores: 2 }, Silver: { cores: 1 } },
  isKnown: (name: string) => name !== "ai_keys",
};

describe.each(stores)("the limits of a quota profile: %s", (_name, open) => {
  it("are the portal's own, by id or name, before those of the back end's options", async () => {
    const { records } = await open();
    await records.put("profile", profile("silver"), 0);
    const call = callAt(records, { reseller: "r", client_id: "c" });
    expect(await limitsOf("silver", sources, call)).toEqual({ cores: 8 });
    expect(await limitsOf("SILVER", sources, call)).toEqual({ cores: 8 });
    expect(await limitsOf("prf_silver", sources, call)).toEqual({ cores: 8 });
    expect(await limitsOf("small", sources, call)).toEqual({ cores: 2 });
    expect(await limitsOf("default", sources, call)).toEqual({});
  });

  it("are those that the cloud has quotas for, inherited ones included", async () => {
    const { records } = await open();
    await records.put(
      "profile",
      profile("base", { entries: [cores, { name: "volumes", enabled: true, limit: 3 }] }),
      0,
    );
    const entries = [
      { name: "ai_keys", enabled: true, limit: 5 },
      { ...cores, limit: 4 },
    ];
    await records.put("profile", profile("gold", { parents: ["prf_base"], entries }), 0);
    expect(await limitsOf("gold", sources, callAt(records, {}))).toEqual({ cores: 4, volumes: 3 });
  });

  it("of another tenant are not there, nor are those of a profile without quotas", async () => {
    const { records } = await open();
    await records.put("profile", profile("theirs", { reseller: "r", client_id: "other" }), 0);
    await records.put("profile", profile("ways", { type: "permission", entries: [] }), 0);
    const call = callAt(records, { reseller: "r", client_id: "c" });
    const refused = { code: "invalid_request", param: "quota_profile" };
    for (const name of ["theirs", "prf_theirs", "ways", "constructor"]) {
      await expect(limitsOf(name, sources, call), name).rejects.toMatchObject(refused);
    }
    await expect(limitsOf("nosuch", sources, call)).rejects.toThrow("there are default, small, Silver");
  });
});
