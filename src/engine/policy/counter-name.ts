import type { ResetDuration } from "../api/governance.ts";
import type { CalendarSettings } from "./zoned-window.ts";

/** What a counter's name says of it. */
export interface NamedCounter {
  readonly level: "entry" | "key" | "project" | "customer";
  /** The owner's id; of an entry, `<key id>/<provider>`. */
  readonly owner: string;
  readonly unit: "requests" | "tokens" | "cost";
  readonly duration: ResetDuration;
  readonly isCalendar: boolean;
  readonly calendar?: CalendarSettings | undefined;
  /** Patterns of the models that it counts; all when absent. */
  readonly models?: readonly string[] | undefined;
  /** The end user that it counts, empty for calls without one; all together when absent, and each alone when `*`. */
  readonly user?: string | undefined;
  /** Milliseconds since the epoch: what came before does not count. */
  readonly since?: number | undefined;
}

/**
 * The name of a counter: `key/vk_1/cost/1M/calendar`, and where it does not count every call, or by a calendar of its own,
 * `key/vk_1/cost/1M/calendar;Europe%2FBerlin;sunday/models:openai%2F*,gpt-5/user:alice/since:1764000000000`. It holds all that is needed to
 * count again from the ledger.
 */
export function nameCounter(counter: NamedCounter): string {
  const { level, owner, unit, duration, isCalendar, calendar, models, user, since } = counter;
  const parts = [`${level}/${owner}/${unit}/${duration}`];
  if (isCalendar) parts.push(["calendar", ...settingsOf(calendar)].join(";"));
  if (models) parts.push(`models:${[...new Set(models)].sort().map(encodeURIComponent).join(",")}`);
  if (user !== undefined) parts.push(user === "*" ? "user" : nameUser(user));
  if (since !== undefined) parts.push(`since:${since}`);
  return parts.join("/");
}

function settingsOf({ timezone, weekStart }: CalendarSettings = {}): string[] {
  if (timezone === undefined && weekStart === undefined) return [];
  return [encodeURIComponent(timezone ?? "UTC"), weekStart ?? "monday"];
}

function nameUser(user: string): string {
  return `user:${encodeURIComponent(user.toWellFormed())}`;
}

/** The counter of one end user, from the name that stands for each. */
export function nameUserCounter(counter: string, user: string): string {
  return counter.replace(/\/user(?=\/since:\d+$|$)/, `/${nameUser(user).replaceAll("$", "$$$$")}`);
}

/** Reads a counter's name. */
export function readCounterName(name: string): NamedCounter {
  const [level = "", ...rest] = name.split("/");
  const owner = rest.splice(0, level === "entry" ? 2 : 1).join("/");
  const [unit = "", duration = "1d", ...more] = rest;
  const after = (prefix: string) => more.find((part) => part.startsWith(prefix))?.slice(prefix.length);
  const calendar = more.find((part) => /^calendar(?:;|$)/.test(part));
  const [, timezone, weekStart] = calendar?.split(";") ?? [];
  const since = after("since:");
  return {
    level: level as NamedCounter["level"],
    owner,
    unit: unit as NamedCounter["unit"],
    duration: duration as ResetDuration,
    isCalendar: calendar !== undefined,
    calendar:
      timezone === undefined ? undefined : { timezone: decodeURIComponent(timezone), weekStart: weekStart as "monday" },
    models: after("models:")?.split(",").map(decodeURIComponent),
    user: more.includes("user") ? "*" : ((text) => text && decodeURIComponent(text))(after("user:")),
    since: since === undefined ? undefined : Number(since),
  };
}
