import type { UsageQuestion, UsageRow } from "../../../src/ports/ledger.ts";
import { checkDimensions, readFilters } from "../../shared/usage/filter.ts";
import { groupBy } from "../../shared/usage/groups.ts";
import type { Connection } from "./connection.ts";
import type { Inquiry } from "./inquiry.ts";
import type { Names } from "./names.ts";
import { sumPeriods } from "./periods.ts";
import { sumRequests } from "./pieces.ts";

/**
 * Answers a question of usage. Whole hours, days and months come from the tables of sums where these have what is asked, and from the few
 * requests that are not in them yet; the rest is summed over requests, in pieces between which the event loop turns.
 */
export async function queryUsage(
  connection: Connection,
  names: Names,
  question: UsageQuestion,
): Promise<readonly UsageRow[]> {
  const dimensions = checkDimensions(question.group_by ?? [], "group_by");
  const filters = readFilters(question.filters);
  const inquiry: Inquiry = { connection, names, dimensions, filters, groups: groupBy(dimensions) };
  const from = Math.max(0, question.from); // of days before the epoch, and of no day at all, there are no months
  const { to } = question;
  const rest = connection.read(() => sumPeriods(inquiry, { from, to }));
  for (const edge of rest) await sumRequests(inquiry, edge);
  return inquiry.groups.rows();
}
