import type { StoredProfile, StoredProfileAssignment } from "../../api/portal/profiles.ts";
import type { StoredUser } from "../../api/portal/users.ts";
import type { Records } from "../../ports/records.ts";
import type { Placed } from "../scope.ts";
import { readAll } from "../shelf.ts";
import type { ProfileBook } from "./effective.ts";
import { loadBook } from "./known.ts";

/** Who has a profile, as the one text by which assignments are found: a user, or the level that a place names. */
export function holderOf({ reseller, client_id, user_id }: Placed): string {
  return JSON.stringify([reseller ?? null, client_id ?? null, user_id ?? null]);
}

/** The profiles of a user, with all that they lead to. */
export interface UserProfiles {
  readonly book: ProfileBook;
  readonly profiles: readonly StoredProfile[];
}

/** Who a user is, as far as profiles go. */
export type Holder = Pick<StoredUser, "id" | "reseller" | "client_id">;

/** The profiles of a user: its own, those of the level it stands at, and of the levels above those that are inheritable. Wants all records. */
export async function profilesOf(user: Holder, records: Records): Promise<UserProfiles> {
  const { id, reseller, client_id } = user;
  const holders = new Set([
    holderOf({}),
    holderOf({ reseller }),
    holderOf({ reseller, client_id }),
    holderOf({ reseller, client_id, user_id: id }),
  ]);
  const found = await Promise.all([...holders].map((holder) => readAll(records, "profile_assignment", { holder })));
  const assignments = found.flat();
  const book = await loadBook(
    records,
    assignments.map(({ profile_id }) => profile_id),
  );
  const held = assignments.flatMap((assignment) => {
    const profile = book.get(assignment.profile_id);
    return profile && isHeld(assignment, profile, user) ? [profile] : [];
  });
  return { book, profiles: [...new Set(held)] };
}

/** What is given to a level holds for those who stand at it; those below inherit what is inheritable. */
function isHeld(assignment: StoredProfileAssignment, { inheritable }: StoredProfile, user: Holder): boolean {
  const isOwn = assignment.reseller === user.reseller && assignment.client_id === user.client_id;
  return isOwn || inheritable;
}
