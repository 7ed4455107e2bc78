import type { Region, Regions } from "../../portal/index.ts";
import { checkConfig } from "../config/check.ts";
import { misconfigured } from "../config/references.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { findSimilar } from "../similar.ts";
import { type BackendGround, type BackendKindName, backendKinds } from "./backends/kinds.ts";

/** What back ends are opened with. */
export type RegionGround = Omit<BackendGround, "path" | "region" | "code">;

/** Areas of a region that a TypeScript file may give as objects. */
const areaNames = ["iaas", "clusters", "objectstore", "backups", "quotas"] as const;

/** The regions of a configuration with their back ends: one, `local`, unless it names others. */
export async function openRegions({ regions = { local: {} } }: GatewayConfig, ground: RegionGround): Promise<Regions> {
  const opened: Record<string, Region> = {};
  for (const [code, settings] of Object.entries(regions)) {
    const path = `regions.${code}`;
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(code)) {
      throw misconfigured(path, "is no code of a region: use letters, digits, dots, dashes and underscores");
    }
    const isEmpty = Object.keys(settings).length === 0; // no back end is named: the embedded cloud serves it
    opened[code] = await openRegion(isEmpty ? { local: {} } : settings, path, { ...ground, code });
  }
  return opened;
}

type Settings = Readonly<Record<string, unknown>>;

async function openRegion(
  settings: Settings,
  path: string,
  ground: RegionGround & { readonly code: string },
): Promise<Region> {
  checkNames(settings, path);
  let region: Region = Object.fromEntries(areaNames.flatMap((name) => readObject(settings, name, path)));
  for (const [name, { shape }] of Object.entries(backendKinds)) {
    const given = settings[name];
    if (given === undefined) continue;
    const at = `${path}.${name}`;
    const checked = checkConfig(shape, given, at);
    const served = await open(name as BackendKindName, checked, { ...ground, path: at, region });
    const [twice] = Object.keys(served).filter((area) => area in region);
    if (twice !== undefined)
      throw misconfigured(at, `serves \`${twice}\`, which another back end of the region does already`);
    region = { ...region, ...served };
  }
  return region;
}

/** The kind's own shape has checked its settings; the types of the table cannot say that together. */
function open(name: BackendKindName, checked: unknown, ground: BackendGround): Promise<Region> {
  return backendKinds[name].open(checked as never, ground);
}

function checkNames(settings: Settings, path: string): void {
  const known = [...Object.keys(backendKinds), ...areaNames];
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const similar = findSimilar(unknown, known);
  const hint = similar === undefined ? `; there are ${known.join(", ")}` : `; did you mean \`${similar}\`?`;
  throw misconfigured(`${path}.${unknown}`, `is no kind of back end${hint}`);
}

/** A back end that a TypeScript file has made itself. */
function readObject(settings: Settings, name: (typeof areaNames)[number], path: string): [string, unknown][] {
  const given = settings[name];
  if (given === undefined) return [];
  if (typeof given === "object" && given !== null && Object.values(given).every((each) => typeof each === "function")) {
    return [[name, given]];
  }
  const kinds = Object.keys(backendKinds).join(", ");
  throw misconfigured(
    `${path}.${name}`,
    `must be a back end's object of a TypeScript file; otherwise name its kind: ${kinds}`,
  );
}
