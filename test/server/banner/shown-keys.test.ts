import { expect, it } from "vitest";
import { writeBanner } from "../../../src/server/banner.ts";
import type { Gathered } from "../../../src/server/gather.ts";
import { readText } from "../../cli/support/config-folder.ts";

/** The table of providers as `serve` prints it, and what follows. */
function bannerOf(gathered: Gathered): string {
  const kept = {
    storeName: undefined,
    requireKey: false,
    isGuarded: false,
    firstKey: undefined,
    firstToken: undefined,
  };
  return writeBanner({ host: "::1", port: 1, gathered, ...kept });
}

/** What stands under KEY in the table of providers. */
async function shownOf(settings: string): Promise<string | undefined> {
  const text = `discover: false\nproviders: { lab: { baseUrl: "http://lab/v1", ${settings} } }`;
  const banner = bannerOf(await readText(text));
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

it.each([
  ["credentials: [{ id: 'default' }]", "is set"],
  ["credentials: [{ id: 'a' }, { id: 'b' }]", "2 keys"],
  ["credentials: undefined", "set in code"],
  ["credentials: 'some'", "set in code"],
])("of a provider object with %s the table of providers shows %s", async (terms, shown) => {
  const text = `export default { discover: false, providers: [{ name: 'lab', chat: async () => ({}), ${terms} }] };`;
  expect(/^ {2}lab +\S+ +- +(.+?) {2,}chat$/m.exec(bannerOf(await readText(text, "a.mjs")))?.[1]).toBe(shown);
});
