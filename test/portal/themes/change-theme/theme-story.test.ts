import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrastOf, readColor } from "../../../../src/portal/themes/change-theme.ts";
import { type Answer, openGateway } from "../../support/gateway.ts";
import { stores } from "../../support/rig.ts";

const errorOf = ({ status, body }: Answer) => {
  const { type, param } = (body as { error?: { type: string; param: string | null } } | undefined)?.error ?? {};
  return [status, type, param];
};
const png = (bytes: number) => {
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return `data:image/png;base64,${Buffer.concat([start, Buffer.alloc(bytes - 8)]).toString("base64")}`;
};

describe.each(stores)("properties and themes over HTTP: %s", (_name, open) => {
  async function openPlace() {
    const gateway = await openGateway(await open());
    const ask = (route: string, body?: unknown, headers = {}) => {
      const [method = "", path = ""] = route.split(" ");
      return gateway.ask({ method, path, body, headers });
    };
    await ask("POST /tenants", { reseller: "acme" });
    const role = (await ask("POST /roles", { name: "all", permissions: ["*"] })).body as { id: string };
    const user = (await ask("POST /users", { username: "ann", reseller: "acme", roles: [role.id] })).body as {
      id: string;
    };
    const made = (await ask(`POST /users/${user.id}/tokens`, { name: "t", permissions: ["*"] })).body as {
      value: string;
    };
    return { ask, below: (route: string, body?: unknown) => ask(route, body, { "auth-token": made.value }) };
  }

  it("a level removes its own property, and what it inherits counts again", async () => {
    const { ask, below } = await openPlace();
    await ask("POST /property", { property: "motto", value: "above", description: "" });
    await below("POST /property", { property: "motto", value: "own", description: "" });
    expect((await below("GET /property")).body).toMatchObject([{ value: "own", inherited: false }]);
    expect((await below("DELETE /property?property=motto")).status).toBe(204);
    expect((await below("GET /property")).body).toMatchObject([{ value: "above", inherited: true }]);
    expect(errorOf(await below("DELETE /property?property=motto"))).toEqual([404, "not_found", "property"]);
  });

  it("the catalogue says what the gateway reads, with types, defaults and allowed values", async () => {
    const { ask } = await openPlace();
    const { body } = await ask("GET /property/catalog");
    expect(body).toContainEqual({
      property: "language",
      type: "choice",
      default: "en",
      allowed: ["en", "it", "de", "fr", "es"],
    });
    expect(body).toContainEqual({ property: "theme.color.text", type: "color", default: "#1b1f28" });
    expect(body).toContainEqual({ property: "theme.logo", type: "picture" });
  });

  it("a theme is set for the own level and below, part by part, and null takes a part back", async () => {
    const { ask, below } = await openPlace();
    const set = await ask("PUT /theme", {
      name: "Cloud",
      colors: { primary: "#00529b", accent: "#abc" },
      logo: png(65_536),
    });
    expect(set.body).toMatchObject({ name: "Cloud", colors: { primary: "#00529b", accent: "#abc" }, inherited: false });
    expect((await below("GET /theme")).body).toMatchObject({ name: "Cloud", logo: png(65_536), inherited: true });
    const own = await below("PUT /theme", { name: "Acme", colors: { primary: "#006644" } });
    expect(own.body).toMatchObject({ name: "Acme", colors: { primary: "#006644", accent: "#abc" } });
    const back = await below("PUT /theme", { name: null, colors: { primary: null } });
    expect(back.body).toMatchObject({ name: "Cloud", colors: { primary: "#00529b" }, inherited: true });
  });

  it("what could not be read well, or is no picture or colour, is refused and changes nothing", async () => {
    const { ask } = await openPlace();
    const before = (await ask("GET /theme")).body;
    const refused: readonly (readonly [object, string])[] = [
      [{ colors: { text: "#888888" } }, "colors.text"],
      [{ colors: { background: "#1b1f28" } }, "colors.text"],
      [{ colors: { danger: "#ffdddd" } }, "colors.danger"],
      [{ colors: { primary: "red" } }, "colors.primary"],
      [{ colors: { primary: "#12345" } }, "colors.primary"],
      [{ logo: "https://example.com/logo.png" }, "logo"],
      [{ logo: "data:image/svg+xml;base64,PHN2Zz4=" }, "logo"],
      [{ favicon: `data:image/png;base64,${Buffer.from("GIF89a").toString("base64")}` }, "favicon"],
      [{ logo: png(65_537) }, "logo"],
    ];
    for (const [body, param] of refused)
      expect(errorOf(await ask("PUT /theme", { name: "Other", ...body })), param).toEqual([
        400,
        "invalid_request",
        param,
      ]);
    expect((await ask("GET /theme")).body).toEqual(before);
  });
});

it("contrast is symmetric, 1 with itself, 21 for black on white, and that of WCAG's own examples", () => {
  const color = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(color, color, (one, other) => {
      const [left, right] = [one, other] as unknown as [[number, number, number], [number, number, number]];
      expect(contrastOf(left, right)).toBe(contrastOf(right, left));
      expect(contrastOf(left, left)).toBe(1);
      expect(contrastOf(left, right)).toBeLessThanOrEqual(21);
      const written = `#${one.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
      expect(readColor(written)).toEqual(one);
    }),
  );
  expect(contrastOf([0, 0, 0], [255, 255, 255])).toBe(21);
  expect(contrastOf([0x76, 0x76, 0x76], [255, 255, 255])).toBeCloseTo(4.54, 2);
  expect(readColor("#Abc")).toEqual([0xaa, 0xbb, 0xcc]);
});
