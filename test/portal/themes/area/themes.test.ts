import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { propertiesArea } from "../../../../src/portal/properties/area.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { themesArea } from "../../../../src/portal/themes/area.ts";
import { callAt, stores } from "../../support/rig.ts";

const area = themesArea();
const properties = propertiesArea();
const provider = {};
const reseller = { reseller: "acme" };
const client = { reseller: "acme", client_id: "c-1" };
const levels = [provider, reseller, client];

async function set(records: Records, place: TenantScope, said: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(said))
    await properties.set?.({ property: `theme.${name}`, value, description: "" }, callAt(records, place));
}

const themeOf = async (
  records: Records,
  place: TenantScope,
  asked: { client_id?: string; reseller_id?: string } = {},
) => area.get?.(asked, callAt(records, place));

describe.each(stores)("themes: %s", (_name, open) => {
  it("without a word from anybody the theme is the plain one, and inherited", async () => {
    const { records } = await open();
    const theme = await themeOf(records, client);
    expect(theme).toMatchObject({ name: "tollgate", inherited: true, colors: { primary: expect.any(String) } });
    expect(theme).not.toHaveProperty("logo");
  });

  it("each part is inherited by itself: provider → reseller → client, the nearest wins", async () => {
    const { records } = await open();
    const part = fc.constantFrom("name", "logo", "favicon", "color.primary", "color.accent");
    const step = fc.record({ level: fc.nat({ max: 2 }), part, value: fc.string({ minLength: 1, maxLength: 5 }) });
    const told = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const fresh = (await open()).records;
      for (const { level, part: name, value } of steps) await set(fresh, levels[level] ?? {}, { [name]: value });
      for (const [level, place] of levels.entries()) {
        const said = (name: string) =>
          [level, level - 1, level - 2]
            .map((one) => steps.findLast((step) => step.level === one && step.part === name)?.value)
            .find((value) => value !== undefined);
        const theme = await themeOf(fresh, place);
        expect(theme?.name).toBe(said("name") ?? "tollgate");
        expect(theme?.logo).toBe(said("logo"));
        expect(theme?.favicon).toBe(said("favicon"));
        expect(new Map(Object.entries(theme?.colors ?? {})).get("accent")).toBe(said("color.accent"));
        expect(theme?.inherited).toBe(!steps.some((step) => step.level === level));
      }
    });
    await fc.assert(told, { numRuns: 20 });
    expect(await records.count("property")).toBe(0);
  });

  it("who stands above reads the theme of a level below; a foreign one is not there", async () => {
    const { records } = await open();
    await set(records, reseller, { name: "Acme" });
    await set(records, client, { logo: "/c-1.svg" });
    const asked = { reseller_id: "acme", client_id: "c-1" };
    expect(await themeOf(records, provider, asked)).toMatchObject({ name: "Acme", logo: "/c-1.svg", inherited: false });
    expect(await themeOf(records, provider, { reseller_id: "acme" })).not.toHaveProperty("logo");
    expect(await themeOf(records, reseller, { client_id: "c-1" })).toMatchObject({ logo: "/c-1.svg" });
    expect(await themeOf(records, { ...client, user_id: "u" })).toMatchObject({ name: "Acme", logo: "/c-1.svg" });
    await expect(async () => themeOf(records, client, { client_id: "c-2" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(async () => themeOf(records, reseller, { reseller_id: "x" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(async () => themeOf(records, provider, { client_id: "c-1" })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});
