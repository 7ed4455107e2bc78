import { GatewayError } from "../../engine/errors.ts";
import type { PortalCall } from "../call/call.ts";
import { hashUsername } from "../identity/user-scope.ts";
import { notFound } from "../tenancy/record-access.ts";
import { contains } from "../tenancy/tenant-scope.ts";

/** The holder of a profile as the input of an assignment names it. */
export interface ProfileHolderInput {
  /** The id or the name of a user; or `provider`, `reseller` or `client`, or the name of that reseller or client, for all its users. */
  readonly entity: string;
  /** Empty above the client's level. */
  readonly client_id: string;
  /** Empty at the provider's level. */
  readonly reseller_name: string;
}

/** A level of the tree of tenants, or a user at it. */
export interface ProfileLevel {
  readonly reseller: string | null;
  readonly client_id: string | null;
  readonly user_id: string | null;
}

/** Returns the holder. Throws `not_found` outside the caller's scope, `invalid_request` where entity and level do not match. */
export async function findHolder(named: ProfileHolderInput, call: PortalCall): Promise<ProfileLevel> {
  const level = levelOf(named, "reseller_name");
  const holder = isLevel(named) ? level : await findUser(named, level, call);
  if (!contains(call.caller.scope, holder)) throw notFound("tenant", named.client_id || named.reseller_name);
  return holder;
}

/** Returns the level of a reseller's and a client's name; empty names mean the levels above. Throws `invalid_request`. */
export function levelOf(
  { reseller_name, client_id }: { reseller_name?: string | undefined; client_id?: string | undefined },
  param: string,
): ProfileLevel {
  if (client_id && !reseller_name) throw misfit(param, "is required with `client_id`");
  return { reseller: reseller_name || null, client_id: client_id || null, user_id: null };
}

const depths: Readonly<Record<string, number>> = { provider: 0, reseller: 1, client: 2 };

/** True when the input names a whole level. */
function isLevel({ entity, client_id, reseller_name }: ProfileHolderInput): boolean {
  const depth = client_id !== "" ? 2 : reseller_name !== "" ? 1 : 0;
  const expected = Object.hasOwn(depths, entity) ? depths[entity] : undefined;
  if (expected === undefined) return depth > 0 && entity === (client_id || reseller_name);
  if (expected === depth) return true;
  throw misfit(
    "entity",
    `\`${entity}\` does not match \`reseller_name\` and \`client_id\`: leave the levels below it empty`,
  );
}

async function findUser(
  { entity }: ProfileHolderInput,
  level: ProfileLevel,
  { records }: PortalCall,
): Promise<ProfileLevel> {
  const found = (await records.get("user", entity)) ?? (await records.findByHash("user", hashUsername(entity)));
  if (!found) throw notFound("user", entity);
  const { id, reseller, client_id } = found.record;
  if (reseller === level.reseller && client_id === level.client_id) return { ...level, user_id: id };
  throw misfit("entity", `the user \`${entity}\` belongs to another reseller or client`);
}

function misfit(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
