import { useState } from "preact/hooks";
import { callRow } from "../api/client.ts";
import { useChange } from "../api/query.ts";
import { text } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { SecretOnce } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/field.tsx";
import { ErrorAlert } from "../parts/states.tsx";
import { toast } from "../parts/toast.tsx";
import { JsonView } from "../parts/values.tsx";
import { type DashboardElement, type Params, titleOf, valueAt } from "./elements.ts";
import { type FieldProblem, type FieldSchema, readField } from "./schema.ts";
import { SchemaField } from "./schema-field.tsx";

interface DialogProps {
  readonly element: DashboardElement;
  readonly params: Params;
  readonly schema: FieldSchema;
  /** The row that is changed: its values are in the form already. */
  readonly row?: unknown;
  readonly onClose: () => void;
}

/** The form of an operation, made of its schema; a deletion is asked about, and what is shown once is shown. */
export function ElementDialog({ element, params, schema, row, onClose }: DialogProps) {
  const [answer, setAnswer] = useState<unknown>();
  const own = Object.fromEntries(element.path_params.map((name) => [name, params[name] ?? ""]));
  const change = useChange(
    async (fields: Record<string, unknown>) => (await callRow(element.id, { ...fields, ...own })).value ?? null,
    element.refreshes,
  );
  const submit = async (fields: Record<string, unknown>) => {
    const value = await change.run(fields);
    if (value === undefined) return;
    toast(text(element.method === "DELETE" ? "message.deleted" : "message.saved"));
    if (value === null) onClose();
    else setAnswer(value);
  };
  return (
    <Dialog title={element.title} onClose={onClose}>
      {answer === undefined ? (
        <SchemaForm {...{ element, schema, row, change, submit, onClose }} target={Object.values(own).join(" · ")} />
      ) : (
        <Answer element={element} value={answer} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface AnswerProps {
  readonly element: DashboardElement;
  readonly value: unknown;
  readonly onClose: () => void;
}

/** What a change answered: a secret stands out, and is gone when this closes. */
function Answer({ element, value, onClose }: AnswerProps) {
  const record = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const texts = [record.value, record.token, record.secret, record.secret_key].filter((one) => typeof one === "string");
  const address = [record.url, record.objectstore_url].find((one) => typeof one === "string" && isWebAddress(one));
  return (
    <div class="stack">
      {element.result === "once" && texts[0] ? <SecretOnce value={texts[0]} /> : <JsonView value={value} />}
      {element.result === "open" && typeof address === "string" && (
        <a href={address} target="_blank" rel="noopener noreferrer">
          {address}
        </a>
      )}
      <div class="form-actions">
        <Button tone="primary" onPress={onClose}>
          {text("action.close")}
        </Button>
      </div>
    </div>
  );
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\//.test(address);
}

interface FormProps extends Pick<DialogProps, "element" | "schema" | "row" | "onClose"> {
  readonly target: string;
  readonly change: ReturnType<typeof useChange<Record<string, unknown>, unknown>>;
  readonly submit: (fields: Record<string, unknown>) => Promise<void>;
}

/** The state of a form: what was typed, what is wrong with it, and what it stands for. */
function useSchemaForm({ element, schema, row }: Pick<FormProps, "element" | "schema" | "row">) {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !element.path_params.includes(name));
  const [first] = useState(() => typedOf(row, fields));
  const [typed, setTyped] = useState(first);
  const [problems, setProblems] = useState<Readonly<Record<string, FieldProblem>>>({});
  /** Returns the fields to send; undefined where one is wrong. What the row has and nobody has changed is not sent. */
  const read = (): Record<string, unknown> | undefined => {
    const changed = fields.filter(([name]) => required.has(name) || (typed[name] ?? "") !== (first[name] ?? ""));
    const results = changed.map(
      ([name, field]) => [name, readField(field, typed[name] ?? "", required.has(name))] as const,
    );
    const wrong = results.flatMap(([name, result]) => ("problem" in result ? [[name, result.problem] as const] : []));
    setProblems(Object.fromEntries(wrong));
    if (wrong.length > 0) return undefined;
    return Object.fromEntries(results.flatMap(([name, result]) => ("value" in result ? [[name, result.value]] : [])));
  };
  const type = (name: string, value: string) => setTyped({ ...typed, [name]: value });
  return { fields, required, typed, problems, type, read };
}

function SchemaForm({ element, schema, row, change, submit, target, onClose }: FormProps) {
  const { fields, required, typed, problems, type, read } = useSchemaForm({ element, schema, row });
  const [confirmation, setConfirmation] = useState("");
  const send = () => {
    const input = read();
    if (input) void submit(input);
  };
  const word = wordToType(element, row);
  const blocked =
    word !== undefined && confirmation !== word ? text("message.confirm_type", { name: word }) : undefined;
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (blocked === undefined) send();
      }}
    >
      {target && <p class="soft mono">{target}</p>}
      {element.confirm === "ask" && <p>{text(element.danger ? "message.confirm_delete" : "message.confirm_change")}</p>}
      {fields.map(([name, field]) => (
        <SchemaField
          key={name}
          {...{
            name,
            schema: field,
            source: element.inputs.find((input) => input.name === name)?.source,
            value: typed[name] ?? "",
            problem: problems[name],
            isRequired: required.has(name),
          }}
          onInput={(value) => type(name, value)}
        />
      ))}
      {word !== undefined && (
        <TextField
          label={text("message.confirm_type", { name: word })}
          value={confirmation}
          onInput={setConfirmation}
          isFocused
        />
      )}
      {change.error && <ErrorAlert error={change.error} />}
      <div class="form-actions">
        <Button onPress={onClose}>{text("action.cancel")}</Button>
        <Button tone={element.danger ? "danger" : "primary"} isSubmit isPending={change.isPending} blockedBy={blocked}>
          {text(element.method === "DELETE" ? "action.delete" : "action.confirm")}
        </Button>
      </div>
    </form>
  );
}

/** The word that has to be typed before a change; undefined where a question is enough, or the row has no name. */
function wordToType({ confirm }: DashboardElement, row: unknown): string | undefined {
  return confirm === "type" ? titleOf(row) : undefined;
}

/** The values of a row as its form has them; what is no plain value is left out. */
function typedOf(row: unknown, fields: readonly (readonly [name: string, schema: FieldSchema])[]) {
  const known = fields.flatMap(([name]) => {
    const value = valueAt(row, name);
    return typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [];
  });
  return Object.fromEntries(known) as Readonly<Record<string, string>>;
}
