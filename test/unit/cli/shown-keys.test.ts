import { expect, it } from "vitest";
import { writeBanner } from "../../../src/cli/serve/banner.ts";
import { readText } from "./config-folder.ts";

/** What stands under KEY in the table of providers. */
async function shownOf(settings: string): Promise<string | undefined> {
  const gathered = await readText(`discover: false\nproviders: { lab: { baseUrl: "http://lab/v1", ${settings} } }`);
  const kept = {
    storeFile: undefined,
    requireKey: false,
    isGuarded: false,
    firstKey: undefined,
    firstToken: undefined,
  };
  const banner = writeBanner({ host: "::1", port: 1, gathered, ...kept });
  return /^ {2}lab +\S+ +http:\/\/lab\/v1 +(.+?) {2,}chat /m.exec(banner)?.[1];
}

it.each([
  ["apiKey: sk-0123456789-wxyz", "…wxyz"],
  ["apiKey: hush", "is set"],
  ["credentials: [{ id: a, apiKey: hush-hush-hush-hush }, { id: b, apiKey: hush }]", "2 keys"],
  ["credentials: [{ id: a, apiKey: hush }]", "is set"],
  ["headers: {}", "-"],
])("of %s the table of providers shows %s", async (settings, shown) => {
  expect(await shownOf(settings)).toBe(shown);
});
