import { isDeepStrictEqual } from "node:util";
import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { OwnPriceEntry, StoredOwnPrice } from "../../operations/records/settings.ts";
import { readAll } from "../tenancy/record-access.ts";
import type { OwnPrices, PriceSource } from "./price-source.ts";

/** The prices that are set in the portal, as the engine of this process bills with them. */
export interface OwnPriceList {
  /** Has the engine bill with what the store holds now, whichever process wrote it. */
  follow(): Promise<void>;
  /**
   * Checks the list with other entries of one model. The returned function has the engine bill with it. Throws `invalid_request` naming
   * the field for entries that cannot be used, and `not_implemented` where the portal can set no prices.
   */
  prepare(model: string, entries: readonly OwnPriceEntry[]): Promise<() => void>;
}

/** Opens the list over the store; nothing is read until the first {@link OwnPriceList.follow}. */
export function createOwnPrices(records: Records, priceSource: PriceSource | undefined): OwnPriceList {
  let applied: OwnPrices = {};
  const prepare = async (own: OwnPrices, prepareOwn: NonNullable<PriceSource["prepareOwn"]>) => {
    const apply = await prepareOwn(own);
    return () => {
      apply();
      applied = own;
    };
  };
  const read = async () => toOwnPrices(await readAll(records, "own_price"));
  return {
    async follow() {
      const { prepareOwn } = priceSource ?? {};
      if (!prepareOwn) return;
      const own = await read();
      if (!isDeepStrictEqual(own, applied)) (await prepare(own, prepareOwn))();
    },
    async prepare(model, entries) {
      const { prepareOwn } = priceSource ?? {};
      if (!prepareOwn) throw fixedPrices();
      const { [model]: _former, ...others } = await read();
      const own = entries.length === 0 ? others : { ...others, [model]: toModelPrices(entries) };
      return prepare(own, prepareOwn).catch((thrown) => {
        throw asInvalidRequest(thrown, model);
      });
    },
  };
}

function toOwnPrices(stored: readonly StoredOwnPrice[]): OwnPrices {
  return Object.fromEntries(stored.map(({ id, entries }) => [id, toModelPrices(entries)]));
}

function toModelPrices(entries: readonly OwnPriceEntry[]) {
  return entries.map(({ rates, effective_from }) => (effective_from ? { ...rates, effective_from } : { ...rates }));
}

function fixedPrices(): GatewayError {
  const message =
    "The prices of this gateway cannot be set here: its portal was opened without a price list that takes prices. `tollgate serve` opens it with one.";
  return new GatewayError("not_implemented", message);
}

/** A price that cannot be used is a fault of the request. */
function asInvalidRequest(thrown: unknown, model: string): unknown {
  if (!isGatewayError(thrown) || thrown.code !== "invalid_configuration") return thrown;
  const field = thrown.param?.startsWith(`prices.${model}.`) ? thrown.param.slice(`prices.${model}.`.length) : "";
  const param = field === "" ? "model" : `rates.${field}`;
  return new GatewayError("invalid_request", `\`${param}\`: ${thrown.message}`, { param, cause: thrown });
}
