import type { Records } from "../../engine/ports/records.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import { dropLinks } from "../passwords/links.ts";
import { holderOf } from "../profiles/assigned.ts";
import { readAll, remove } from "../tenancy/record-access.ts";
import { endSessions } from "./passwords.ts";

/** Removes a user with its sessions, password, tokens and profiles. */
export async function removeUser(records: Records, user: StoredUser): Promise<void> {
  const { id: user_id } = user;
  await endSessions(records, user_id);
  await records.remove("password", user_id);
  await records.remove("totp", user_id);
  await dropLinks(records, user_id);
  await records.remove("user_settings", user_id);
  for (const { id } of await readAll(records, "token", { user_id })) await records.remove("token", id);
  for (const { id } of await readAll(records, "profile_assignment", { holder: holderOf(user) }))
    await records.remove("profile_assignment", id);
  await remove(records, "user", user_id);
}
