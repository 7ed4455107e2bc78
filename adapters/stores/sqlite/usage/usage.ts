import type { UsageQuestion, UsageRow } from "../../../../src/engine/ports/ledger.ts";
import { checkDimensions, readFilters } from "../../../shared/usage/filter.ts";
import { groupBy } from "../../../shared/usage/groups.ts";
import type { Connection } from "../connection.ts";
import type { InternedStrings } from "../rows/interned-strings.ts";
import { sumRequests } from "./batches.ts";
import { sumPeriods } from "./periods.ts";
import type { SqliteUsageQuery } from "./usage-query.ts";

/**
 * Answers a question of usage. Whole hours, days and months come from the tables of sums where these have what is asked, and from the few
 * requests that are not in them yet; the rest is summed over requests, in pieces between which the event loop turns.
 */
export async function queryUsage(
  connection: Connection,
  names: InternedStrings,
  question: UsageQuestion,
): Promise<readonly UsageRow[]> {
  const dimensions = checkDimensions(question.group_by ?? [], "group_by");
  const filters = readFilters(question.filters);
  const query: SqliteUsageQuery = { connection, names, dimensions, filters, groups: groupBy(dimensions) };
  const from = Math.max(0, question.from); // of days before the epoch, and of no day at all, there are no months
  const { to } = question;
  const rest = connection.read(() => sumPeriods(query, { from, to }));
  for (const edge of rest) await sumRequests(query, edge);
  return query.groups.rows();
}
