import { text } from "../i18n/texts.ts";
import { CheckField, SelectField, TextField } from "../parts/field.tsx";
import { useChoices } from "./choices.ts";
import type { ChoiceSource } from "./elements.ts";
import { nameOf } from "./names.ts";
import { type FieldProblem, type FieldSchema, kindOf, plainSchema } from "./schema.ts";

interface SchemaFieldProps {
  readonly name: string;
  readonly schema: FieldSchema;
  /** Where its values are chosen from; without one it is typed. */
  readonly source?: ChoiceSource | undefined;
  readonly value: string;
  readonly problem: FieldProblem | undefined;
  readonly isRequired: boolean;
  readonly onInput: (value: string) => void;
}

/** One field of a schema's form. */
export function SchemaField(props: SchemaFieldProps) {
  const { name, schema, source, value, problem, isRequired, onInput } = props;
  const label = isRequired ? `${nameOf(name)} *` : nameOf(name);
  const hint = plainSchema(schema).description;
  const kind = kindOf(schema);
  if (source && kind === "text") return <SourceField {...props} label={label} source={source} />;
  const error = problem && messageOf(problem);
  if (kind === "flag")
    return <CheckField label={label} isChecked={value === "true"} onChange={(on) => onInput(on ? "true" : "false")} />;
  if (kind === "choice") {
    const choices = (plainSchema(schema).enum ?? []).map((one) => [String(one), String(one)] as const);
    return <SelectField {...{ label, hint, error, value }} choices={[["", "–"], ...choices]} onChange={onInput} />;
  }
  const type = kind === "number" ? "number" : kind === "instant" ? "datetime-local" : secretType(name);
  const lines = kind === "json" ? { lines: 4 } : {};
  const shownHint = kind === "list" ? text("message.list_hint") : kind === "json" ? text("message.json_hint") : hint;
  return <TextField {...{ label, hint: shownHint, error, value, onInput, type, ...lines }} />;
}

/** A field whose values are rows of another element. Only where those cannot be read is it typed: a field never changes its kind under a hand that types. */
function SourceField(props: SchemaFieldProps & { readonly label: string; readonly source: ChoiceSource }) {
  const { schema, label, source, value, problem, onInput } = props;
  const { choices, isRefused } = useChoices(source);
  const hint = plainSchema(schema).description;
  const common = { label, hint, error: problem && messageOf(problem), value };
  if (isRefused) return <TextField {...common} onInput={onInput} />;
  const isListed = value === "" || choices.some(([id]) => id === value);
  const others = isListed ? [] : ([[value, value]] as const);
  return <SelectField {...common} choices={[["", "–"], ...others, ...choices]} onChange={onInput} />;
}

function secretType(name: string): "password" | "text" {
  return /(^|_)(password|secret)$/.test(name) ? "password" : "text";
}

/** What is wrong with a field, in words. */
function messageOf({ kind, limit }: FieldProblem): string {
  return text(`problem.${kind}`, { limit: limit ?? "" });
}
