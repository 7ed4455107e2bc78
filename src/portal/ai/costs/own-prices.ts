import { GatewayError } from "../../../engine/errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiOwnPrice } from "../../../operations/portal/tenancy/ai/prices.ts";
import type { OwnPriceEntry, StoredOwnPrice } from "../../../operations/records/settings.ts";
import type { PortalDeps } from "../../area.ts";
import { type PortalCall, scopeAt } from "../../call/call.ts";
import { readListed } from "../../call/listed.ts";
import type { AreaBackend } from "../../regions.ts";
import { remove, write } from "../../tenancy/record-access.ts";
import { priceReason, refuseTenants } from "./provider-only.ts";

type PriceInput = InputOf<Areas["ai"]["setOwnPrice"]>;

/** Days of one model. Each is an entry that every look-up of the model passes. */
const mostEntries = 100;

/** The prices that the provider sets in the portal. They hold in this process once the change is stored, and in others within seconds. */
export function ownPricesOf(deps: PortalDeps) {
  return {
    async ownPrices(_input, call) {
      refuseTenants(call, priceReason);
      const stored = await readListed(call, "own_price");
      return stored.flatMap(showPrices);
    },
    setOwnPrice: (input, call) => setPrice(deps, input, call),
  } satisfies AreaBackend<"ai">;
}

async function setPrice({ ownPrices, engine }: PortalDeps, input: PriceInput, call: PortalCall): Promise<AiOwnPrice[]> {
  refuseTenants(call, priceReason);
  const id = input.model.toLowerCase();
  const present = (await call.records.get("own_price", id))?.record;
  const entries = changeEntries(present?.entries ?? [], input, call);
  const apply = await ownPrices.prepare(id, entries);
  if (entries.length === 0) await remove(call.records, "own_price", id);
  else {
    const by = (stored: StoredOwnPrice | undefined): StoredOwnPrice => ({
      ...(stored ?? draftOf(id, call)),
      entries: changeEntries(stored?.entries ?? [], input, call),
    });
    await write(call.records, "own_price", { id, by });
  }
  call.afterCommit(apply);
  warnOfUnknown({ engine }, input, call);
  return showPrices({ id, entries });
}

function draftOf(id: string, { caller, now }: PortalCall): Omit<StoredOwnPrice, "entries"> {
  return { id, created_at: new Date(now).toISOString(), ...scopeAt(caller.scope) };
}

/** Returns the entries of a model with one set or removed, in the order of their days. Throws `not_found` for one to remove that is not there. */
function changeEntries(
  entries: readonly OwnPriceEntry[],
  { effective_from, rates }: PriceInput,
  { caller, now }: PortalCall,
): readonly OwnPriceEntry[] {
  const others = entries.filter((entry) => entry.effective_from !== effective_from);
  if (rates === null) {
    if (others.length < entries.length) return others;
    const when = effective_from === undefined ? "without a day" : `from ${effective_from} on`;
    throw new GatewayError("not_found", `\`model\`: no price was set for it ${when}.`, { param: "model" });
  }
  if (others.length >= mostEntries)
    throw new GatewayError("invalid_request", `\`model\`: has ${mostEntries} prices already; remove some.`, {
      param: "model",
    });
  const dated = effective_from === undefined ? {} : { effective_from };
  const set = { ...dated, rates, set_at: new Date(now).toISOString(), set_by: caller.user.id };
  const dayOf = (entry: OwnPriceEntry) => entry.effective_from ?? "";
  return [...others, set].sort((one, other) => (dayOf(one) < dayOf(other) ? -1 : 1));
}

/** A price of an unknown model is probably a mistake in its name. */
function warnOfUnknown({ engine }: Pick<PortalDeps, "engine">, { model, rates }: PriceInput, call: PortalCall): void {
  const slash = model.indexOf("/");
  const [provider, name] = [model.slice(0, slash).toLowerCase(), model.slice(slash + 1)];
  if (rates === null || name.endsWith("*") || engine.offers.prices.find(provider, name, call.now)) return;
  call.warn?.([`\`model\`: no list has \`${model}\`. The price holds for calls that name exactly this model.`]);
}

function showPrices({ id, entries }: Pick<StoredOwnPrice, "id" | "entries">): AiOwnPrice[] {
  return entries.map(({ effective_from, rates, set_at, set_by }) => ({
    model: id,
    ...(effective_from === undefined ? {} : { effective_from }),
    ...{ rates: { ...rates } as AiOwnPrice["rates"], set_at, set_by }, // seam: it was checked when it was set
  }));
}
