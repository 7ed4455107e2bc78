import { z } from "zod";
import { op } from "../../define.ts";
import { flag, id, instant } from "../fields.ts";

/** What the system tells; `read` is the instant of reading, or empty. */
export const Notification = z.object({
  client: z.string().optional(),
  id: z.string(),
  notification: z.string(),
  provider: z.string().optional(),
  read: z.union([instant, z.literal("")]),
  reseller: z.string().optional(),
  timestamp: instant,
  type: z.string(),
  user: z.string().optional(),
});
export type Notification = z.output<typeof Notification>;

/** What the system tells its users. */
export const notifications = {
  list: op("GET /notification", "notification-get", "List notifications", {
    in: { unread: flag.optional() },
    out: z.array(Notification),
  }),
  markRead: op("PATCH /notification", "notification-patch", "Mark a notification as read", { in: { id } }),
};
