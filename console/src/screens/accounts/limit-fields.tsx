import type { ResetDuration } from "../../../../src/engine/api/governance.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import type { LimitDraft } from "./limit-draft.ts";

const windows = ["1m", "1h", "1d", "1w", "1M"] as const;

interface FieldsProps {
  readonly draft: LimitDraft;
  readonly onChange: (draft: LimitDraft) => void;
}

/** A budget and a limit of requests, each with its window. */
export function LimitFields({ draft, onChange }: FieldsProps) {
  const choices = (value: ResetDuration) => [
    ...windows.map((one) => [one as string, text(`window.${one}`)] as const),
    ...(windows.some((one) => one === value) ? [] : [[value, value] as const]),
  ];
  return (
    <div class="fields">
      <TextField
        label={text("keys.budget")}
        type="number"
        value={draft.budget}
        onInput={(budget) => onChange({ ...draft, budget })}
      />
      <SelectField
        label={text("keys.window")}
        value={draft.budgetWindow}
        choices={choices(draft.budgetWindow)}
        onChange={(value) => onChange({ ...draft, budgetWindow: value as ResetDuration })}
      />
      <TextField
        label={text("keys.requests")}
        type="number"
        value={draft.requests}
        onInput={(requests) => onChange({ ...draft, requests })}
      />
      <SelectField
        label={text("accounts.request_window")}
        value={draft.requestWindow}
        choices={choices(draft.requestWindow)}
        onChange={(value) => onChange({ ...draft, requestWindow: value as ResetDuration })}
      />
    </div>
  );
}
