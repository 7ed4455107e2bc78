import type { ProfileType, StoredProfile } from "../../api/portal/profiles.ts";
import { GatewayError } from "../../errors.ts";
import type { Records } from "../../ports/records.ts";
import type { PortalCall } from "../call.ts";
import { covers, depthOf, type Place, type Placed } from "../scope.ts";
import { notFound, readAll } from "../shelf.ts";
import { toPlace } from "../user.ts";
import { namedBy, type ProfileBook } from "./effective.ts";

/** The profiles of some ids with all that they lead to. */
export async function loadBook(records: Records, ids: Iterable<string>): Promise<ProfileBook> {
  const book = new Map<string, StoredProfile>();
  let wanted = new Set(ids);
  while (wanted.size > 0) {
    const found = await Promise.all([...wanted].map(async (id) => await records.get("profile", id)));
    const fresh = found.flatMap((stored) => (stored ? [stored.record] : []));
    for (const profile of fresh) book.set(profile.id, profile);
    wanted = new Set(fresh.flatMap(namedBy).filter((id) => !book.has(id)));
  }
  return book;
}

/** The profiles that a caller knows of. */
export interface KnownProfiles {
  /** All that lie at its place, below it or above it: for working out what a profile holds. */
  readonly book: ProfileBook;
  /** Those that it sees, nearest first for a name: its own place, above it, below it; of those above it only what is inheritable. */
  readonly visible: readonly StoredProfile[];
}

/** Reads the profiles that a caller knows of. */
export async function knownProfiles(call: PortalCall): Promise<KnownProfiles> {
  const above = await call.listAbove("profile");
  const own = await readAll(call.records, "profile");
  const visible = [...above.filter(({ inheritable }) => inheritable), ...own];
  return { book: new Map([...above, ...own].map((profile) => [profile.id, profile])), visible };
}

/** True where a profile may be used: at its own place and below. */
export function isUsableAt(profile: StoredProfile, placed: Placed): boolean {
  return covers(toPlace(profile), placed);
}

const types: readonly ProfileType[] = ["permission", "dashboard", "quota", "profile"];

/** The type of profiles that a word stands for. Throws `invalid_request` listing them. */
export function readType(word: string): ProfileType {
  const type = types.find((one) => one === word);
  if (type) return type;
  const message = `\`profile_type\`: there is no type \`${word.slice(0, 100)}\`; there are ${types.join(", ")}.`;
  throw new GatewayError("invalid_request", message, { param: "profile_type" });
}

/**
 * The profile of an id or a name. Of those of one name the nearest is meant: at the caller's place, then above it, then below. Throws
 * `not_found`, and `conflict` when two are equally near.
 */
export function findProfile({ visible }: KnownProfiles, name: string, caller: Place): StoredProfile {
  const byId = visible.find(({ id }) => id === name);
  if (byId) return byId;
  const named = visible.filter((profile) => profile.name.toLowerCase() === name.toLowerCase());
  const [first, second] = named.sort((one, other) => distance(one, caller) - distance(other, caller));
  if (!first) throw notFound("profile", name);
  if (!second || distance(first, caller) !== distance(second, caller)) return first;
  throw new GatewayError("conflict", `There are several profiles \`${name}\`: ask for one by its id.`);
}

function distance(profile: StoredProfile, caller: Place): number {
  const steps = depthOf(profile) - depthOf(caller);
  return covers(caller, profile) && steps > 0 ? 10 + steps : -steps;
}
