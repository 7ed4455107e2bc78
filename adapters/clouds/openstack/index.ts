import type { BackupDriver } from "../../../src/portal/backup-driver.ts";
import type { ProjectContents } from "../../../src/portal/project-contents.ts";
import type { QuotaUsage } from "../../../src/portal/quota-usage.ts";
import type { AreaBackend, RollbackBackend } from "../../../src/portal/regions.ts";
import { backupsOf } from "./backups/driver.ts";
import { checkOpenStack } from "./check.ts";
import type { OpenStackOptions } from "./client/options.ts";
import { openCloudContext } from "./cloud-context.ts";
import { iaasOf } from "./iaas.ts";
import { rollbacksOf } from "./rollbacks/backend.ts";
import { usageOf } from "./usage.ts";

export type { Deadlines } from "../../shared/options.ts";
export type {
  ApplicationCredential,
  CloudCredentials,
  OpenStackOptions,
  PasswordCredentials,
  Scope,
} from "./client/options.ts";

/** The back ends of a region whose cloud is an OpenStack. */
export interface OpenStack {
  readonly iaas: Required<AreaBackend<"iaas">> & ProjectContents;
  readonly backups: BackupDriver;
  /** The limits of projects at the services, and what is used of them. */
  readonly quotas: Required<QuotaUsage>;
  /** Takes back what failed operations have left, for the portal's job. */
  readonly rollbacks: RollbackBackend;
  /** Lets go of the sockets. */
  close(): Promise<void>;
}

/**
 * OpenStack over its REST APIs: `/iaas` from Keystone, Nova, Cinder, Neutron and Octavia, backups from Cinder and Glance. Nothing is
 * asked before the first operation. Throws `invalid_configuration` naming the option that is wrong.
 */
export function openstack(options: OpenStackOptions): OpenStack {
  checkOpenStack(options);
  const cloudContext = openCloudContext(options);
  return {
    iaas: iaasOf(cloudContext),
    backups: backupsOf(cloudContext),
    quotas: usageOf(cloudContext),
    rollbacks: rollbacksOf(cloudContext),
    close: cloudContext.close,
  };
}
