import type { StoredProfile } from "../../api/portal/profiles.ts";
import { permissionCatalogue } from "../../operations/permissions.ts";
import type { ProfileEntry } from "../../operations/portal/profiles.ts";
import type { AreaTools } from "../area.ts";
import type { PortalCall } from "../call.ts";
import { dashboardPaths } from "../dashboards/catalogue.ts";
import { giftOf, holdingOf } from "../profiles/effective.ts";
import { permissionsOf } from "../profiles/grants.ts";
import { findProfile, type KnownProfiles, knownProfiles, readType } from "../profiles/known.ts";
import { showProfile, treeOf } from "../profiles/show.ts";
import type { AreaBackend } from "../regions.ts";
import { assignmentCalls } from "./profile-assignments.ts";
import { profileChanges } from "./profile-changes.ts";

/** Profiles: named sets that users have, with what they inherit (portal-resolved.md, section 6). */
export function profilesArea(tools: AreaTools): AreaBackend<"profiles"> {
  return {
    ...assignmentCalls(),
    ...profileChanges(tools),
    async list({ profile_type }, call) {
      const type = profile_type === undefined ? undefined : readType(profile_type);
      const { visible } = await knownProfiles(call);
      return visible.filter((profile) => type === undefined || profile.type === type).map(showProfile);
    },
    async tree(_input, call) {
      return treeOf((await knownProfiles(call)).visible);
    },
    async permissions({ name }, call) {
      const { known, profile } = await find(name, call);
      const held = new Set(permissionsOf(known.book, profile.id));
      return entriesOf(profile, held, (permission) => permissions.get(permission));
    },
    async dashboards({ name }, call) {
      const { known, profile } = await find(name, call);
      const held = giftOf(known.book, profile.id, { type: "dashboard", universe: dashboardPaths });
      return entriesOf(profile, held).map(({ name: path, enabled }) => ({ name: path, enabled }));
    },
    async profiles({ name }, call) {
      const { known, profile } = await find(name, call);
      if (profile.type !== "profile") return [];
      return entriesOf(profile, holdingOf(known.book, profile.id), (id) => toEntry(known.book.get(id)));
    },
  };
}

async function find(name: string, call: PortalCall): Promise<{ known: KnownProfiles; profile: StoredProfile }> {
  const known = await knownProfiles(call);
  return { known, profile: findProfile(known, name, call.caller.place) };
}

/** What is said of a thing beside its name. */
type Words = Pick<ProfileEntry, "description" | "group"> & { readonly name?: string | undefined };

const permissions = new Map<string, Words>(
  permissionCatalogue.map(({ name, summary, area }) => [name, { description: summary, group: area }]),
);

function toEntry(profile: StoredProfile | undefined): Words | undefined {
  if (!profile) return undefined;
  const { name, description, type } = profile;
  return { name, group: type, ...(description === undefined ? {} : { description }) };
}

/** What is in force, then what the profile itself takes away. */
function entriesOf(
  { entries }: StoredProfile,
  held: { keys(): Iterable<string>; has(name: string): boolean },
  describe: (name: string) => Words | undefined = () => undefined,
): ProfileEntry[] {
  const disabled = entries.filter(({ name, enabled }) => !enabled && !held.has(name));
  const show = (name: string, enabled: boolean): ProfileEntry => {
    const { name: shown = name, ...words } = describe(name) ?? { group: null };
    return { ...words, name: shown, enabled };
  };
  return [...[...held.keys()].map((name) => show(name, true)), ...disabled.map(({ name }) => show(name, false))];
}
