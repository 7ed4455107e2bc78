import { isGatewayError } from "../../engine/errors.ts";
import type { StoredLeftover } from "../../operations/records/cloud.ts";
import type { PortalCall } from "../call/call.ts";
import { keyPairPlace } from "../call/sealed-places.ts";
import { allPermissions } from "../permissions.ts";
import type { LookedProject, ProjectContents } from "../project-contents.ts";
import { type Region, type Regions, sharingRegions } from "../regions.ts";
import { backupContents } from "./backup-contents.ts";
import { clusterContents } from "./cluster-contents.ts";

/** A project, and the regions that are looked at. */
export interface ProjectLook {
  readonly regions: Regions;
  readonly project_id: string;
  readonly call: PortalCall;
}

/**
 * Everything that is in a project, over all areas of all regions that share its Keystone. Throws `not_found` for a project that the caller
 * does not see, and whatever keeps a part from being seen.
 */
export async function readContents(look: ProjectLook): Promise<StoredLeftover[]> {
  const found: StoredLeftover[] = [];
  for (const { code, region, call } of placesOf(look)) {
    const { clusters, others, iaas } = holdersOf(region);
    const own = (await iaas?.listContents(keyless(look), call)) ?? []; // knows whether the caller sees the project
    const project = await withKeys(look, region, call);
    for (const holder of [clusters, ...others])
      found.push(...((await holder?.listContents(project, call)) ?? []).map((one) => leftover(code, one)));
    found.push(...own.map((one) => leftover(code, one)));
  }
  return found;
}

/**
 * Begins the deletion of everything that is in a project, and returns what was refused. Machines are left alone while there are clusters:
 * their deletion needs them, and would make them anew.
 */
export async function removeContents(look: ProjectLook): Promise<StoredLeftover[]> {
  const refused: StoredLeftover[] = [];
  for (const { code, region, call } of placesOf(look)) {
    const { clusters, others, iaas } = holdersOf(region);
    const project = await withKeys(look, region, call);
    const hasClusters = ((await clusters?.listContents(project, call)) ?? []).length > 0;
    for (const holder of hasClusters ? [clusters, ...others] : [...others, iaas])
      refused.push(...((await holder?.removeContents(project, call)) ?? []).map((one) => leftover(code, one)));
  }
  return refused;
}

function placesOf({ regions, call }: ProjectLook) {
  return sharingRegions(regions, call.region).map((code) => {
    return { code, region: regions[code] ?? {}, call: { ...call, region: code } };
  });
}

const keyless = ({ project_id }: ProjectLook): LookedProject => ({ project_id, keys: [] });

function holdersOf({ clusters, objectstore, backups, iaas }: Region) {
  return {
    clusters: clusters && clusterContents(clusters),
    others: [withContents(objectstore), backups && backupContents(backups)],
    iaas: withContents(iaas),
  };
}

/** The back end where it can list and delete what it holds. */
export function withContents(backend: Partial<ProjectContents> | undefined): ProjectContents | undefined {
  const { listContents, removeContents: remove } = backend ?? {};
  return listContents && remove && { listContents, removeContents: remove };
}

/** With Keystone's key pairs of a project, which are surely its own, and the one that the portal stores. */
async function withKeys(look: ProjectLook, { objectstore, iaas }: Region, call: PortalCall): Promise<LookedProject> {
  const { project_id } = look;
  if (!withContents(objectstore)) return keyless(look);
  const caller = { ...call.caller, permissions: allPermissions };
  const credentials = (await ifThere(iaas?.credentials?.({ project_id }, { ...call, caller }))) ?? [];
  const keys = credentials.flatMap(({ type, blob = "{}" }) => {
    const { access, secret } = JSON.parse(blob) as Readonly<Record<string, unknown>>; // seam: JSON of the back end
    return type === "ec2" && typeof access === "string" && typeof secret === "string"
      ? [{ access, secret, isProven: true }]
      : [];
  });
  const stored = (await call.records.get("keypair", project_id))?.record;
  const secret = stored && call.secrets.tryOpen(stored.sealed_secret_key, keyPairPlace(stored.id));
  if (!stored || secret === undefined) return { project_id, keys };
  return { project_id, keys: [...keys, { access: stored.access_key, secret, isProven: false }] };
}

/** What a project has that is gone at its cloud is nothing. */
async function ifThere<Value>(asked: Value | Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "not_found") return undefined;
    throw thrown;
  }
}

function leftover(
  region: string,
  { kind, id, name, reason }: { kind: string; id: string; name?: string | undefined; reason?: string | undefined },
): StoredLeftover {
  return { region, kind, id, name: name ?? null, reason: reason ?? null };
}

/** The most things that a message names. */
const mostNamed = 5;

/** `3 servers (web, db, cache), 1 buckets (logs)`, by kind, with the regions unless everything is in the one that was asked. */
export function countByKind(left: readonly StoredLeftover[], asked: string): string {
  const isOneRegion = left.every(({ region }) => region === asked);
  const groups = new Map<string, StoredLeftover[]>();
  for (const one of left) {
    const group = isOneRegion ? one.kind : `${one.kind} in ${one.region}`;
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return [...groups]
    .map(([kind, all]) => {
      const names = all
        .slice(0, mostNamed)
        .map(({ name, id, reason }) => `${name || id}${reason ? `: ${reason}` : ""}`);
      return `${all.length} ${kind} (${names.join(", ")}${all.length > mostNamed ? ", …" : ""})`;
    })
    .join(", ");
}
