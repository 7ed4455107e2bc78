import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { migratedNames } from "../../../adapters/shared/records/migrated-names.ts";
import { savedTokenColumns } from "../../../adapters/shared/usage/sum-columns.ts";
import { migrations, nameIndexOf, rollupTables } from "../../../adapters/stores/sqlite/schema.ts";
import { views } from "../../../adapters/stores/sqlite/views.ts";

/** Columns of an attempt, as `attempt` has had them from the beginning, with what they are made of where the request's row holds it. */
const attempt = {
  at: "tried_at",
  provider: "provider",
  model: "model",
  credential: "credential",
  status: "coalesce(tried_status, status)",
  reason: "coalesce(tried_reason, reason)",
  latency: "tried_latency",
  first_token: "tried_first_token",
  prompt_tokens: "prompt_tokens",
  completion_tokens: "completion_tokens",
  cached_read_tokens: "cached_read_tokens",
  cached_write_tokens: "cached_write_tokens",
  reasoning_tokens: "reasoning_tokens",
  cost: "cost",
  items: `(SELECT json_group_array(json_array(value ->> 'unit', value ->> 'quantity', value ->> 'rate', value ->> 'amount', value ->> 'basis'))
    FROM json_each((SELECT items FROM ledger_attempt AS told WHERE told.request = request.id ORDER BY number DESC LIMIT 1)))`,
  price: "price",
  is_estimated: "is_estimated",
  is_unpriced: "is_unpriced",
};
const own = ["at", "status", "reason", "latency", "first_token"].map((name) => `tried_${name}`);
const added = [
  ...own,
  "scale",
  ...Object.keys(attempt).filter((name) => attempt[name as keyof typeof attempt] === name || name === "items"),
].filter((name) => name !== "provider" && name !== "model");

/** What takes a file from a version back to the one before. */
const steps: Readonly<Record<number, string>> = {
  11: "DROP TRIGGER record_insert; DROP TRIGGER record_update; DROP TRIGGER record_delete; DROP TABLE record_change;",
  10: "ALTER TABLE request DROP COLUMN tool_content;",
  9: ["usage_by_all", "usage_by_all_month", "usage_by_all_hour"]
    .map((table) => `DROP INDEX ${table}_refused;`)
    .join(""),
  8: Object.keys(migratedNames)
    .map((kind) => `DROP INDEX ${nameIndexOf(kind)};`)
    .join(""),
  7: "ALTER TABLE request DROP COLUMN route;",
  6: "DELETE FROM link WHERE field = 'owned_name'",
  5: `
    DROP VIEW ledger_request; DROP VIEW ledger_attempt;
    ${["request", ...rollupTables.map(({ table }) => table)]
      .flatMap((table) => savedTokenColumns.map((name) => `ALTER TABLE ${table} DROP COLUMN ${name};`))
      .join("\n    ")}
    ${views}
  `,
  4: `
    DROP TABLE record_text;
    DELETE FROM link WHERE kind IN ('customer', 'project', 'key') AND field IN ('reseller', 'client_id');
    DELETE FROM link WHERE kind = 'audit' AND field IN ('operation', 'outcome');
  `,
  3: `
    INSERT INTO attempt (id, ${Object.keys(attempt).join(", ")})
      SELECT id * 256 + (SELECT count(*) FROM attempt AS a WHERE a.id / 256 = request.id), ${Object.values(attempt).join(", ")}
      FROM request WHERE tried_at IS NOT NULL;
    DROP VIEW ledger_request; DROP VIEW ledger_attempt;
    ${added.map((name) => `ALTER TABLE request DROP COLUMN ${name};`).join("\n    ")}
  `,
  2: `
    DROP TABLE hour; DROP TABLE usage_by_target_hour; DROP TABLE usage_by_all_hour;
    ALTER TABLE mark DROP COLUMN hourly;
  `,
};

/** A copy of a store file as an earlier version would have left it, killed at this moment. */
export function downgrade(path: string, copy: string, version: number): void {
  for (const ending of ["", "-wal"]) copyFileSync(path + ending, copy + ending);
  const file = new DatabaseSync(copy);
  for (let from = migrations.length; from > version; from--) file.exec(steps[from] ?? "");
  file.exec(`UPDATE schema_version SET version = ${version}`);
  file.close();
}
