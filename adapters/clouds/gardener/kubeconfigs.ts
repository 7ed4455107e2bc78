import { z } from "zod";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { readStatus, refusalError } from "./client/faults.ts";
import { parsedOf } from "./client/kubernetes.ts";
import { pathOf } from "./client/resources.ts";
import type { GardenerOperation } from "./projects.ts";
import { shootTarget } from "./shoots.ts";

const kinds = {
  admin: { subresource: "adminkubeconfig", kind: "AdminKubeconfigRequest" },
  viewer: { subresource: "viewerkubeconfig", kind: "ViewerKubeconfigRequest" },
} as const;

const Answer = z.object({
  spec: z.object({ expirationSeconds: z.int() }).optional(),
  status: z.object({ kubeconfig: z.base64(), expirationTimestamp: z.iso.datetime({ offset: true }) }),
});

/** Seconds that a kubeconfig is valid unless asked otherwise. */
const anHour = 3_600;

type KubeconfigInput = InputOf<typeof clusters.adminKubeconfig>;

/** `GET …/adminkubeconfig` and `…/viewerkubeconfig`: made anew for every call, never kept and never logged. */
export async function makeKubeconfig(task: GardenerOperation, role: keyof typeof kinds, input: KubeconfigInput) {
  const expirationSeconds = input.expiration_seconds ?? anHour;
  const target = await shootTarget(task, input);
  const { subresource, kind } = kinds[role];
  const body = { apiVersion: "authentication.gardener.cloud/v1alpha1", kind, spec: { expirationSeconds } };
  const answer = await task.kubernetes.send(
    { method: "POST", path: pathOf({ ...target, subresource }), body },
    task.deadline,
  );
  if (answer.status === 404) {
    // These are also the words for a cluster that is not there.
    await task.kubernetes.read(target, task.deadline);
    throw new GatewayError(
      "not_implemented",
      `This Gardener makes no ${role}'s kubeconfig: the subresource ${subresource} is missing.`,
    );
  }
  if (answer.status >= 300) throw refusalError({ answer, target });
  const parsed = Answer.safeParse(parsedOf(answer));
  if (!parsed.success || readStatus(answer) !== undefined) {
    throw new GatewayError("backend_error", "Gardener answered without a kubeconfig.");
  }
  const { spec, status } = parsed.data;
  return {
    expirationSeconds: spec?.expirationSeconds ?? expirationSeconds,
    expirationTimestamp: status.expirationTimestamp,
    kubeconfig: Buffer.from(status.kubeconfig, "base64").toString("utf8"),
  };
}
