import { describe, expect, it } from "vitest";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import { propertiesArea } from "../../../../src/portal/properties/area.ts";
import { callAt, stores } from "../../support/rig.ts";

const area = propertiesArea();
const provider = {};
const reseller = { reseller: "acme" };
const client = { reseller: "acme", client_id: "c-1" };

function set(call: PortalCall, property: string, value: string) {
  return area.set?.({ property, value, description: `about ${property}` }, call);
}

async function values(call: PortalCall): Promise<Record<string, string>> {
  const rows = (await area.list?.({}, call)) ?? [];
  return Object.fromEntries(rows.map(({ property, value, inherited }) => [property, inherited ? `${value} ↑` : value]));
}

describe.each(stores)("properties: %s", (_name, open) => {
  it("a property is created, then changed by the same call", async () => {
    const { records } = await open();
    const call = callAt(records, client);
    await set(call, "language", "de");
    await set(call, "language", "it");
    expect(await area.list?.({}, call)).toEqual([
      { property: "language", value: "it", description: "about language", inherited: false },
    ]);
  });

  it("the nearest level wins, and `inherited` tells that it is another's", async () => {
    const { records } = await open();
    const at = (place: object) => callAt(records, place);
    await set(at(provider), "language", "en");
    await set(at(provider), "support", "help@example.com");
    await set(at(reseller), "language", "de");
    expect(await values(at(provider))).toEqual({ language: "en", support: "help@example.com" });
    expect(await values(at(reseller))).toEqual({ language: "de", support: "help@example.com ↑" });
    expect(await values(at(client))).toEqual({ language: "de ↑", support: "help@example.com ↑" });
    expect(await values(at({ ...client, user_id: "u" }))).toEqual({ language: "de ↑", support: "help@example.com ↑" });
    await set(at(client), "language", "fr");
    expect(await values(at(client))).toEqual({ language: "fr", support: "help@example.com ↑" });
    expect(await values(at(reseller))).toEqual({ language: "de", support: "help@example.com ↑" });
  });

  it("another tenant sees nothing of it", async () => {
    const { records } = await open();
    await set(callAt(records, client), "language", "de");
    for (const place of [{ reseller: "acme", client_id: "c-2" }, { reseller: "other" }, reseller, provider]) {
      expect(await values(callAt(records, place))).toEqual({});
    }
  });

  it("a user has no properties of its own", async () => {
    const { records } = await open();
    const call = callAt(records, { ...client, user_id: "u" });
    await expect(async () => set(call, "language", "de")).rejects.toMatchObject({ code: "permission_denied" });
  });
});
