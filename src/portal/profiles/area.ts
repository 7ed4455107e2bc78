import type { ProfileEntry } from "../../operations/portal/tenancy/profiles.ts";
import type { StoredProfile } from "../../operations/records/profiles.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { dashboardPaths } from "../dashboard-catalogue/catalogue.ts";
import { permissionCatalogue } from "../permissions.ts";
import type { AreaBackend } from "../regions.ts";
import { assignmentCalls } from "./assignments.ts";
import { profileChanges } from "./changes.ts";
import { grantOf, holdingOf } from "./effective.ts";
import { permissionsOf } from "./grants.ts";
import { findProfile, type KnownProfiles, knownProfiles } from "./known.ts";
import { showProfile, treeOf } from "./show.ts";

/** Profiles: named sets of permissions, dashboards, quotas or profiles, with inheritance (portal-resolved.md, section 6). */
export function profilesArea(deps: PortalDeps): AreaBackend<"profiles"> {
  return {
    ...assignmentCalls(),
    ...profileChanges(deps),
    async list({ profile_type }, call) {
      const { visible } = await knownProfiles(call);
      const asked = visible.filter(({ type }) => profile_type === undefined || type === profile_type);
      return asked.map(showProfile);
    },
    async tree(_input, call) {
      return treeOf((await knownProfiles(call)).visible);
    },
    async permissions({ name }, call) {
      const { known, profile } = await find(name, call);
      const content = new Set(permissionsOf(known.profilesById, profile.id));
      return entriesOf(profile, content, (permission) => permissions.get(permission));
    },
    async dashboards({ name }, call) {
      const { known, profile } = await find(name, call);
      const content = grantOf(known.profilesById, profile.id, { type: "dashboard", universe: dashboardPaths });
      return entriesOf(profile, content).map(({ name: path, enabled }) => ({ name: path, enabled }));
    },
    async profiles({ name }, call) {
      const { known, profile } = await find(name, call);
      if (profile.type !== "profile") return [];
      return entriesOf(profile, holdingOf(known.profilesById, profile.id), (id) => toEntry(known.profilesById.get(id)));
    },
  };
}

async function find(name: string, call: PortalCall): Promise<{ known: KnownProfiles; profile: StoredProfile }> {
  const known = await knownProfiles(call);
  return { known, profile: findProfile(known, name, call.caller.scope) };
}

/** The label of an entry. */
type EntryLabel = Pick<ProfileEntry, "description" | "group"> & { readonly name?: string | undefined };

const permissions = new Map<string, EntryLabel>(
  permissionCatalogue.map(({ name, summary, area }) => [name, { description: summary, group: area }]),
);

function toEntry(profile: StoredProfile | undefined): EntryLabel | undefined {
  if (!profile) return undefined;
  const { name, description, type } = profile;
  return { name, group: type, ...(description === undefined ? {} : { description }) };
}

/** Returns the effective entries, then those that the profile itself disables. */
function entriesOf(
  { entries }: StoredProfile,
  content: { keys(): Iterable<string>; has(name: string): boolean },
  describe: (name: string) => EntryLabel | undefined = () => undefined,
): ProfileEntry[] {
  const disabled = entries.filter(({ name, enabled }) => !enabled && !content.has(name));
  const show = (name: string, enabled: boolean): ProfileEntry => {
    const { name: shown = name, ...words } = describe(name) ?? { group: null };
    return { ...words, name: shown, enabled };
  };
  return [...[...content.keys()].map((name) => show(name, true)), ...disabled.map(({ name }) => show(name, false))];
}
