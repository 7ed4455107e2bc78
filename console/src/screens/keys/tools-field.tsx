import { text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { areToolsValid } from "./tool-patterns.ts";

interface FieldProps {
  readonly value: string;
  /** What else is to be known of it. */
  readonly about?: string;
  readonly onInput: (value: string) => void;
}

/** The tools that somebody may call, as a field. */
export function ToolsField({ value, about = "", onInput }: FieldProps) {
  return (
    <TextField
      {...{ label: text("keys.tools"), hint: `${text("keys.tools_hint")} ${about}`.trim(), lines: 3, value, onInput }}
      error={areToolsValid(value) ? undefined : text("keys.tools_rule")}
    />
  );
}
