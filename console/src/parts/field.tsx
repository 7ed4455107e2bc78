import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "password" | "number" | "datetime-local" | "date" | "search";
  readonly isRequired?: boolean;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  readonly lines?: number;
  readonly isFocused?: boolean;
  /** Values that the browser offers while somebody types. */
  readonly suggestions?: readonly string[];
}

/** A field with its label, what helps to fill it in, and what is wrong with it. */
export function TextField({ label, hint, error, value, onInput, lines, isFocused, suggestions, ...rest }: TextProps) {
  const id = useId();
  const common = {
    ...{ id, class: lines === undefined ? "input" : "textarea" },
    value,
    required: rest.isRequired,
    placeholder: rest.placeholder,
    "aria-invalid": error !== undefined,
    "aria-describedby": hint || error ? `${id}-hint` : undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? (
        <input
          {...(common as object)} // seam: Preact types an input by the literal of its type
          {...({ type: rest.type ?? "text", ...(suggestions && { list: `${id}-list` }) } as object)}
          autoComplete={rest.autoComplete ?? "off"}
          // biome-ignore lint/a11y/noAutofocus: the first field of a form that has just been opened
          autoFocus={isFocused}
        />
      ) : (
        <textarea {...common} rows={lines} spellcheck={false} />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <Hint id={id} hint={hint} error={error} />
    </div>
  );
}

function Hint({ id, hint, error }: Omit<FieldProps, "label"> & { readonly id: string }) {
  if (!hint && !error) return null;
  return (
    <div id={`${id}-hint`}>{error ? <p class="field-error">{error}</p> : <div class="field-hint">{hint}</div>}</div>
  );
}

/** One of a few: values and what they are called. */
export type Choices = readonly (readonly [value: string, name: string])[];

interface SelectProps extends FieldProps {
  readonly value: string;
  readonly choices: Choices;
  readonly onChange: (value: string) => void;
}

/** A choice with its label above it. */
export function SelectField({ label, hint, error, ...select }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <SelectInput id={id} {...select} />
      <Hint id={id} hint={hint} error={error} />
    </div>
  );
}

/** A choice in a bar, whose label is read out only. */
export function Select({ label, ...select }: SelectProps) {
  return <SelectInput label={label} isSmall {...select} />;
}

function SelectInput(props: Omit<SelectProps, "label"> & { label?: string; id?: string; isSmall?: boolean }) {
  const { id, label, value, choices, onChange, isSmall } = props;
  return (
    <select
      class={isSmall ? "select select-small" : "select"}
      {...(id === undefined ? {} : { id })}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {choices.map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isChecked: boolean;
  /** True where it cannot be changed. */
  readonly isLocked?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A box to tick, with its label. */
export function CheckField({ label, isChecked, isLocked = false, onChange }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isLocked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}
