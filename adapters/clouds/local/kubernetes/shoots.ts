import { isDeepStrictEqual } from "node:util";
import type { KubeAnswer } from "../../gardener/index.ts";
import { nowOf } from "../endpoint.ts";
import { drawFault } from "../faults.ts";
import { reviewShoot } from "./admission.ts";
import { clearCluster } from "./cluster-objects.ts";
import { answer, deleted, type KubePath, objectId, refuse, type StoredKubeObject } from "./kube-objects.ts";
import { type KubeContext, kindOf, read, save, shownOf } from "./kube-store.ts";
import { beginOn, changedShoot, isBeingDeleted } from "./lifecycle.ts";

const forced = "confirmation.gardener.cloud/force-deletion";

/** A cluster that is made or changed. */
interface ObjectChange {
  readonly object: StoredKubeObject;
  readonly former?: StoredKubeObject;
}

/** What Gardener refuses of a new or a changed cluster; nothing where it takes it. */
export async function review(
  { object, former }: ObjectChange,
  path: KubePath,
  context: KubeContext,
): Promise<KubeAnswer | undefined> {
  const { cloudProfileName, cloudProfile } = object.spec ?? {};
  const name = cloudProfileName ?? (cloudProfile as { name?: string } | undefined)?.name;
  const profile = await read({ plural: "cloudprofiles", name: String(name ?? "") }, context);
  const refusal = reviewShoot({ shoot: object, former, profile, now: context.clock.now() });
  return refusal && refuse(refusal, path);
}

/** A new cluster to be stored, whose creation begins. */
export async function makeShoot(object: StoredKubeObject, context: KubeContext): Promise<StoredKubeObject> {
  const isFailing = await drawFault(context);
  return beginOn(object, undefined, { type: "Create", now: context.clock.now(), isFailing });
}

/** A changed cluster to be stored, on which the change begins. */
export async function changeShoot(object: StoredKubeObject, stored: StoredKubeObject, context: KubeContext) {
  const isFailing = !isDeepStrictEqual(object.spec, stored.spec) && (await drawFault(context));
  return changedShoot(object, stored, { now: context.clock.now(), isFailing });
}

/** Deletes a cluster: at once where that is forced, else when its machines are gone; asked again, it goes no later. */
export async function removeShoot(path: KubePath, stored: StoredKubeObject, context: KubeContext): Promise<KubeAnswer> {
  const { uid, annotations } = stored.metadata;
  await clearCluster(uid ?? "", context);
  if (annotations?.[forced] === "true") {
    await context.inventory.remove(kindOf(path), objectId(path.namespace, path.name ?? ""));
    return deleted(path, uid);
  }
  if (isBeingDeleted(stored)) return answer(200, shownOf(path, stored, context));
  const metadata = { ...stored.metadata, deletionTimestamp: nowOf(context) };
  const deleting = beginOn({ ...stored, metadata }, stored, { type: "Delete", now: context.clock.now() });
  await save(path, deleting, context);
  return answer(200, shownOf(path, deleting, context));
}
