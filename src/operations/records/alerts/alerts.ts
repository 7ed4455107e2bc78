import type { PortalRecord } from "../record.ts";

/** What alert rules watch (docs/portal.md, "Alerts"). A closed list. */
export const alertKinds = [
  "budget_used",
  "balance_low",
  "limit_refused",
  "key_expiring",
  "token_expiring",
  "error_rate",
  "circuit_open",
  "backup_failed",
] as const;

export type AlertKind = (typeof alertKinds)[number];

/** The parameters of rules; which of them a rule has depends on its kind. */
export interface AlertParams {
  /** Percent of a budget, or of the requests of a target. */
  readonly percent?: number | undefined;
  /** What is left, in US dollars. */
  readonly dollars?: number | undefined;
  /** Days before an end. */
  readonly days?: number | undefined;
  /** The window that is looked at, in minutes. */
  readonly minutes?: number | undefined;
  /** The fewest requests in the window. */
  readonly min_requests?: number | undefined;
  /** A provider, or `provider/model`. */
  readonly target?: string | undefined;
}

/** A rule at a place in the tree of tenants: it watches what lies at that place or below. */
export interface StoredAlertRule extends PortalRecord {
  readonly name: string;
  readonly kind: AlertKind;
  readonly params: AlertParams;
  /** The ids of the channels that its alerts are sent to; they are of the same place. */
  readonly channels: readonly string[];
  readonly enabled: boolean;
}

/** Where alerts are sent to. */
export interface StoredAlertChannel extends PortalRecord {
  readonly name: string;
  readonly kind: "webhook" | "mail";
  readonly enabled: boolean;
  /** Of a webhook: what readers are shown of its address. Channels of earlier versions hold all of it here. */
  readonly url?: string | undefined;
  /** The whole address of a webhook, sealed. */
  readonly sealed_url?: string | undefined;
  /** The signing secret of a webhook, sealed. */
  readonly sealed_secret?: string | undefined;
  /** The addresses of a mail. */
  readonly to?: readonly string[] | undefined;
  /** The language of its texts; that of the tenant where it has none. */
  readonly language?: string | undefined;
}

/** How the deliveries of a channel went; its id is the channel's. Kept apart, so that a delivery does not change the channel. */
export interface StoredAlertChannelState extends PortalRecord {
  /** RFC 3339 in UTC; null before the first one. */
  readonly last_attempt_at: string | null;
  readonly last_success_at: string | null;
  /** Why the last attempt failed; null where it did not. */
  readonly last_error: string | null;
  /** Messages that were given up after all attempts, and those that did not fit into the queue. */
  readonly failed: number;
  readonly dropped: number;
  /** When `test` was called last. */
  readonly tested_at: string | null;
}

/** What a rule found about one subject. The record of a rule and a subject is used again when it happens again. */
export interface StoredAlert extends PortalRecord {
  readonly rule_id: string;
  readonly rule: string;
  readonly kind: AlertKind;
  /** The id of what it is about, e.g. of a key. */
  readonly subject: string;
  readonly status: "open" | "resolved";
  /** How often it was opened. */
  readonly occurrence: number;
  readonly opened_at: string;
  readonly resolved_at: string | null;
  /** Who sees the condition hold, and when each saw it last, in milliseconds since the epoch: processes, or the store. */
  readonly observers: Readonly<Record<string, number>>;
  /** The parameters of its sentence. */
  readonly params: Readonly<Record<string, string | number>>;
  /** The path of the operation that reads the subject. */
  readonly link?: string | undefined;
}

/** A message about an alert. */
export interface AlertMessage {
  readonly type: "alert.triggered" | "alert.resolved" | "alert.test";
  readonly created_at: string;
  readonly alert: Pick<
    StoredAlert,
    "id" | "rule_id" | "rule" | "kind" | "subject" | "occurrence" | "opened_at" | "resolved_at" | "params"
  >;
}

/** A message that waits to be sent to a channel. */
export interface StoredAlertDelivery extends PortalRecord {
  readonly channel_id: string;
  readonly message: AlertMessage;
  /** Attempts that were begun. */
  readonly attempts: number;
  /** When the next one is due, in milliseconds since the epoch. */
  readonly next_at: number;
}

/** The records of alerts, by kind. */
export interface AlertRecords {
  alert_rule: StoredAlertRule;
  alert_channel: StoredAlertChannel;
  alert_channel_state: StoredAlertChannelState;
  alert: StoredAlert;
  alert_delivery: StoredAlertDelivery;
}
