import { describe, expect, it } from "vitest";
import { open, right, service } from "../../support/managed.ts";

/** Paths of every family, good and not. */
const paths = [
  "/v1/models",
  "/v1/nope",
  "/health",
  "/openapi.json",
  "/anthropic/v1/models",
  "/api/users",
  "/users",
  "/mcp",
];

describe("every answer", () => {
  it.each(paths)("of %s says that its type is not to be guessed, and that it depends on who asks", async (path) => {
    const { ask, signed } = await open();
    for (const headers of [{}, signed(right)]) {
      for (const method of ["GET", "OPTIONS", "DELETE"]) {
        const { headers: answered } = await ask(path, headers, method);
        expect(answered.get("x-content-type-options")).toBe("nosniff");
        for (const name of ["authorization", "x-tg-key", "auth-token", "region"])
          expect(answered.get("vary")?.split(", ")).toContain(name);
      }
    }
  });

  it("that is for everybody depends on nobody", async () => {
    const { ask } = await open({ service });
    const page = await ask("/docs/swagger-ui.css");
    expect(page.headers.get("cache-control")).toContain("public");
    expect(page.headers.get("vary")).toBeNull();
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("names the origin, too, where pages of some may read it", async () => {
    const { ask } = await open({ cors: ["https://app.example"] });
    const { headers } = await ask("/v1/models", { origin: "https://app.example" });
    expect(headers.get("vary")).toMatch(/authorization.*, origin$/);
  });
});

it("no answer of the portal is stored on the way, with a secret or without", async () => {
  const { ask, signed } = await open();
  for (const path of ["/api/users", "/users", "/api/ai/keys"])
    expect((await ask(path, signed(right))).headers.get("cache-control")).toBe("no-store");
});
