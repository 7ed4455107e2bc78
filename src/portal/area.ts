import type { CoreEngine } from "../engine/engine.ts";
import type { Clock, Entropy } from "../engine/ports/clock.ts";
import type { Ledger } from "../engine/ports/ledger.ts";
import type { MailSender, WebhookSender } from "../engine/ports/messages/senders.ts";
import type { Records } from "../engine/ports/records.ts";
import type { Store } from "../engine/ports/store.ts";
import type { AuditEntry } from "../operations/records/users.ts";
import type { BackupScheduler } from "./backups/backup-scheduler.ts";
import type { Caller } from "./call/call.ts";
import type { Secrets } from "./call/secrets.ts";
import type { ProviderCredentials } from "./credentials/provider-credentials.ts";
import type { PermissionSource } from "./identity/permission-sources.ts";
import type { Notify } from "./notify.ts";
import type { Passwords } from "./passwords/passwords.ts";
import type { ProcessFacts } from "./process-facts.ts";
import type { Regions } from "./regions.ts";
import type { PortalRetention } from "./retention.ts";
import type { OwnPriceList } from "./tariff/own-prices.ts";
import type { PriceSource } from "./tariff/price-source.ts";
import type { Tariff } from "./tariff/tariff.ts";

/** A call of the portal by method and path, as a task's step makes it. */
export interface PortalRequest {
  readonly method: string;
  /** The path with its parameters filled in, percent-encoded, without a query. */
  readonly path: string;
  /** The fields of the operation's input. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly caller: Caller;
  readonly region: string;
}

/** The dependencies of the areas. What belongs to one call is in its `PortalCall`. */
export interface PortalDeps {
  readonly engine: CoreEngine;
  /** The records of all tenants, for the scheduler and the first start. Operations use the records of their call. */
  readonly records: Records;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Fresh random bytes. */
  readonly entropy: Entropy;
  /** A fresh identifier that begins with the prefix: `newId("bkp")` → `bkp_…`. */
  newId(prefix: string): string;
  readonly regions: Regions;
  readonly secrets: Secrets;
  /** The tiers of keys, and the uplifts on their cost. */
  readonly tariff: Tariff;
  /** Where the engine's prices come from; absent where the portal was opened without it. */
  readonly priceSource?: PriceSource | undefined;
  /** The prices that are set in the portal. */
  readonly ownPrices: OwnPriceList;
  /** The credentials of vendors that are set in the portal. */
  readonly credentials: ProviderCredentials;
  /** The scheduler of backups. */
  readonly backups: BackupScheduler;
  readonly passwords: Passwords;
  /** The sources of the permissions of users. */
  readonly permissionSources: readonly PermissionSource[];
  /** Stores a notification, once for each event. */
  readonly notify: Notify;
  /** Sends the webhooks of alerts; absent where there are none. */
  readonly webhooks?: WebhookSender | undefined;
  /** Sends mails; absent where none can be sent. */
  readonly mails?: MailSender | undefined;
  /** The address of the gateway as users reach it, ending with a slash; for links in mails. */
  readonly publicUrl?: string | undefined;
  /** Receives the entry of the audit log for every secret that was read or made. */
  readonly onSecret?: ((entry: AuditEntry) => void) | undefined;
  /** The process that the portal runs in; absent where the portal was opened without it. */
  readonly processFacts?: (() => ProcessFacts) | undefined;
  readonly storeSchema: Store["schema"];
  /** How long the audit log and tasks are kept. */
  readonly retention: Partial<PortalRetention> | undefined;
  /** Calls an operation of the portal with all its checks. Rejects with the error of the operation. */
  call(request: PortalRequest): Promise<unknown>;
}
