import type { CoreEngine } from "../../../engine/engine.ts";
import type { Records } from "../../../engine/ports/records.ts";
import type { AlertKind, AlertParams, StoredAlert } from "../../../operations/records/alerts/alerts.ts";
import type { TextParams } from "../../locales/render.ts";
import type { ActivityLog } from "./activity.ts";

/** A subject of which the condition of a rule holds. */
export interface AlertFinding {
  /** What tells it from other findings of the rule. */
  readonly key: string;
  /** The id of the subject, e.g. of a key. */
  readonly subject: string;
  /** The parameters of its sentence, `notice.alert.<kind>`. */
  readonly params: TextParams;
  /** The path of the operation that reads the subject. */
  readonly link?: string | undefined;
}

/** What a source looks with. */
export interface AlertContext {
  readonly engine: Pick<CoreEngine, "usage" | "health">;
  /** The records of the rule's tenant. */
  readonly records: Records;
  readonly activity: ActivityLog;
  readonly params: AlertParams;
  /** When the rule was made, in milliseconds since the epoch. */
  readonly since: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The rule's alerts that are open: a source judges each of their subjects anew. */
  readonly open: readonly StoredAlert[];
  /** Where the last look of a source that goes through its subjects in parts has ended; it sets where this one ends. */
  readonly cursor: { after?: string | undefined };
}

/** How one kind of rule finds what it watches. */
export interface AlertSource {
  /** The parameters that a rule of the kind has, with their defaults; undefined for one without a default. */
  readonly defaults: AlertParams;
  /** Whoever makes such a rule must be allowed to read what it is about. */
  readonly permission: string;
  /** True where every process sees the same, and false where each sees its own requests. */
  readonly isShared: boolean;
  /** Milliseconds from one look to the next, at the least. */
  readonly everyMs: number;
  /** Returns every subject of which the condition holds; of those that have no open alert it may leave some for later. */
  find(context: AlertContext): Promise<readonly AlertFinding[]>;
}

/** The sources by kind. */
export type AlertSources = Readonly<Record<AlertKind, AlertSource>>;
