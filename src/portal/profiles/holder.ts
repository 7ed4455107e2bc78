import { GatewayError } from "../../errors.ts";
import type { PortalCall } from "../call.ts";
import { covers } from "../scope.ts";
import { notFound } from "../shelf.ts";
import { hashUsername } from "../user.ts";

/** Who is to have a profile, as an assignment says it. */
export interface Named {
  /** The id or the name of a user; or `provider`, `reseller` or `client`, or the name of the given reseller or client: everybody there. */
  readonly entity: string;
  /** Empty above the client's level. */
  readonly client_id: string;
  /** Empty at the provider's level. */
  readonly reseller_name: string;
}

/** A level of the tree of tenants, or a user at it. */
export interface Level {
  readonly reseller: string | null;
  readonly client_id: string | null;
  readonly user_id: string | null;
}

/** Finds out who is meant. Throws `not_found` outside the caller's scope, `invalid_request` where entity and place do not fit. */
export async function findHolder(named: Named, call: PortalCall): Promise<Level> {
  const level = levelOf(named, "reseller_name");
  const holder = isLevel(named) ? level : await findUser(named, level, call);
  if (!covers(call.caller.place, holder)) throw notFound("tenant", named.client_id || named.reseller_name);
  return holder;
}

/** The level that a reseller's and a client's name stand for; empty names are the levels above. Throws `invalid_request`. */
export function levelOf(
  { reseller_name, client_id }: { reseller_name?: string | undefined; client_id?: string | undefined },
  param: string,
): Level {
  if (client_id && !reseller_name) throw misfit(param, "is needed with `client_id`");
  return { reseller: reseller_name || null, client_id: client_id || null, user_id: null };
}

const depths: Readonly<Record<string, number>> = { provider: 0, reseller: 1, client: 2 };

/** True when a whole level is meant. */
function isLevel({ entity, client_id, reseller_name }: Named): boolean {
  const depth = client_id !== "" ? 2 : reseller_name !== "" ? 1 : 0;
  const asked = Object.hasOwn(depths, entity) ? depths[entity] : undefined;
  if (asked === undefined) return depth > 0 && entity === (client_id || reseller_name);
  if (asked === depth) return true;
  throw misfit(
    "entity",
    `\`${entity}\` does not fit \`reseller_name\` and \`client_id\`: leave empty what lies below it`,
  );
}

async function findUser({ entity }: Named, level: Level, { records }: PortalCall): Promise<Level> {
  const found = (await records.get("user", entity)) ?? (await records.findByHash("user", hashUsername(entity)));
  if (!found) throw notFound("user", entity);
  const { id, reseller, client_id } = found.record;
  if (reseller === level.reseller && client_id === level.client_id) return { ...level, user_id: id };
  throw misfit("entity", `the user \`${entity}\` belongs to another reseller or client`);
}

function misfit(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
