import type { CoreEngine } from "../engine/engine.ts";
import type { Clock, Entropy } from "../engine/ports/clock.ts";
import type { LoginProvider } from "../engine/ports/identity/login-provider.ts";
import type { MailSender, WebhookSender } from "../engine/ports/messages/senders.ts";
import type { Store } from "../engine/ports/store.ts";
import { anything, type Checks, callable, having, list, object, text } from "../engine/runtime/checks.ts";
import type { AuditEntry } from "../operations/records/users.ts";
import type { BackupPolicySettings } from "./backups/planning/policy.ts";
import type { BackupPlaces } from "./backups/runs/run-queue.ts";
import type { CredentialSource } from "./credentials/credential-source.ts";
import type { ProcessFacts } from "./process-facts.ts";
import type { Regions } from "./regions.ts";
import type { PortalRetention } from "./retention.ts";
import type { PriceSource } from "./tariff/price-source.ts";
import type { TariffOptions } from "./tariff/tariff.ts";

/** The options of a portal. `engine` and `store` are required; `store` is the engine's own. */
export interface PortalOptions {
  readonly engine: CoreEngine;
  readonly store: Store;
  /** The back ends of each region by its code. Default: one region, `local`, without back ends. */
  readonly regions?: Regions | undefined;
  /** The secret that encrypts secrets in the store, at least 16 characters. Without it, none can be stored. */
  readonly secret?: string | undefined;
  /** Secrets of before a rotation: they open what was sealed with them, and seal nothing. */
  readonly previousSecrets?: readonly string[] | undefined;
  /** The tiers from which keys and projects are created, by name. Default: `standard`, which allows every model. */
  readonly tiers?: TariffOptions["tiers"];
  /** The uplifts on the cost of resellers, in percent: `{ acme: [{ provider: "openai", percent: 10 }, { percent: 5 }] }`. */
  readonly uplift?: TariffOptions["uplift"];
  /** The backup policies by id. Default: `daily` and `weekly`. */
  readonly backupPolicies?: Readonly<Record<string, BackupPolicySettings>> | undefined;
  /** How many backups and how many restores a process makes at a time: in one region (8), and of these for one tenant (2). */
  readonly backupPlaces?: BackupPlaces | undefined;
  /** Where the engine's prices come from: shown by `GET /ai/prices`, and read again by `POST /ai/prices/sync`. */
  readonly priceSource?: PriceSource | undefined;
  /** Where the credentials of the engine's providers come from: they can be added, tested and rotated in the portal. */
  readonly credentialSource?: CredentialSource | undefined;
  /** The process that the portal runs in, for `GET /system`. */
  readonly processFacts?: (() => ProcessFacts) | undefined;
  /** The version that the console shows, the gateway's. */
  readonly version?: string | undefined;
  /** How long the audit log and tasks are kept. */
  readonly retention?: Partial<PortalRetention> | undefined;
  /** Sends the webhooks of alerts: `webhook()` of `tollgate/messages/webhook`. Without it, there are none. */
  readonly webhooks?: WebhookSender | undefined;
  /** Sends alerts, invitations and reset links by mail: `smtp()` of `tollgate/messages/smtp`. Without it, nothing is mailed. */
  readonly mails?: MailSender | undefined;
  /** OpenID providers that users log in at: `oidc()` of `tollgate/identity/oidc`. They need `publicUrl`, but on this machine. */
  readonly logins?: readonly LoginProvider[] | undefined;
  /** The address of the gateway as its users reach it, e.g. `https://ai.example.com/gateway/`. Links in mails begin with it. */
  readonly publicUrl?: string | undefined;
  /** Receives the entry of the audit log for every secret that was read or made: a key's value, a key pair, a kubeconfig. For logs. */
  readonly onSecret?: ((entry: AuditEntry) => void) | undefined;
  /** Default: the engine's. */
  readonly clock?: Clock | undefined;
  /** Default: the engine's. */
  readonly entropy?: Entropy | undefined;
}

/** `secret`, `previousSecrets`, `tiers`, `uplift` and `backupPolicies` are checked where they are read. */
export const portalChecks: Checks<PortalOptions> = {
  engine: having("newEventId", "an engine of `createEngine`"),
  store: having("records", "the store of that engine"),
  regions: object,
  secret: anything,
  previousSecrets: list,
  tiers: anything,
  uplift: anything,
  backupPolicies: anything,
  backupPlaces: [arePlaces, "an object with `region` and `tenant`, whole numbers from 1 to 1000"],
  priceSource: object,
  credentialSource: object,
  processFacts: callable,
  version: text,
  retention: object,
  webhooks: having("post", "a sender of webhooks, e.g. of `tollgate/messages/webhook`"),
  mails: having("send", "a sender of mails, e.g. of `tollgate/messages/smtp`"),
  logins: list,
  publicUrl: [isPublicUrl, "an address that begins with `https://` or `http://`, without a query"],
  onSecret: callable,
  clock: object,
  entropy: callable,
};

function arePlaces(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const isPlace = (count: unknown) => Number.isInteger(count) && Number(count) >= 1 && Number(count) <= 1_000;
  return Object.entries(value).every(
    ([name, count]) => ["region", "tenant"].includes(name) && (count === undefined || isPlace(count)),
  );
}

function isPublicUrl(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, search, hash, username, password } = new URL(value);
  return ["https:", "http:"].includes(protocol) && [search, hash, username, password].every((part) => part === "");
}
