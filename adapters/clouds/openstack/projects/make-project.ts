import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import { limitsOf } from "../../shared/quota-profile.ts";
import { keepProject, type OwnWords, ownWords } from "../../shared/records.ts";
import { ownerOf } from "../../shared/visibility.ts";
import { idOf } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { domainFacts, readDomains, toProject } from "../identity.ts";
import { profileSources, sortLimits } from "../quotas/quota-names.ts";
import { freeName, openRollbackLog } from "../rollbacks/log.ts";
import { createProject } from "./create-project.ts";

/** One operation: who asked, and its work. */
export interface ProjectOperation {
  readonly call: PortalCall;
  readonly deadline: OperationDeadline;
}

type ProjectInput = Parameters<Required<AreaBackend<"iaas">>["createProject"]>[0];

/** `POST /iaas/projects`. What the answer needs is read before: nothing may fail once the project is made. */
export async function make(cloudContext: CloudContext, input: ProjectInput, { call, deadline }: ProjectOperation) {
  const { name, description, quota_profile, client, reseller } = input;
  const owner = ownerOf({ client, reseller }, call);
  const limits = sortLimits(await limitsOf(quota_profile, profileSources(cloudContext.options), call), "quota_profile");
  const domains = await readDomains(cloudContext.cloud, deadline);
  const wordsOf = await ownWords(call);
  let words: OwnWords = {};
  const wire = await createProject(
    { name, description, limits, mark: call.eventId, freeName: () => freeName({ ...cloudContext, call }, name) },
    { ...cloudContext, deadline, rollbacks: openRollbackLog({ ...cloudContext, call, owner }) },
    async (created) => {
      words = wordsOf(await keepProject(idOf(created.id), { ...owner, quota_profile }, call));
    },
  );
  return { project: toProject(wire, { ...words, ...domainFacts(domains, wire.domain_id) }) };
}
