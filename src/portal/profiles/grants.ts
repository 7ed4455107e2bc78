import { allPermissions } from "../../operations/permissions.ts";
import type { Grantor } from "../grants.ts";
import { profilesOf } from "./assigned.ts";
import { giftOf, type ProfileBook } from "./effective.ts";

/** What a user's profiles grant. */
export const profileGrants: Grantor = async (user, records) => {
  const { book, profiles } = await profilesOf(user, records);
  return profiles.flatMap(({ id }) => permissionsOf(book, id));
};

/** The permissions that a profile gives. */
export function permissionsOf(book: ProfileBook, id: string): string[] {
  return [...giftOf(book, id, { type: "permission", universe: allPermissions }).keys()];
}
