import { z } from "zod";
import { op } from "../../define.ts";
import { alertKinds } from "../../records/alerts/alerts.ts";
import { address, flag, id, instant, language, title } from "../fields.ts";

const kind = z.enum(alertKinds);
const tenant = { reseller: z.string().nullable(), client_id: z.string().nullable() };

/** What a rule may be given, by its kind; docs/portal.md lists which kind takes what. */
const params = {
  /** Percent of a budget that is used, or of the requests of a target that fail. */
  percent: z.number().positive().max(100).optional(),
  /** What is left of a budget without an end, in US dollars. */
  dollars: z.number().nonnegative().max(1_000_000_000).optional(),
  /** Days before an end. */
  days: z.int().min(1).max(365).optional(),
  /** The window that is looked at. */
  minutes: z.int().min(1).max(60).optional(),
  /** The fewest requests in that window. */
  min_requests: z.int().min(1).max(1_000_000).optional(),
  /** A provider, or `provider/model`; all unless given. */
  target: z.string().trim().min(1).max(256).optional(),
};

/** A rule. It watches what lies at its tenant or below. */
export const AlertRule = z.object({
  id: z.string(),
  created_at: instant,
  name: z.string(),
  kind,
  ...params,
  channels: z.array(z.string()),
  enabled: flag,
  ...tenant,
});
export type AlertRule = z.output<typeof AlertRule>;

/** Where alerts are sent to, and how its deliveries went. */
export const AlertChannel = z.object({
  id: z.string(),
  created_at: instant,
  name: z.string(),
  kind: z.enum(["webhook", "mail"]),
  enabled: flag,
  url: z.string().optional(),
  to: z.array(z.string()).optional(),
  language: z.string().optional(),
  /** Messages that wait. */
  pending: z.int(),
  /** Messages that were given up after all attempts, and those that did not fit into the queue. */
  failed: z.int(),
  dropped: z.int(),
  last_attempt_at: instant.nullable(),
  last_success_at: instant.nullable(),
  last_error: z.string().nullable(),
  ...tenant,
});
export type AlertChannel = z.output<typeof AlertChannel>;

/** A channel with the signing secret of its webhook, which is shown only once. */
export const AlertChannelCreated = AlertChannel.extend({ secret: z.string().optional() });
export type AlertChannelCreated = z.output<typeof AlertChannelCreated>;

/** What a rule found. */
export const Alert = z.object({
  id: z.string(),
  rule_id: z.string(),
  rule: z.string(),
  kind,
  subject: z.string(),
  status: z.enum(["open", "resolved"]),
  /** The sentence in the reader's language. */
  text: z.string(),
  occurrence: z.int(),
  opened_at: instant,
  resolved_at: instant.nullable(),
  link: z.string().optional(),
  ...tenant,
});
export type Alert = z.output<typeof Alert>;

/** How the test of a channel went. */
export const AlertTest = z.object({
  delivered: flag,
  /** Of a webhook's answer. */
  status: z.int().optional(),
  error: z.string().optional(),
});
export type AlertTest = z.output<typeof AlertTest>;

const channels = z.array(id).max(20);
const to = z.array(z.email().max(254)).min(1).max(10).describe("Addresses that mails go to.");
const isExtension = true;

/** Alerts: rules over what the gateway knows, and the channels that their messages go to. */
export const alerts = {
  list: op("GET /alerts", "alerts-get", "List alerts; only the open or the resolved ones with `status`", {
    in: { status: z.enum(["open", "resolved"]).optional() },
    out: z.array(Alert),
    isExtension,
  }),
  rules: op("GET /alerts/rules", "alert_rules-get", "List alert rules", { out: z.array(AlertRule), isExtension }),
  createRule: op("POST /alerts/rules", "alert_rules-post", "Create an alert rule", {
    in: { name: title, kind, channels: channels.optional(), enabled: flag.optional(), ...params },
    out: AlertRule,
    isExtension,
    rules: [
      "Each kind of rule takes parameters of its own (docs/portal.md): `percent`, `dollars`, `days`, `minutes`, `min_requests` and `target` must be absent where the kind has none.",
    ],
  }),
  changeRule: op("PATCH /alerts/rules/{alert_rule_id}", "alert_rule-patch", "Change an alert rule, but not its kind", {
    in: { name: title.optional(), channels: channels.optional(), enabled: flag.optional(), ...params },
    out: AlertRule,
    isExtension,
    rules: [
      "Each kind of rule takes parameters of its own (docs/portal.md): `percent`, `dollars`, `days`, `minutes`, `min_requests` and `target` must be absent where the kind has none.",
    ],
  }),
  deleteRule: op("DELETE /alerts/rules/{alert_rule_id}", "alert_rule-delete", "Delete an alert rule and its alerts", {
    isExtension,
  }),
  channels: op("GET /alerts/channels", "alert_channels-get", "List alert channels with the state of their deliveries", {
    out: z.array(AlertChannel),
    isExtension,
  }),
  createChannel: op(
    "POST /alerts/channels",
    "alert_channels-post",
    "Create an alert channel; the signing secret of a webhook is shown this once",
    {
      in: {
        name: title,
        kind: z.enum(["webhook", "mail"]),
        url: address.optional(),
        to: to.optional(),
        language: language.optional(),
        enabled: flag.optional(),
      },
      out: AlertChannelCreated,
      once: ["secret"],
      isExtension,
      rules: ["A webhook takes `url`, a mail takes `to`; the other one must be absent."],
    },
  ),
  changeChannel: op(
    "PATCH /alerts/channels/{alert_channel_id}",
    "alert_channel-patch",
    "Change an alert channel; `rotate_secret` makes a new signing secret, which is shown this once",
    {
      in: {
        name: title.optional(),
        url: address.optional(),
        to: to.optional(),
        language: language.optional(),
        enabled: flag.optional(),
        rotate_secret: flag.optional(),
      },
      out: AlertChannelCreated,
      once: ["secret"],
      isExtension,
      rules: ["A webhook takes `url`, a mail takes `to`; the other one must be absent."],
    },
  ),
  deleteChannel: op(
    "DELETE /alerts/channels/{alert_channel_id}",
    "alert_channel-delete",
    "Delete an alert channel that no rule uses",
    { isExtension },
  ),
  testChannel: op(
    "POST /alerts/channels/{alert_channel_id}/test",
    "alert_channel_test-post",
    "Send a test message to a channel at once; at most every ten seconds",
    { out: AlertTest, isExtension },
  ),
};
