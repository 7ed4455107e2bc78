import type { KeyAnswer } from "../../api/key-call.ts";
import { hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { Count, Money } from "../../parts/values.tsx";
import { useModelNames } from "../models.ts";

/** What a call is made with. The key lives in the component and ends with it. */
export interface KeyDraft {
  readonly key: string;
  readonly model: string;
}

interface FieldsProps {
  readonly draft: KeyDraft;
  readonly onChange: (part: Partial<KeyDraft>) => void;
}

/** The key that pays, and the model. */
export function KeyFields({ draft: { key, model }, onChange }: FieldsProps) {
  return (
    <div class="fields">
      <TextField
        {...{ label: text("label.key"), hint: text("playground.key_hint"), type: "password", value: key }}
        autoComplete="off"
        isRequired
        onInput={(value) => onChange({ key: value })}
      />
      <TextField
        {...{ label: text("label.model"), value: model, suggestions: useModelNames(), isRequired: true }}
        onInput={(value) => onChange({ model: value })}
      />
    </div>
  );
}

interface Used {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly cost?: { readonly total_cost?: number };
}

/** What an answer used and cost; its request explains both. */
export function UsedLine({ answer: { value, eventId } }: { readonly answer: KeyAnswer }) {
  const { usage } = value as { readonly usage?: Used }; // seam: every answer of the inference API may have it
  return (
    <p class="row soft">
      <Money value={usage?.cost?.total_cost} />
      <span>
        <Count value={usage?.prompt_tokens} /> → <Count value={usage?.completion_tokens ?? 0} />
      </span>
      {eventId !== undefined && <a href={hrefOf(`ai/requests/${eventId}`)}>{text("requests.bill")}</a>}
    </p>
  );
}
