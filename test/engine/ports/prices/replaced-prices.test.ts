import { expect, it } from "vitest";
import { replaceablePrices } from "../../../../adapters/prices/catalogue/index.ts";
import type { Prices } from "../../../../src/engine/ports/prices.ts";
import { governed, pricesOf, vendor } from "../../support/money/world.ts";

const at = (dollars: number, version: string): Prices => ({
  ...pricesOf({ "a/m": { input_cost_per_token: dollars, output_cost_per_token: dollars } }),
  version,
});

it("a call under way is billed at the prices that it was reserved at, the next one at the new ones; old bills stay", async () => {
  const prices = replaceablePrices(at(1e-6, "one"));
  const slow = vendor();
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    const { chat } = slow;
    slow.chat = async (...call) => {
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      return chat?.(...call) as never;
    };
  });
  const { ask, engine } = await governed(slow, [{ dollars: 1, enforcement: "hard" }], { prices });
  const first = ask("a/m");
  await isAsked;
  prices.replace(at(5e-6, "two"));
  answer();
  await first;
  const second = ask("a/m");
  await new Promise((resolve) => setImmediate(resolve));
  answer();
  await second;
  const { entries } = await engine.usage.entries({ limit: 2 });
  const bills = entries.flatMap(({ attempts }) =>
    attempts.map(({ cost_nano, price_version }) => [price_version, cost_nano]),
  );
  expect(bills.sort()).toEqual([
    ["one", 20_000],
    ["two", 100_000],
  ]);
});
