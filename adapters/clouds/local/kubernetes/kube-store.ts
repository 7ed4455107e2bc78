import { localPlace } from "../../../../src/portal/call/sealed-places.ts";
import type { ServiceContext } from "../endpoint.ts";
import type { Resource } from "../inventory.ts";
import { type KubePath, objectId, type StoredKubeObject } from "./kube-objects.ts";
import { shootAt } from "./lifecycle.ts";

/** What the API works with: the services' ground, the key that signs tokens, and where clusters are reached. */
export interface KubeContext extends ServiceContext {
  readonly signingKey: Uint8Array;
  /** The address of the clusters' own APIs, without a slash at its end. */
  clusterEndpoint(): string;
}

/** The kind of a path's objects in the inventory. */
export function kindOf({ plural }: Pick<KubePath, "plural">): string {
  return `kube.${plural}`;
}

/** An object as it is stored, with what no answer shows; undefined for one that is gone. */
export async function readStored(path: KubePath, context: KubeContext): Promise<StoredKubeObject | undefined> {
  const found = await context.inventory.find(kindOf(path), objectId(path.namespace, path.name ?? ""));
  const stored = found && openSecret(path, found, context);
  return stored && shownOf(path, stored, context) && stored;
}

/** An object as it is answered; undefined for one that is gone. */
export async function read(path: KubePath, context: KubeContext): Promise<StoredKubeObject | undefined> {
  const stored = await readStored(path, context);
  return stored && shownOf(path, stored, context);
}

/** A stored object as it is answered; undefined for a cluster whose deletion is over. */
export function shownOf(
  { plural }: Pick<KubePath, "plural">,
  stored: StoredKubeObject,
  { clock }: KubeContext,
): StoredKubeObject | undefined {
  return plural === "shoots" ? shootAt(stored, clock.now())?.object : stored;
}

/** The objects of a path as they are answered; what is gone is removed. */
export async function listObjects(path: KubePath, context: KubeContext): Promise<StoredKubeObject[]> {
  const shown: StoredKubeObject[] = [];
  for (const item of await context.inventory.list(kindOf(path))) {
    const stored = openSecret(path, item, context);
    const object = shownOf(path, stored, context);
    if (object !== undefined) shown.push(object);
    else await context.inventory.remove(kindOf(path), objectId(stored.metadata.namespace, stored.metadata.name));
  }
  return shown.filter(({ metadata }) => path.namespace === undefined || metadata.namespace === path.namespace);
}

/** Secrets hold credentials: their data is stored sealed. It is null where it cannot be opened any more, which no real one's is. */
function openSecret(path: KubePath, item: Resource, context: KubeContext): StoredKubeObject {
  const object = item as unknown as StoredKubeObject; // seam: written by `save`
  if (typeof item.data !== "string") return object;
  const plain = context.secrets.tryOpen(item.data, dataPlace(path, object, context));
  return { ...object, data: JSON.parse(plain ?? "null") };
}

function dataPlace(path: KubePath, { metadata }: StoredKubeObject, { region }: KubeContext): string {
  return localPlace(`${region}/${kindOf(path)}/${objectId(metadata.namespace, metadata.name)}`, "data");
}

/** Writes an object, its data sealed. */
export async function save(path: KubePath, object: StoredKubeObject, context: KubeContext): Promise<void> {
  const { name, namespace } = object.metadata;
  const { secrets, inventory } = context;
  const seal = () => secrets.seal(JSON.stringify(object.data), dataPlace(path, object, context));
  const sealed = object.data === undefined ? object : { ...object, data: seal() };
  await inventory.put(kindOf(path), objectId(namespace, name), sealed);
}
