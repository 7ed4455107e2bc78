import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { text } from "../../i18n/texts.ts";
import { Badge } from "../../parts/values.tsx";

/** A virtual key as the list has it. */
export type AiKey = AnswerOf<Areas["ai"]["keys"]>[number];

/** Active, limited, expired or disabled, as a word. */
export function KeyState({ row }: { readonly row: Pick<AiKey, "is_active" | "is_limited" | "expires_at"> }) {
  if (!row.is_active) return <Badge mood="bad">{text("keys.disabled")}</Badge>;
  if (row.expires_at !== undefined && Date.parse(row.expires_at) <= Date.now())
    return <Badge mood="bad">{text("keys.expired")}</Badge>;
  return row.is_limited ? (
    <Badge mood="warn">{text("keys.limited")}</Badge>
  ) : (
    <Badge mood="good">{text("label.active")}</Badge>
  );
}

/** A budget in a few words: `$20 / 1M`. */
export function budgetInWords({ max_limit, reset_duration }: { max_limit: number; reset_duration: string }): string {
  return `$${max_limit} / ${reset_duration}`;
}
