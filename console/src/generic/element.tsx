import { useState } from "preact/hooks";
import { callRow, rowOf } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { text } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { download } from "../parts/download.ts";
import { Card } from "../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../parts/states.tsx";
import { ReadTable } from "../parts/table.tsx";
import {
  columnsOf,
  type DashboardDefinition,
  type DashboardElement,
  type ElementField,
  type Params,
  titleOf,
  valueAt,
} from "./elements.ts";
import { nameOf } from "./names.ts";
import { ValueView } from "./value.tsx";

interface ElementProps {
  readonly element: DashboardElement;
  readonly definition: DashboardDefinition;
  readonly params: Params;
}

function useElement({ element, params }: ElementProps, isEnabled = true) {
  const own = Object.fromEntries(element.path_params.map((name) => [name, params[name] ?? ""]));
  return useQuery({
    key: [element.id, own],
    read: async (signal) => (await callRow(element.id, own, signal)).value,
    isEnabled,
  });
}

/** A column that is empty in every row says nothing. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Stores an answer as a file: a kubeconfig as it is, anything else as JSON. */
function downloadAnswer(id: string, value: unknown): void {
  const kubeconfig = valueAt(value, "kubeconfig");
  if (typeof kubeconfig === "string") download("kubeconfig.yaml", kubeconfig, "application/yaml");
  else download(`${id}.json`, JSON.stringify(value, undefined, 2), "application/json");
}

interface TableProps extends ElementProps {
  readonly onPick: (picked: Params) => void;
  readonly onChange: (element: DashboardElement, picked: Params, row: unknown) => void;
}

/** The rows of a list. A row opens at the side, with everything that can be done to it. */
export function ElementTable(props: TableProps) {
  const { element, definition, onPick, onChange } = props;
  const [open, setOpen] = useState<unknown>();
  const query = useElement(props);
  const value = Array.isArray(query.value) ? query.value : query.value === undefined ? undefined : [query.value];
  const isFilled = ({ name }: ElementField) => value?.some((row) => isPresent(valueAt(row, name))) !== false;
  const columns = columnsOf(element.fields.filter(isFilled)).map((field, position) => ({
    id: field.name,
    name: nameOf(field.name),
    isNumber: field.type === "number" || field.type === "integer",
    show: (row: unknown) => {
      const shown = <ValueView format={field.format} unit={field.unit} value={valueAt(row, field.name)} />;
      return position === 0 ? <span class="cell-main">{shown}</span> : shown;
    },
  }));
  const picked = (row: unknown) => pickedBy(row, element.id, definition);
  return (
    <Card title={element.title} isFlush>
      <ReadTable
        label={element.title}
        query={{ ...query, value }}
        columns={columns.length > 0 ? columns : [{ id: "value", name: "", show: (row) => <ValueView value={row} /> }]}
        keyOf={(row) => String(valueAt(row, "id") ?? JSON.stringify(row))}
        onOpen={(row) => {
          onPick(picked(row));
          setOpen(row);
        }}
      />
      {open !== undefined && (
        <RowPanel
          {...{
            ...{ definition, fields: element.fields },
            row: open,
            title: titleOf(open) ?? element.title,
            params: { ...props.params, ...picked(open) },
          }}
          onChange={(change) => {
            setOpen(undefined);
            onChange(change, picked(open), open);
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  );
}

/** The parameters that a row of the element gives. */
function pickedBy(row: unknown, id: string, { path_params }: DashboardDefinition): Params {
  const found = Object.entries(path_params).filter(([, { element }]) => element === id);
  return Object.fromEntries(
    found.flatMap(([name, { field }]) => {
      const value = valueAt(row, field);
      return value === undefined || value === null ? [] : [[name, String(value)]];
    }),
  );
}

function RowPanel(props: {
  readonly definition: DashboardDefinition;
  readonly fields: readonly ElementField[];
  readonly row: unknown;
  readonly title: string;
  readonly params: Params;
  readonly onChange: (element: DashboardElement) => void;
  readonly onClose: () => void;
}) {
  const { definition, fields, row, title, params, onChange, onClose } = props;
  const changes = definition.elements.filter(
    ({ method, path_params }) =>
      method !== "GET" && path_params.length > 0 && path_params.every((name) => params[name] !== undefined),
  );
  return (
    <Dialog title={title} isPanel onClose={onClose}>
      <div class="stack">
        {changes.length > 0 && (
          <div class="row">
            {changes.map((element) => (
              <Button
                key={element.id}
                isSmall
                tone={element.danger ? "danger" : "plain"}
                onPress={() => onChange(element)}
              >
                {element.title}
              </Button>
            ))}
          </div>
        )}
        <ValueView value={row} fields={fields} isOpen />
      </div>
    </Dialog>
  );
}

/** One object; what it is read with is picked from a row of another element first. A secret is read when somebody asks for it. */
export function ElementDetails(props: ElementProps & { readonly isOpen: boolean }) {
  const { element, isOpen } = props;
  const [, , , isSecret] = rowOf(element.id);
  const [isShown, setShown] = useState(!isSecret);
  const { value, error, isLoading, reload } = useElement(props, isOpen && isShown);
  if (!isOpen) return null;
  const actions = isShown && (
    <>
      {element.result === "download" && value !== undefined && (
        <Button isSmall icon="download" onPress={() => downloadAnswer(element.id, value)}>
          {text("action.download")}
        </Button>
      )}
      <Button tone="quiet" isSmall icon="refresh" label={text("action.refresh")} onPress={reload} />
    </>
  );
  return (
    <Card title={element.title} actions={actions}>
      {!isShown && <Button onPress={() => setShown(true)}>{text("action.show")}</Button>}
      {isLoading && <Skeleton />}
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {isShown && value !== undefined && <ValueView value={value} fields={element.fields} isOpen />}
    </Card>
  );
}
