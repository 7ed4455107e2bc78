import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { isGatewayError } from "../../../../../src/engine/errors.ts";
import type { Store } from "../../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../../src/index.ts";
import { createPortal } from "../../../../../src/portal/index.ts";
import { openRenewable } from "../../../../../src/server/store/prices/follow-prices.ts";
import { fakeClock } from "../../../../../src/testing/clock.ts";
import { noon } from "../../rig.ts";
import { callerAt, providerOf } from "./office.ts";

export const price = (input: number) => ({ input_cost_per_token: input, output_cost_per_token: 2e-6 });

/** A portal over a file of prices. */
export async function openPriced(store: Store, list: object) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-prices-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (content: object | string) =>
    writeFileSync(join(folder, "prices.json"), typeof content === "string" ? content : JSON.stringify(content));
  write(list);
  const clock = fakeClock({ startAt: noon });
  const settings = { prices: "prices.json", file: undefined, folder, like: {} };
  const { prices, source } = await openRenewable(settings, 30, clock.now);
  const engine = createEngine({ providers: [providerOf("one")], store, clock, prices });
  const portal = createPortal({ engine, store, clock, entropy: randomBytes, priceSource: source });
  return { engine, portal, store, clock, write, source, ai: portal.as(callerAt({})).ai };
}

export const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "ok",
    (thrown: unknown) => (isGatewayError(thrown) ? thrown.code : thrown),
  );
