import { text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { isWeightValid, type UseDraft } from "./credential.ts";

interface FieldsProps {
  readonly draft: UseDraft;
  readonly onChange: (part: Partial<UseDraft>) => void;
}

/** What a credential is used for: its share of the requests, and its models. */
export function UseFields({ draft: { weight, models, blocked }, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        {...{ label: text("credentials.weight"), hint: text("credentials.weight_hint"), type: "number" }}
        value={weight}
        error={isWeightValid(weight) ? undefined : text("problem.number")}
        onInput={(value) => onChange({ weight: value })}
      />
      <TextField
        {...{ label: text("keys.models"), hint: text("credentials.models_hint"), lines: 2, value: models }}
        onInput={(value) => onChange({ models: value })}
      />
      <TextField
        {...{ label: text("credentials.blocked"), hint: text("message.list_hint"), lines: 2, value: blocked }}
        onInput={(value) => onChange({ blocked: value })}
      />
    </>
  );
}
