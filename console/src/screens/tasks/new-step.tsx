import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import type { DashboardDefinition, DashboardElement, Params } from "../../generic/elements.ts";
import { type FieldProblem, type FieldSchema, readField } from "../../generic/schema.ts";
import { SchemaField } from "../../generic/schema-field.tsx";
import { text, textOf } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { fillPath, type Task } from "./task.ts";

/** What no step may do: run tasks; and what never ends: streams. */
const unfit = /^tasks\.(run|schedule)$|stream$/i;

/** The places of the menu, as groups of operations. */
function useAreas() {
  return useQuery({
    key: ["dashboards.menu"],
    read: (signal) => api.dashboards.menu({}, signal),
    staleMs: freshFor.catalogue,
  });
}

function useDefinition(path: string) {
  return useQuery({
    key: ["dashboards.get", path],
    read: async (signal) =>
      (await api.dashboards.get({ dashboard_path: path }, signal)) as unknown as DashboardDefinition, // seam: the document of `elements.ts`
    staleMs: freshFor.catalogue,
    isEnabled: path !== "",
  });
}

/** What is chosen and typed: an area, an operation of it, and its fields. */
function useChoice() {
  const [area, setArea] = useState("");
  const [id, setId] = useState("");
  const [typed, setTyped] = useState<Params>({});
  const definition = useDefinition(area);
  const operations = area === "" ? [] : (definition.value?.elements ?? []).filter((one) => !unfit.test(one.id));
  const pick = (next: string) => {
    setId(next);
    setTyped({});
  };
  const enter = (next: string) => {
    setArea(next);
    pick("");
  };
  const type = (name: string, value: string) => setTyped({ ...typed, [name]: value });
  return { area, id, typed, definition, operations, enter, pick, type };
}

/** A new step: an area, one of its operations, and the form of what that takes. */
export function NewStep({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const choice = useChoice();
  const { typed, type, operations, definition } = choice;
  const [described, setDescribed] = useState<string>();
  const element = operations.find((one) => one.id === choice.id);
  const description = described ?? element?.title ?? "";
  const step = element && definition.value && readStep(element, definition.value, typed);
  const change = useChange(
    () => api.tasks.setStep({ task_id: task.id, description: description.trim(), ...(step?.sent ?? noStep) }),
    ["tasks"],
  );
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={text("tasks.add_step")}
      isWide
      {...{ change, onClose }}
      blockedBy={step?.sent ? undefined : text("problem.required")}
      onSubmit={() => void submit()}
    >
      <OperationChoice {...choice} />
      {element && definition.value && step && (
        <>
          <TextField label={text("tasks.description")} value={description} onInput={setDescribed} />
          <StepFields {...{ element, typed, problems: step.problems, definition: definition.value }} onInput={type} />
          <pre class="json" tabIndex={0}>
            {previewOf(element, typed, step.params)}
          </pre>
        </>
      )}
    </FormDialog>
  );
}

function OperationChoice({ area, id, definition, operations, enter, pick }: ReturnType<typeof useChoice>) {
  const areas = useAreas();
  const failed = [areas, definition].find(({ error }) => error);
  return (
    <>
      {failed?.error && <ErrorAlert error={failed.error} onRetry={failed.reload} />}
      <div class="fields">
        <SelectField
          label={text("tasks.area")}
          value={area}
          choices={[["", "–"], ...placesOf(areas.value ?? [])]}
          onChange={enter}
        />
        <SelectField
          label={text("tasks.operation")}
          value={id}
          choices={[["", "–"], ...operations.map((one) => [one.id, one.title] as const)]}
          onChange={pick}
        />
      </div>
    </>
  );
}

const noStep = { method: "GET", step_path: "/", params: {} } as const; // never sent: the form is blocked without an operation

function previewOf({ method, path }: DashboardElement, typed: Params, params: Readonly<Record<string, unknown>>) {
  const body = Object.keys(params).length === 0 ? "" : `\n${JSON.stringify(params, null, 2)}`;
  return `${method} ${fillPath(path, typed)}${body}`;
}

/** The dashboards of the caller's menu by name. */
function placesOf(groups: readonly { readonly items: readonly unknown[] }[]) {
  const items = groups.flatMap((group) => group.items as readonly { readonly label: string; readonly path: string }[]); // seam: the items of the menu
  return items.map(({ label, path }) => [path, textOf(label)] as const);
}

/** The input fields of an operation that are not part of its path. */
function fieldsOf(element: DashboardElement, { schema }: DashboardDefinition) {
  const input = schema[element.id]?.input ?? {};
  const fields = Object.entries(input.properties ?? {}).filter(([name]) => !element.path_params.includes(name));
  return { fields, required: new Set(input.required) };
}

/** Reads what was typed: the step to send, undefined where something is missing or wrong, and what is wrong. */
function readStep(element: DashboardElement, definition: DashboardDefinition, typed: Params) {
  const { fields, required } = fieldsOf(element, definition);
  const problems: Record<string, FieldProblem> = {};
  const params: Record<string, unknown> = {};
  for (const [name, schema] of fields) {
    const result = readField(schema, typed[name] ?? "", required.has(name));
    if ("problem" in result) problems[name] = result.problem;
    else if (result.value !== undefined) params[name] = result.value;
  }
  const isWhole = element.path_params.every((name) => (typed[name] ?? "") !== "") && Object.keys(problems).length === 0;
  const sent = { method: element.method as "GET", step_path: fillPath(element.path, typed), params }; // seam: a method of the table
  return { problems, params, sent: isWhole ? sent : undefined };
}

interface FieldsProps {
  readonly element: DashboardElement;
  readonly definition: DashboardDefinition;
  readonly typed: Params;
  readonly problems: Readonly<Record<string, FieldProblem>>;
  readonly onInput: (name: string, value: string) => void;
}

const textSchema: FieldSchema = { type: "string" };

function StepFields({ element, definition, typed, problems, onInput }: FieldsProps) {
  const { fields, required } = fieldsOf(element, definition);
  const ofPath = element.path_params.map((name) => {
    const source = definition.path_params[name];
    return { name, schema: textSchema, isRequired: true, source: source && { ...source, value: source.field } };
  });
  const others = fields.map(([name, schema]) => {
    return {
      name,
      schema,
      isRequired: required.has(name),
      source: element.inputs.find((one) => one.name === name)?.source,
    };
  });
  return (
    <>
      {[...ofPath, ...others].map((field) => (
        <SchemaField
          key={field.name}
          {...field}
          value={typed[field.name] ?? ""}
          problem={(typed[field.name] ?? "") === "" ? undefined : problems[field.name]}
          onInput={(value) => onInput(field.name, value)}
        />
      ))}
    </>
  );
}
