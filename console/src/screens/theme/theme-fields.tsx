import { useId, useState } from "preact/hooks";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { nameOfColor } from "./color-names.ts";
import { longColor, type ThemeDraft } from "./contrast.ts";

interface FieldsProps {
  readonly draft: ThemeDraft;
  readonly onChange: (draft: ThemeDraft) => void;
}

/** Name, colours and logo of a theme. */
export function ThemeFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={text("label.name")}
        value={draft.name}
        onInput={(name) => onChange({ ...draft, name })}
        isRequired
      />
      {Object.entries(draft.colors).map(([name, value]) => (
        <ColorField
          key={name}
          label={nameOfColor(name)}
          value={value}
          onInput={(color) => onChange({ ...draft, colors: { ...draft.colors, [name]: color } })}
        />
      ))}
      <LogoField draft={draft} onChange={onChange} />
    </>
  );
}

interface ColorProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A colour: typed, or chosen with the browser's picker. */
function ColorField({ label, value, onInput }: ColorProps) {
  const long = longColor(value);
  return (
    <div class="color-field">
      <TextField {...{ label, value, onInput }} error={long === undefined ? text("theme.color_rule") : undefined} />
      <input
        type="color"
        aria-label={text("theme.pick", { name: label })}
        value={long ?? "#000000"}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

/** The most bytes of a logo, as the gateway takes it. */
const mostBytes = 65_536;

function LogoField({ draft, onChange }: FieldsProps) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const isFit = file.type === "image/png" && file.size <= mostBytes;
    setProblem(isFit ? undefined : text("theme.logo_rule"));
    if (isFit) onChange({ ...draft, logo: await toDataAddress(file) });
  };
  return (
    <div class="field">
      <label for={id}>{text("theme.logo")}</label>
      <input id={id} type="file" accept="image/png" onChange={(event) => void read(event.currentTarget.files?.[0])} />
      <div class="field-hint">{text("theme.logo_rule")}</div>
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {draft.logo !== undefined && (
        <Button isSmall onPress={() => onChange({ ...draft, logo: undefined })}>
          {text("action.remove")}
        </Button>
      )}
    </div>
  );
}

function toDataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
