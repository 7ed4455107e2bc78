import { z } from "zod";
import { op } from "../../define.ts";
import { flag, id, instant, text } from "../fields.ts";

const severity = z.enum(["info", "warning", "error"]);

/** What the system tells; `read` is the instant of reading, or empty. */
export const Notification = z.object({
  client: z.string().optional(),
  id: z.string(),
  /** The sentence in the reader's language. */
  notification: z.string(),
  /** Ours: the key of the sentence, and its parameters; absent in notifications of older versions. */
  key: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** Ours: the path of the operation that reads what it is about. */
  link: z.string().optional(),
  provider: z.string().optional(),
  read: z.union([instant, z.literal("")]),
  reseller: z.string().optional(),
  /** Ours: how bad it is, and what it is about. */
  severity,
  subject: z.string().optional(),
  timestamp: instant,
  type: z.string(),
  user: z.string().optional(),
});
export type Notification = z.output<typeof Notification>;

/** An event of the stream: `notification` is a new one with its fields; `open` and `changed` say only that lists may have changed. */
const NotificationEvent = z.looseObject({ type: z.enum(["open", "notification", "changed"]) });

/** What the system tells its users. */
export const notifications = {
  list: op("GET /notification", "notification-get", "List notifications", {
    in: {
      /** `true`: only those that the caller has not read. */
      unread: flag.optional(),
      /** Only those that the caller has read, or has not. */
      read: flag.optional(),
      severity: severity.optional(),
      /** The id of what they are about. */
      subject: text.optional(),
      type: text.optional(),
    },
    out: z.array(Notification),
  }),
  stream: op("GET /notification/stream", "notification_stream-get", "Follow notifications as they come", {
    in: { last_event_id: z.string().min(1).max(200).optional() },
    stream: NotificationEvent,
    isExtension: true,
  }),
  markRead: op("PATCH /notification", "notification-patch", "Mark a notification as read", { in: { id } }),
  markAllRead: op("POST /notification/read_all", "notification_read_all-post", "Mark all notifications as read", {
    isExtension: true,
  }),
};
