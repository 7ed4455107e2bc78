import type { z } from "zod";
import { keysAt } from "../api/errors/known-keys.ts";
import { type DescribedIssue, describeIssues, type Issue } from "../runtime/issues/issues.ts";

/** What is wrong with a value by its schema. Of an unknown field it says which one of the schema was probably meant. */
export function describeSchemaFault(
  schema: z.core.$ZodType,
  { issues }: { readonly issues: readonly Issue[] },
  more: readonly string[] = [],
): DescribedIssue {
  return describeIssues(issues, (path) => [...keysAt(schema, path), ...(path.length === 0 ? more : [])]);
}
