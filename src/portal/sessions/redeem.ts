import { GatewayError } from "../../engine/errors.ts";
import type { RecordChange } from "../../engine/ports/records.ts";
import { retryOnConflict, versionConflict } from "../../engine/runtime/version-conflict.ts";
import type { PortalDeps } from "../area.ts";
import { permissionsOfGiver, permissionsOfUser } from "../identity/giver.ts";
import { dropLinks, hashLink } from "../passwords/links.ts";
import { checkPassword } from "../passwords/strength.ts";
import { openUnit } from "../run/unit-of-work.ts";
import { endSessions } from "../users/passwords.ts";

/** What the owner of a link sends. */
export interface Redemption {
  /** What stands behind `#password=` in the link. */
  readonly secret: string;
  readonly password: string;
}

/** The event of the audit log. */
export interface RedemptionEvent {
  readonly eventId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Sets the password of the user of a link, and ends the link and the user's sessions: all of it together, and once. Throws `not_found` for
 * a link that is unknown, used or past its end, whose user is disabled, or whose maker may no longer give what the user has, and
 * `invalid_request` for an unfit password, which leaves the link alone.
 */
export async function redeemLink(
  deps: Pick<PortalDeps, "records" | "permissionSources" | "passwords">,
  { secret, password }: Redemption,
  { eventId, now }: RedemptionEvent,
): Promise<void> {
  await retryOnConflict(async () => {
    const unit = openUnit(deps.records);
    const stored = await unit.records.findByHash("password_link", hashLink(secret));
    const link = stored?.record;
    const user = link && (await unit.records.get("user", link.user_id))?.record;
    if (!stored || !link || !user?.enabled || Date.parse(link.ends_at) <= now) throw unknownLink();
    const permissions = await permissionsOfUser(deps, user.id);
    const grantable = await permissionsOfGiver(deps, link.giver);
    if (![...permissions].every((name) => grantable.has(name))) throw unknownLink();
    checkPassword(password, user);
    await unit.records.remove("password_link", link.id, stored.version); // first: of two that redeem it at once, one finds it gone
    await deps.passwords.set(user, password, { records: unit.records, now });
    await dropLinks(unit.records, user.id);
    await endSessions(unit.records, user.id);
    const { id: user_id, username, reseller, client_id } = user;
    const entry: RecordChange = {
      kind: "audit",
      expected: 0,
      put: {
        ...{ id: `aud_${eventId}`, created_at: new Date(now).toISOString(), reseller, client_id, user_id },
        ...{ token_id: null, operation: "sessions.redeem", target: {}, target_id: user_id, region: "", outcome: "ok" },
        ...{ event_id: eventId, actor: { username, token_name: null } },
      },
    };
    const outcome = await deps.records.batch([...unit.writes.map(({ write }) => write), entry]);
    return outcome.kind === "refused" ? versionConflict : undefined;
  });
}

function unknownLink(): GatewayError {
  const message = "The link is unknown, was used already or has ended. Ask for a new one.";
  return new GatewayError("not_found", message, { param: "secret" });
}
