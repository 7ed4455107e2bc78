import { GatewayError } from "../../../../src/engine/errors.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { Cloud, Wire } from "../client/cloud.ts";
import { isUnanswered } from "../client/faults.ts";
import { idOf, objectOf, textOf } from "../client/from-wire.ts";
import type { Scope } from "../client/options.ts";

/** The field of a Cinder backup's metadata that holds the portal's id of it. */
export const markField = "tollgate_backup";

/** A gigabyte of Cinder's. */
export const gigabyte = 2 ** 30;

/** A volume, if it is there. */
export async function findVolume(cloud: Cloud, id: string, deadline: OperationDeadline): Promise<Wire | undefined> {
  return objectOf((await cloud.find({ service: "volume", path: ["volumes", id] }, deadline))?.volume);
}

/** A backup, if it is there. */
export async function findBackup(cloud: Cloud, id: string, deadline: OperationDeadline): Promise<Wire | undefined> {
  return objectOf((await cloud.find({ service: "volume", path: ["backups", id] }, deadline))?.backup);
}

/** What must be there. Throws `not_found`. */
export function present(wire: Wire | undefined, what: string, id: string): Wire {
  if (wire !== undefined) return wire;
  throw new GatewayError("not_found", `There is no ${what} \`${id}\`.`);
}

/** The project that a volume or a backup belongs to. */
export function projectOf(wire: Wire): string {
  return idOf(wire["os-vol-tenant-attr:tenant_id"] ?? wire["os-backup-project-attr:project_id"]);
}

/** Asks again every `poll` milliseconds until there is an answer. */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  deadline: OperationDeadline,
  poll: number,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await deadline.sleep(poll);
  }
}

/** Where something is made, and how long the pauses are. */
export interface BackupCreation {
  readonly cloud: Cloud;
  readonly deadline: OperationDeadline;
  readonly poll: number;
  readonly scope: Scope | undefined;
}

/** What an awaited volume has been on its way. */
export interface Watched {
  readonly seen?: Set<string>;
}

/** Resolves with a volume as soon as it is `available`. Throws `backend_error` for one that failed or went away. */
export function awaitVolume(
  id: string,
  { cloud, deadline, poll, seen }: Omit<BackupCreation, "scope"> & Watched,
): Promise<Wire> {
  return until(
    async () => {
      const volume = await findVolume(cloud, id, deadline);
      const status = idOf(volume?.status);
      seen?.add(status);
      if (status === "available") return volume;
      if (volume !== undefined && !status.startsWith("error")) return undefined;
      throw new GatewayError("backend_error", `Cinder: the volume \`${id}\` is ${status || "gone"}.`);
    },
    deadline,
    poll,
  );
}

/**
 * Deletes a volume and waits until it is gone; one that is gone already is no failure. Cinder refuses to delete a volume that is being made,
 * uploaded or deleted: its end is waited for.
 */
export async function removeVolume(
  id: string,
  { cloud, deadline, poll }: Omit<BackupCreation, "scope">,
): Promise<void> {
  let isAsked = false;
  let refusal: unknown;
  await until(
    async () => {
      const status = textOf((await findVolume(cloud, id, deadline))?.status);
      if (status === undefined) return true;
      if (status === "error_deleting" || (isAsked && status.startsWith("error")))
        throw new GatewayError("backend_error", `Cinder could not delete the volume \`${id}\`.`);
      if (isAsked || (status !== "available" && !status.startsWith("error"))) return undefined;
      if (refusal !== undefined) throw refusal;
      try {
        await cloud.find({ service: "volume", method: "DELETE", path: ["volumes", id] }, deadline);
        isAsked = true;
      } catch (thrown) {
        if (isUnanswered(thrown)) throw thrown;
        refusal = thrown; // another process may have asked between: where it has not, it is thrown at the next look
      }
      return undefined;
    },
    deadline,
    poll,
  );
}
