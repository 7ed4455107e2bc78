import type { UsageQuestion, UsageRow } from "../../../src/ports/ledger.ts";
import { checkDimensions, readFilters } from "../../shared/usage/filter.ts";
import { groupBy } from "../../shared/usage/groups.ts";
import type { Connection } from "./connection.ts";
import { findSheet, sumDays } from "./days.ts";
import type { Inquiry } from "./inquiry.ts";
import type { Names } from "./names.ts";
import { sumRequests } from "./pieces.ts";

/**
 * Answers a question of usage. Whole days and months come from the tables of sums where these have what is asked, and from the few
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
  const sheet = findSheet(inquiry, "day");
  const edges = sheet ? connection.read(() => sumDays(inquiry, sheet, { from, to })) : [{ from, to }];
  for (const edge of edges) await sumRequests(inquiry, edge);
  return inquiry.groups.rows();
}
