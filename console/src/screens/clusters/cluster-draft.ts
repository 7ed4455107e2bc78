import type { InputOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { type MachineDraft, toMachineInput } from "./machine-fields.tsx";

/** What is filled in of a new cluster. */
export interface ClusterDraft {
  readonly namespace: string;
  /** The secret binding, whose credentials the machines are made with. */
  readonly binding: string;
  readonly profile: string;
  readonly region: string;
  readonly name: string;
  readonly version: string;
  readonly purpose: string;
  readonly machines: MachineDraft;
}

/** Returns a draft as the row takes it. */
export function toClusterInput(draft: ClusterDraft): InputOf<Areas["clusters"]["createShoot"]> {
  return {
    namespace: draft.namespace,
    shoot_name: draft.name,
    cloud_profile_name: draft.profile,
    region: draft.region,
    secret_binding_name: draft.binding,
    kubernetes_version: draft.version,
    purpose: draft.purpose,
    ...toMachineInput(draft.machines),
  };
}
