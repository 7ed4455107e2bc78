import type { DatabaseSync } from "node:sqlite";
import { orderedCharacters } from "../../shared/records/links.ts";
import { linkName, migratedNameKinds, migratedNames, migratedTexts } from "../../shared/records/migrated-names.ts";
import { firstSumNames, savedTokenColumns } from "../../shared/usage/sum-columns.ts";
import { requestViewWithSavedTokens, views } from "./views.ts";

/** `tlgt`: separates store files from those of other programs. */
export const applicationId = 0x746c6774;

/** A column that usage is summed by in advance, beside the hour, day or month. */
export type RollupColumn = "key" | "project" | "customer" | "provider" | "model" | "type";

/** A table of sums: by hour, day or month (a number: hours, days or months since the epoch), and what else it is summed by. */
export interface SqliteRollupTable {
  readonly table: string;
  readonly period: "hour" | "day" | "month";
  readonly columns: readonly RollupColumn[];
}

const owners = ["key", "project", "customer"] as const;
const targets = ["provider", "model", "type"] as const;

/** From the smallest to the largest: a question is answered from the first that has all its columns. */
export const rollupTables: readonly SqliteRollupTable[] = [
  { table: "usage_by_target", period: "day", columns: targets },
  { table: "usage_by_owner", period: "day", columns: owners },
  { table: "usage_by_owner_month", period: "month", columns: owners },
  { table: "usage_by_all", period: "day", columns: [...owners, ...targets] },
  { table: "usage_by_all_month", period: "month", columns: [...owners, ...targets] },
  { table: "usage_by_target_hour", period: "hour", columns: targets },
  { table: "usage_by_all_hour", period: "hour", columns: [...owners, ...targets] },
];

/** What is added to a request for its last attempt, as it is in `attempt`; see {@link migrations}. */
const triedColumns = [
  ...["tried_at", "tried_status", "tried_reason", "tried_latency", "tried_first_token"].map(
    (name) => `${name} INTEGER`,
  ),
  ...["prompt_tokens", "completion_tokens", "cost", "price"].map((name) => `${name} INTEGER`),
  "items TEXT",
  orZero("scale"),
  ...["credential", "cached_read_tokens", "cached_write_tokens", "reasoning_tokens"].map(orZero),
  ...["is_estimated", "is_unpriced"].map(orZero),
];

function orZero(name: string): string {
  return `${name} INTEGER NOT NULL DEFAULT 0`;
}

/** The index of the names of a kind. */
export function nameIndexOf(kind: string): string {
  return `record_name_${kind}`;
}

/** The name in a body, empty without one and in a damaged body. A statement finds the index by this very expression. */
export function recordName(body: string, field: string): string {
  const name = `coalesce(substr(json_extract(${body}, '$.${field}'), 1, ${orderedCharacters}), '')`;
  return `CASE WHEN json_valid(${body}) THEN ${name} ELSE '' END`;
}

/** Later than any: there are no sums by hour yet. */
export const noHour = Number.MAX_SAFE_INTEGER;

function createRollupTable({ table, period, columns }: SqliteRollupTable): string {
  const sums = firstSumNames.map((name) => `${name} INTEGER NOT NULL`);
  const all = [...[period, ...columns].map((column) => `${column} INTEGER NOT NULL`), ...sums];
  return `CREATE TABLE ${table} (${all.join(", ")}, PRIMARY KEY (${[period, ...columns].join(", ")})) WITHOUT ROWID;`;
}

function createRollupTables(...periods: readonly SqliteRollupTable["period"][]): string {
  const created = rollupTables.filter(({ period }) => periods.includes(period));
  return created.map(createRollupTable).join("\n  ");
}

function addSavedTokens(table: string): string {
  return savedTokenColumns.map((name) => `ALTER TABLE ${table} ADD COLUMN ${orZero(name)};`).join(" ");
}

/** Fills the texts that records are searched by, and the links that records have since the version that added the texts. */
const describeRecords = Object.entries(migratedTexts)
  .map(([kind, fields]) => {
    const texts = fields.map((field) => `coalesce(json_extract(body, '$.${field}'), '')`);
    return `INSERT INTO record_text SELECT kind, created_at, id, lower(${texts.join(" || char(10) || ")}) FROM record WHERE kind = '${kind}';`;
  })
  .join("\n  ");
const linkTenants = ["reseller", "client_id"]
  .map(
    (field) => `INSERT INTO link (kind, field, value, created_at, id)
  SELECT kind, '${field}', value, created_at, id FROM (
    SELECT kind, created_at, id, json_extract(body, '$.metadata.${field}') AS value FROM record WHERE kind IN ('customer', 'project', 'key')
  ) AS of_tenants WHERE value IS NOT NULL;`,
  )
  .join("\n  ");
const linkAudit = ["operation", "outcome"]
  .map(
    (field) => `INSERT INTO link (kind, field, value, created_at, id)
  SELECT kind, '${field}', json_extract(body, '$.${field}'), created_at, id FROM record WHERE kind = 'audit';`,
  )
  .join("\n  ");

/** Fills the links by which records are found by their names; a damaged record has none. */
function linkNames(database: DatabaseSync): void {
  const kinds = migratedNameKinds.map((kind) => `'${kind}'`).join(", ");
  const all = database.prepare(`SELECT kind, body FROM record WHERE kind IN (${kinds})`);
  const insert = database.prepare(
    "INSERT OR IGNORE INTO link (kind, field, value, created_at, id) VALUES (?, ?, ?, ?, ?)",
  );
  for (const { kind, body } of all.iterate()) {
    const link = linkName(String(kind), String(body));
    if (link) insert.run(String(kind), "owned_name", link.value, link.created_at, link.id);
  }
}

const indexRefused = rollupTables
  .filter(({ columns }) => columns.includes("key") && columns.includes("provider"))
  .map(({ table, period }) => `CREATE INDEX ${table}_refused ON ${table} (${period}) WHERE provider = 0;`)
  .join("\n  ");

/**
 * What brings a file from one version to the next; only ever appended to.
 *
 * Texts that repeat (keys, models, reasons, …) are numbers here, explained by `name`; 0 stands for none. `attempt.id` is
 * `request × 256 + number`, so that the attempts of a request lie together without an index. Ids of requests grow in the order
 * in which they ended.
 *
 * A *roll* writes down what is known of some thousand requests at once: `day`, between which ids the requests of a day lie;
 * `roll_key`, which of the roll's requests are of which key; `standing`, what counters held; and the sums. All of them hold what
 * was appended up to the request `mark.rolled`. The index by key lies in the order of time, so that writing it only appends: in the
 * order of keys, a request would cost a page of the file for its key. Sums of months are made of those of their days once a day is
 * over, up to the day `mark.folded`.
 *
 * Since version 2, sums by hour and `hour`, which is `day` for hours, are there for what begins or ends within a day. They hold what
 * the requests of their hours hold, from the hour `mark.hourly` on: not what was written by version 1, nor what was pruned. That
 * mark is set by the first writer that knows of hours, since one of version 1 may still be at work while a reader brings its file up
 * to date.
 *
 * Since version 3 the target that was asked last, which is the only one of most requests, lies in the request's own row: it has had its
 * provider and model there all along. `tried_at` is null where there is none, or where version 1 or 2 wrote it into `attempt`, which
 * holds all others. `tried_status` and `tried_reason` are null where they are the request's. In `items` units and bases are numbers of
 * `name`; where they follow from the counts of tokens, `scale` is the name that tells units, rates and bases, and `items` is null. The
 * views tell requests and attempts one by one, in words.
 *
 * Since version 4 records are searched by their texts, in lower case, and found by the levels of their tenants.
 *
 * Since version 5 requests and sums have the tokens that hits of the answer cache saved; what was written before says 0.
 *
 * Since version 6 keys, projects, customers, roles and tokens are found by their names with their owners. Two of one name stay as they are.
 *
 * Since version 7 a request has its route, where its attempts do not tell it.
 *
 * Since version 8 records are listed in order of their names, by indexes that SQLite maintains whichever version writes.
 *
 * Since version 9 refused requests, which have no provider, are counted by indexes of their sums.
 *
 * Since version 10 a tool call has its arguments and its result, where its key wants them.
 */
export const migrations: readonly (string | ((database: DatabaseSync) => void))[] = [
  `
  CREATE TABLE record (
    kind TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, created_at TEXT NOT NULL, hash TEXT, body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX record_id ON record (kind, id);
  CREATE UNIQUE INDEX record_hash ON record (kind, hash) WHERE hash IS NOT NULL;
  CREATE INDEX record_order ON record (kind, created_at, id);
  CREATE TABLE link (
    kind TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, created_at TEXT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY (kind, field, value, created_at, id)
  ) WITHOUT ROWID;

  CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
  CREATE TABLE request (
    id INTEGER PRIMARY KEY, event TEXT NOT NULL, at INTEGER NOT NULL, type INTEGER NOT NULL, asked TEXT NOT NULL,
    key INTEGER NOT NULL, project INTEGER NOT NULL, customer INTEGER NOT NULL, user TEXT, metadata TEXT,
    status INTEGER NOT NULL, reason INTEGER NOT NULL, latency INTEGER NOT NULL, first_token INTEGER,
    cache INTEGER NOT NULL, saved INTEGER NOT NULL, provider INTEGER NOT NULL, model INTEGER NOT NULL
  );
  CREATE TABLE attempt (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, provider INTEGER NOT NULL, model INTEGER NOT NULL, credential INTEGER NOT NULL,
    status INTEGER NOT NULL, reason INTEGER NOT NULL, latency INTEGER NOT NULL, first_token INTEGER,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cached_read_tokens INTEGER NOT NULL,
    cached_write_tokens INTEGER NOT NULL, reasoning_tokens INTEGER NOT NULL, cost INTEGER NOT NULL, items TEXT NOT NULL,
    price INTEGER NOT NULL, is_estimated INTEGER NOT NULL, is_unpriced INTEGER NOT NULL
  );

  CREATE TABLE day (day INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
  CREATE TABLE roll (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
  CREATE TABLE roll_key (
    first INTEGER NOT NULL, key INTEGER NOT NULL, requests TEXT NOT NULL, PRIMARY KEY (first, key)
  ) WITHOUT ROWID;
  ${createRollupTables("day", "month")}
  CREATE TABLE standing (
    counter TEXT PRIMARY KEY, start INTEGER NOT NULL, "end" INTEGER NOT NULL, used INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE mark (rolled INTEGER NOT NULL, newest INTEGER NOT NULL, folded INTEGER NOT NULL);
  INSERT INTO mark VALUES (0, 0, 0);
  `,
  `
  CREATE TABLE hour (hour INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
  ${createRollupTables("hour")}
  ALTER TABLE mark ADD COLUMN hourly INTEGER NOT NULL DEFAULT ${noHour};
  `,
  `
  ${triedColumns.map((column) => `ALTER TABLE request ADD COLUMN ${column};`).join("\n  ")}
  ${views}
  `,
  `
  CREATE TABLE record_text (
    kind TEXT NOT NULL, created_at TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (kind, created_at, id)
  ) WITHOUT ROWID;
  ${describeRecords}
  ${linkTenants}
  ${linkAudit}
  `,
  `
  ${["request", ...rollupTables.map(({ table }) => table)].map(addSavedTokens).join("\n  ")}
  ${requestViewWithSavedTokens}
  `,
  linkNames,
  "ALTER TABLE request ADD COLUMN route TEXT",
  Object.entries(migratedNames)
    .map(
      ([kind, field]) =>
        `CREATE INDEX ${nameIndexOf(kind)} ON record (${recordName("body", field)}, created_at, id) WHERE kind = '${kind}';`,
    )
    .join("\n  "),
  indexRefused,
  "ALTER TABLE request ADD COLUMN tool_content TEXT",
  `
  CREATE TABLE record_change (kind TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
  ${countChangesOf("INSERT", "NEW")} ${countChangesOf("UPDATE", "NEW")} ${countChangesOf("DELETE", "OLD")}
  `,
];

/** A trigger that counts the changes of records by kind, whichever process makes them. */
function countChangesOf(event: string, row: string): string {
  return `CREATE TRIGGER record_${event.toLowerCase()} AFTER ${event} ON record BEGIN
    INSERT INTO record_change (kind, count) VALUES (${row}.kind, 1) ON CONFLICT (kind) DO UPDATE SET count = count + 1;
  END;`;
}
