import { hash } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";
import type { Entropy } from "../../engine/ports/clock.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { StoredPasswordLink } from "../../operations/records/passwords.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalCall } from "../call/call.ts";
import { refuseEscalation } from "../identity/escalation.ts";
import { type GrantDeps, giverOf, permissionsOfUser } from "../identity/giver.ts";
import { add, readAll } from "../tenancy/record-access.ts";

const hour = 3_600_000;

/** Returns the hash by which a link is stored and found. */
export function hashLink(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** What links are made with. */
interface LinkDeps extends GrantDeps {
  readonly entropy: Entropy;
  newId(prefix: string): string;
}

/** A link that is wanted. */
interface WantedLink {
  readonly user: StoredUser;
  readonly kind: StoredPasswordLink["kind"];
  /** Hours for which it is good. */
  readonly hours: number;
}

/**
 * Makes a link by which a user sets its password once; the user's earlier ones are dead. Whoever has it can do all that the user can: a
 * caller with fewer permissions cannot make it. The secret stands behind `#`, which browsers do not send.
 */
export async function makeLink(deps: LinkDeps, { user, kind, hours }: WantedLink, call: PortalCall) {
  if (!user.enabled) throw new GatewayError("conflict", `The user \`${user.username}\` is disabled: enable it first.`);
  refuseEscalation(await permissionsOfUser(deps, user.id), call.caller.permissions, "the caller");
  await dropLinks(call.records, user.id);
  const secret = Buffer.from(deps.entropy(32)).toString("base64url");
  const { id: user_id, reseller, client_id } = user;
  const ends_at = new Date(call.now + hours * hour).toISOString();
  await add(call.records, "password_link", {
    ...{ id: deps.newId("lnk"), created_at: new Date(call.now).toISOString(), reseller, client_id, user_id },
    ...{ kind, hash: hashLink(secret), ends_at, giver: await giverOf(deps, call.caller) },
  });
  return { secret, link: `console/#password=${secret}`, ends_at };
}

/** Removes the links of a user. */
export async function dropLinks(records: Records, user_id: string): Promise<void> {
  for (const { id } of await readAll(records, "password_link", { user_id })) await records.remove("password_link", id);
}
