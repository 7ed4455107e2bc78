import { describe, expect, it } from "vitest";
import type { HttpRequest } from "../../../src/http/message.ts";
import { allowOrigin, readOrigins } from "../../../src/http/response/cors.ts";
import { createEngine, createListener } from "../../../src/index.ts";

describe("origins that may call", () => {
  it.each([
    "https://app.example",
    "http://localhost:3000",
    "http://127.0.0.1:8080",
    "http://[::1]:8080",
    "chrome-extension://abcdefghijklmnop",
    "capacitor://localhost",
  ])("%s is one", (origin) => {
    const allowed = readOrigins([origin]);
    const request = { headers: { origin } } as unknown as HttpRequest;
    expect(allowOrigin(allowed ?? [], request)).toMatchObject({ "access-control-allow-origin": origin });
  });

  it.each([
    "nonsense",
    "",
    "app.example",
    "https://",
    "https://app.example/",
    "https://app.example/path",
    "https://app.example:443",
    "https://App.example",
    "https://*.example",
    "https://user:word@app.example",
    "https://a.example, https://b.example",
    "null",
    5,
  ])("%j is none, and no browser would be let in by it", (origin) => {
    const read = () => readOrigins(["https://app.example", origin as string]);
    expect(read).toThrow(
      expect.objectContaining({
        code: "invalid_configuration",
        param: "cors.1",
        message: expect.stringMatching(/^`cors\.1` must be an origin as browsers send it, `https:/),
      }),
    );
  });

  it("are any with `*`, and none unless given", () => {
    expect([readOrigins(["https://app.example", "*"]), readOrigins(true)]).toEqual([true, true]);
    expect([readOrigins(undefined), readOrigins([])]).toEqual([undefined, []]);
  });

  it("are looked at when a listener is made: a text is no list", () => {
    const engine = createEngine({ providers: [{ name: "nobody" }] });
    const cors = "https://app.example" as unknown as string[];
    expect(() => createListener({ engine, cors })).toThrow("`cors` must be `true` or a list of origins.");
  });
});
