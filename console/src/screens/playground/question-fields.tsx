import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { type QuestionDraft, type QuestionKind, questionKinds } from "./questions.ts";

interface FieldsProps {
  readonly questions: readonly QuestionDraft[];
  readonly onChange: (questions: readonly QuestionDraft[]) => void;
}

/** The questions: each with a name, a kind, what is asked, and its options. */
export function QuestionFields({ questions, onChange }: FieldsProps) {
  const set = (position: number, part: Partial<QuestionDraft>) =>
    onChange(questions.map((one, at) => (at === position ? { ...one, ...part } : one)));
  return (
    <>
      {questions.map((question, position) => (
        <QuestionForm
          key={position}
          question={question}
          onChange={(part) => set(position, part)}
          onRemove={
            questions.length === 1 ? undefined : () => onChange(questions.filter((_one, at) => at !== position))
          }
        />
      ))}
    </>
  );
}

interface QuestionProps {
  readonly question: QuestionDraft;
  readonly onChange: (part: Partial<QuestionDraft>) => void;
  readonly onRemove: (() => void) | undefined;
}

function QuestionForm({ question: { name, kind, instructions, options }, onChange, onRemove }: QuestionProps) {
  return (
    <fieldset class="field">
      <legend>{name}</legend>
      <div class="fields">
        <TextField label={text("label.name")} value={name} onInput={(next) => onChange({ name: next })} />
        <SelectField
          label={text("playground.question_kind")}
          value={kind}
          choices={questionKinds.map((one) => [one, text(`playground.kind_${one}`)] as const)}
          onChange={(next) => onChange({ kind: next as QuestionKind })} // one of the choices
        />
      </div>
      <TextField
        label={text("playground.instructions")}
        value={instructions}
        onInput={(next) => onChange({ instructions: next })}
      />
      {kind !== "predicate" && (
        <TextField
          {...{ label: text("playground.options"), hint: text(`playground.options_${kind}`), lines: 3, value: options }}
          onInput={(next) => onChange({ options: next })}
        />
      )}
      {onRemove && (
        <div class="row">
          <Button isSmall onPress={onRemove}>
            {text("action.remove")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
