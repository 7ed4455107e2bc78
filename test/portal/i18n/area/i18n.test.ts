import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { errorTable } from "../../../../src/engine/errors.ts";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { dashboardPaths } from "../../../../src/portal/dashboard-catalogue/catalogue.ts";
import { dashboardGroups } from "../../../../src/portal/dashboard-catalogue/row.ts";
import { i18nArea } from "../../../../src/portal/i18n/area.ts";
import { languages } from "../../../../src/portal/locales/languages.ts";
import { readTexts } from "../../../../src/portal/locales/read.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { callAt, stores } from "../../support/rig.ts";

const area = i18nArea();
const client = { reseller: "acme", client_id: "c-1" };
const seeds = Object.entries(languages);

test("every language has every text: menus, dashboards and errors among them, and each says something", () => {
  const wanted = [
    ...Object.keys(errorTable).map((code) => `error.${code}`),
    ...Object.keys(dashboardGroups).map((name) => `menu.${name}`),
    ...[...dashboardPaths].map((path) => `dashboard.${path}`),
  ];
  expect(seeds.map(([lang]) => lang)).toEqual(["en", "it", "de", "fr", "es"]);
  const keys = Object.keys(languages.en?.texts ?? {}).sort();
  expect(keys).toEqual(expect.arrayContaining(wanted));
  for (const [, { texts }] of seeds) {
    expect(Object.keys(texts).sort()).toEqual(keys);
    expect(Object.values(texts).every((text) => text.trim() === text && text !== "")).toBe(true);
  }
});

test("translations keep the names of fields and headers, and are not the English texts", () => {
  const quoted = (text: string) => (text.match(/`[^`]+`/g) ?? []).sort();
  const english = languages.en?.texts ?? {};
  for (const [lang, { texts }] of seeds.filter(([name]) => name !== "en")) {
    for (const [key, text] of Object.entries(texts))
      expect([lang, key, quoted(text)]).toEqual([lang, key, quoted(english[key] ?? "")]);
    const errors = Object.keys(texts).filter((key) => key.startsWith("error."));
    expect(errors.filter((key) => texts[key] === english[key])).toEqual([]);
  }
});

const lang = fc.constantFrom("en", "de", "fr");
const own = fc.record({ lang, key: fc.constantFrom("menu.ai", "new.one", "new.two"), value: fc.string() });

test("a text is what was set last, else what comes with the language, else the default language's, else its key", () => {
  fc.assert(
    fc.property(lang, fc.array(own, { maxLength: 12 }), (asked, texts) => {
      const said = (key: string, of: string) =>
        texts.findLast((text) => text.lang === of && text.key === key)?.value ?? languages[of]?.texts[key];
      const read = readTexts(asked, texts);
      const keys = new Set([...Object.keys(languages.en?.texts ?? {}), ...texts.map(({ key }) => key)]);
      expect(new Set(read.keys())).toEqual(keys);
      for (const [key, value] of read) expect(value).toBe(said(key, asked) ?? said(key, "en") ?? key);
    }),
  );
});

function at(records: Records, place: TenantScope) {
  const call = callAt(records, place);
  return {
    tokens: async (of: string) => (await area.tokens?.({ lang: of }, call)) ?? {},
    row: async (of: string, key: string) =>
      ((await area.table?.({ lang: of }, call)) ?? []).find((row) => row.key === key),
    set: async (...[of, key, value, insert]: [of: string, key: string, value: string, insert?: boolean]) =>
      area.setToken?.({ lang: of, key, value, insert }, call),
  };
}

describe.each(stores)("i18n: %s", (_name, open) => {
  it("lists the five languages, English as the default", async () => {
    const { records } = await open();
    const listed = await area.languages?.({}, callAt(records, {}));
    expect(listed?.filter((one) => one.default)).toEqual([{ lang: "en", name: "English", default: true }]);
    expect(listed?.map(({ name }) => name)).toEqual(["English", "Italiano", "Deutsch", "Français", "Español"]);
  });

  it("a text is changed for one language; `translated` is false while it equals the default language's", async () => {
    const { records } = await open();
    const { row, set } = at(records, {});
    expect(await row("de", "menu.users")).toEqual({ key: "menu.users", value: "Benutzer", translated: true });
    await set("de", "menu.users", "Users");
    expect(await row("de", "menu.users")).toEqual({ key: "menu.users", value: "Users", translated: false });
    await set("en", "menu.users", "People");
    expect(await row("de", "menu.users")).toMatchObject({ value: "Users", translated: true });
    expect(await row("fr", "menu.users")).toMatchObject({ value: "Utilisateurs" });
    await set("de", "menu.users", "Leute");
    expect(await row("de", "menu.users")).toMatchObject({ value: "Leute" });
    expect(await records.count("text")).toBe(2);
  });

  it("a key that there is not is 404 without `insert`; with it, every language has it", async () => {
    const { records } = await open();
    const { row, set } = at(records, {});
    for (const insert of [undefined, false])
      await expect(async () => set("de", "x.new", "Neu", insert)).rejects.toMatchObject({ code: "not_found" });
    await set("de", "x.new", "Neu", true);
    expect(await row("de", "x.new")).toEqual({ key: "x.new", value: "Neu", translated: true });
    expect(await row("fr", "x.new")).toEqual({ key: "x.new", value: "x.new", translated: false });
    await set("en", "x.new", "New");
    expect(await row("fr", "x.new")).toEqual({ key: "x.new", value: "New", translated: false });
    await set("fr", "x.new", "Nouveau", true);
    expect(await row("fr", "x.new")).toMatchObject({ value: "Nouveau", translated: true });
  });

  it("a language that there is not is 404", async () => {
    const { records } = await open();
    const { tokens, row, set } = at(records, {});
    for (const ask of [
      () => tokens("xx"),
      () => row("xx", "menu.ai"),
      () => set("xx", "menu.ai", "x"),
      () => tokens("toString"),
    ])
      await expect(ask).rejects.toMatchObject({ code: "not_found" });
  });

  it("a level says a text its own way for itself and those below, nobody else", async () => {
    const { records } = await open();
    const [provider, reseller, own_, other] = [{}, { reseller: "acme" }, client, { reseller: "other" }].map((place) =>
      at(records, place),
    ) as [Tenant, Tenant, Tenant, Tenant];
    await provider.set("en", "menu.ai", "Machines");
    await reseller.set("en", "menu.ai", "Acme AI");
    await own_.set("de", "menu.ai", "Unsere KI");
    const said = async ({ tokens }: Tenant, of: string) => (await tokens(of))["menu.ai"];
    expect(await Promise.all([provider, reseller, own_, other].map((tenant) => said(tenant, "en")))).toEqual([
      "Machines",
      "Acme AI",
      "Acme AI",
      "Machines",
    ]);
    expect(await said(own_, "de")).toBe("Unsere KI");
    expect(await said(reseller, "de")).toBe("KI");
    expect((await at(records, { ...client, user_id: "u" }).tokens("de"))["menu.ai"]).toBe("Unsere KI");
    const set = async () => at(records, { ...client, user_id: "u" }).set("de", "menu.ai", "Meine");
    await expect(set).rejects.toMatchObject({ code: "permission_denied" });
  });
});

type Tenant = ReturnType<typeof at>;
