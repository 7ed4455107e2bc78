import { findSimilar } from "../../engine/runtime/did-you-mean.ts";
import type { Region, Regions } from "../../portal/index.ts";
import { checkConfig } from "../config/check.ts";
import { misconfigured } from "../config/references.ts";
import type { CheckedConfig } from "../config/shape.ts";
import { type BackendContext, type BackendKindName, backendKinds } from "./backends/kinds.ts";

/** What back ends are opened with. */
export type RegionContext = Omit<BackendContext, "path" | "region" | "code">;

/** The areas of a region that a TypeScript configuration may provide as objects. */
const areaNames = ["iaas", "clusters", "objectstore", "backups", "quotas", "rollbacks"] as const;

/** The regions of a configuration with their back ends: one, `local`, unless it names others. */
export async function openRegions(
  { regions = { local: {} } }: CheckedConfig,
  context: RegionContext,
): Promise<Regions> {
  const opened: Record<string, Region> = {};
  for (const [code, settings] of Object.entries(regions)) {
    const path = `regions.${code}`;
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(code)) {
      throw misconfigured(path, "is not a valid region code: use letters, digits, dots, dashes and underscores");
    }
    const { identity, ...backends } = settings;
    const isEmpty = Object.keys(backends).length === 0; // no back end is named: the embedded cloud serves it
    const region = await openRegion(isEmpty ? { local: {} } : backends, path, { ...context, code });
    opened[code] = identity === undefined ? region : { ...region, identity: readIdentity(identity, path) };
  }
  return opened;
}

type RegionSettings = Readonly<Record<string, unknown>>;

async function openRegion(
  settings: RegionSettings,
  path: string,
  context: RegionContext & { readonly code: string },
): Promise<Region> {
  checkNames(settings, path);
  let region: Region = Object.fromEntries(areaNames.flatMap((name) => readObject(settings, name, path)));
  for (const [name, { shape }] of Object.entries(backendKinds)) {
    const value = settings[name];
    if (value === undefined) continue;
    const at = `${path}.${name}`;
    const checked = checkConfig(shape, value, at);
    const served = await open(name as BackendKindName, checked, { ...context, path: at, region });
    const [twice] = Object.keys(served).filter((area) => area in region);
    if (twice !== undefined)
      throw misconfigured(at, `serves \`${twice}\`, which another back end of the region already serves`);
    region = { ...region, ...served };
  }
  return region;
}

/** The kind's own shape has checked its settings; the types of the table cannot say that together. */
function open(name: BackendKindName, checked: unknown, context: BackendContext): Promise<Region> {
  return backendKinds[name].open(checked as never, context);
}

function checkNames(settings: RegionSettings, path: string): void {
  const known = ["identity", ...Object.keys(backendKinds), ...areaNames];
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const similar = findSimilar(unknown, known);
  const hint = similar === undefined ? `. Valid names: ${known.join(", ")}` : `; did you mean \`${similar}\`?`;
  throw misconfigured(`${path}.${unknown}`, `is not a kind of back end${hint}`);
}

/** The name of the Keystone that regions share. */
function readIdentity(value: unknown, path: string): string {
  if (typeof value === "string" && value.trim() !== "" && value.length <= 100) return value;
  throw misconfigured(
    `${path}.identity`,
    "must be a name: regions of one name share a Keystone and have the same projects",
  );
}

/** A back end object of a TypeScript configuration. */
function readObject(settings: RegionSettings, name: (typeof areaNames)[number], path: string): [string, unknown][] {
  const value = settings[name];
  if (value === undefined) return [];
  if (typeof value === "object" && value !== null && Object.values(value).every((each) => typeof each === "function")) {
    return [[name, value]];
  }
  const kinds = Object.keys(backendKinds).join(", ");
  throw misconfigured(
    `${path}.${name}`,
    `must be a back end's object of a TypeScript file; otherwise name its kind: ${kinds}`,
  );
}
