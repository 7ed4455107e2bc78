import { type ErrorCode, errorTable } from "../../engine/errors.ts";
import type { NotificationType } from "../../operations/records/notifications.ts";
import type { DashboardPath } from "../dashboard-catalogue/catalogue.ts";
import type { DashboardGroup } from "../dashboard-catalogue/row.ts";
import de from "./de.json" with { type: "json" };
import english from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import it from "./it.json" with { type: "json" };

/** What menus, dashboards and notifications are called: each has a text. */
type LocalizedName = `menu.${DashboardGroup}` | `dashboard.${DashboardPath}` | `notification.${NotificationType}`;

english satisfies Readonly<Record<LocalizedName, string>>;

/** The key of a sentence of a notification. */
export type NoticeKey = Extract<keyof typeof english, `notice.${string}`>;

/** What each error code means, as a text. */
type ErrorTexts = Readonly<Record<`error.${ErrorCode}`, string>>;

/** A language's texts by key. A text is one line in the five files beside this one; a key that a file lacks does not compile. */
export type Texts = Readonly<Record<keyof typeof english, string>> & ErrorTexts;

/** English, the default language; its texts of errors are those of the table. */
export const en: Texts = {
  ...english,
  ...(Object.fromEntries(
    Object.entries(errorTable).map(([code, { meaning }]) => [`error.${code}`, meaning]),
  ) as ErrorTexts), // the table's own codes
};

/** The other languages. */
export const translations = { de, es, fr, it } satisfies Record<string, Texts>;
