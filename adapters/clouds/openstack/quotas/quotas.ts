import { GatewayError, toGatewayError } from "../../../../src/engine/errors.ts";
import type { ProjectQuotaResult } from "../../../../src/operations/portal/infrastructure/iaas-resources.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import type { QuotaLimits } from "../../shared/quota-profile.ts";
import { rowOf } from "../client/apis.ts";
import type { Cloud } from "../client/cloud.ts";
import {
  isQuotaOf,
  limitsIn,
  type QuotaHolder,
  quotaHolders,
  readRequest,
  resetRequest,
  setRequest,
} from "./quota-names.ts";

/** Limits that a service had before a change of ours. */
interface Former {
  readonly holder: QuotaHolder;
  readonly limits: QuotaLimits;
}

/** Takes changes back under a deadline of their own, for work that was itself cut off. */
export type Undo = (act: (deadline: OperationDeadline) => Promise<void>) => Promise<void>;

/** A change of quotas at several services. */
export interface QuotaChange {
  readonly projectId: string;
  readonly limits: ReadonlyMap<QuotaHolder, QuotaLimits>;
}

/**
 * Sets a project's quotas, service by service, and answers the union of what the services said. When one refuses, what the others had
 * before is put back; where that fails too, the error says what was left changed.
 */
export async function setQuotas(
  cloud: Cloud,
  change: QuotaChange,
  { deadline, undo }: { deadline: OperationDeadline; undo: Undo },
) {
  const { projectId, limits } = change;
  const former: Former[] = [];
  const result: Record<string, unknown> = {};
  try {
    for (const [holder, own] of limits) {
      former.push({
        holder,
        limits: await readFormer(cloud, { holder, projectId, names: Object.keys(own) }, deadline),
      });
      merge(result, await cloud.ask(setRequest(holder, projectId, own), deadline));
    }
  } catch (thrown) {
    await putBack(cloud, { projectId, former }, { thrown, undo });
    throw thrown;
  }
  return result as ProjectQuotaResult;
}

/** Nova's and Cinder's answers share a key, and so do Neutron's and Octavia's; none of their names is another's. */
function merge(result: Record<string, unknown>, answer: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(answer)) {
    const known = result[key];
    result[key] = typeof value === "object" && typeof known === "object" ? { ...known, ...value } : value;
  }
}

interface FormerQuestion {
  readonly holder: QuotaHolder;
  readonly projectId: string;
  readonly names: readonly string[];
}

async function readFormer(
  cloud: Cloud,
  { holder, projectId, names }: FormerQuestion,
  deadline: OperationDeadline,
): Promise<QuotaLimits> {
  const present = limitsIn(holder, await cloud.ask(readRequest(holder, projectId), deadline));
  return Object.fromEntries(
    names.flatMap((name) => (typeof present[name] === "number" ? [[name, present[name]]] : [])),
  );
}

/** The limits that the services hold for a project, by name; -1 for no limit. Names that the portal cannot set are left out. */
export async function readLimits(cloud: Cloud, projectId: string, deadline: OperationDeadline): Promise<QuotaLimits> {
  const read = async (holder: QuotaHolder) => {
    if (!(await cloud.has(holder, deadline))) return [];
    const present = limitsIn(holder, await cloud.ask(readRequest(holder, projectId), deadline));
    return Object.entries(present).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number" && isQuotaOf(holder, entry[0]),
    );
  };
  return Object.fromEntries((await Promise.all(quotaHolders.map(read))).flat());
}

interface PutBack {
  readonly thrown: unknown;
  readonly undo: Undo;
}

/** The service that failed is put back as well: a deadline may have passed while it was doing what it was asked. */
async function putBack(
  cloud: Cloud,
  { projectId, former }: { projectId: string; former: readonly Former[] },
  { thrown, undo }: PutBack,
): Promise<void> {
  for (const { holder, limits } of former.toReversed()) {
    if (Object.keys(limits).length === 0) continue;
    try {
      await undo(async (deadline) => void (await cloud.ask(setRequest(holder, projectId, limits), deadline)));
    } catch {
      const what = Object.entries(limits)
        .map(([name, limit]) => `${name} was ${limit}`)
        .join(", ");
      throw orphanError(
        thrown,
        `The quotas of ${rowOf(holder).title} may be changed and could not be put back: ${what}.`,
      );
    }
  }
}

/** Puts every quota of a project back to the cloud's defaults; what was never set is no failure. */
export async function resetQuotas(cloud: Cloud, projectId: string, deadline: OperationDeadline): Promise<void> {
  for (const holder of quotaHolders) {
    if (await cloud.has(holder, deadline)) await cloud.find(resetRequest(holder, projectId), deadline);
  }
}

/** The error of work that failed and could not be taken back whole: what failed first, and what is left. */
export function orphanError(thrown: unknown, what: string): GatewayError {
  return new GatewayError("backend_error", `${toGatewayError(thrown).message} ${what}`, { cause: thrown });
}
