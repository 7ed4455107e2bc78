import { useState } from "preact/hooks";
import { api } from "../api/client.ts";
import { freshFor, useQuery } from "../api/query.ts";
import type { ScreenProps } from "../app/screen.ts";
import { text, textOf } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { SelectField } from "../parts/field.tsx";
import { Page } from "../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../parts/states.tsx";
import { useChoices } from "./choices.ts";
import { ElementDetails, ElementTable } from "./element.tsx";
import { ElementDialog } from "./element-form.tsx";
import type { DashboardDefinition, DashboardElement, ParamSource, Params } from "./elements.ts";
import { nameOf } from "./names.ts";

/** A dashboard as the gateway defines it: its tables and objects, and a button for every operation that changes something. */
export function Dashboard({ rest: [path = ""] }: ScreenProps) {
  return <DashboardPage key={path} path={path} />;
}

function DashboardPage({ path }: { readonly path: string }) {
  const definition = useQuery({
    key: ["dashboards.get", path],
    read: async (signal) =>
      (await api.dashboards.get({ dashboard_path: path }, signal)) as unknown as DashboardDefinition, // seam: the document of `elements.ts`
    staleMs: freshFor.catalogue,
  });
  const { value, error, reload } = definition;
  return (
    <Page title={textOf(`dashboard.${path}`)}>
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {value ? <Elements definition={value} /> : !error && <Skeleton />}
    </Page>
  );
}

function Elements({ definition }: { readonly definition: DashboardDefinition }) {
  const [params, setParams] = useState<Params>({});
  const [opened, setOpened] = useState<{ element: DashboardElement; params: Params; row?: unknown }>();
  const { elements } = definition;
  const isFree = ({ path_params }: DashboardElement) => path_params.every((name) => params[name] !== undefined);
  const reads = elements.filter(({ method }) => method === "GET");
  const changes = elements.filter(({ method, path_params }) => method !== "GET" && path_params.length === 0);
  const tables = new Set(elements.filter(({ kind }) => kind === "table").map(({ id }) => id));
  const foreign = Object.entries(definition.path_params).filter(([, { element }]) => !tables.has(element));
  return (
    <>
      {foreign.length > 0 && (
        <div class="row">
          {foreign.map(([name, source]) => (
            <ParamPicker
              key={name}
              {...{ name, source, value: params[name] ?? "" }}
              onPick={(value) => setParams({ ...params, [name]: value })}
            />
          ))}
        </div>
      )}
      {changes.length > 0 && (
        <div class="row">
          {changes.map((element) => (
            <Button key={element.id} onPress={() => setOpened({ element, params })}>
              {element.title}
            </Button>
          ))}
        </div>
      )}
      {reads.map((element) =>
        element.kind === "table" && isFree(element) ? (
          <ElementTable
            key={element.id}
            {...{ element, definition, params }}
            onPick={(picked) => setParams({ ...params, ...picked })}
            onChange={(change, picked, row) => setOpened({ element: change, params: { ...params, ...picked }, row })}
          />
        ) : (
          <ElementDetails key={element.id} {...{ element, definition, params }} isOpen={isFree(element)} />
        ),
      )}
      {opened && (
        <ElementDialog
          {...opened}
          schema={definition.schema[opened.element.id]?.input ?? {}}
          onClose={() => setOpened(undefined)}
        />
      )}
      {reads.length === 0 && changes.length === 0 && <p class="soft">{text("message.empty")}</p>}
    </>
  );
}

interface PickerProps {
  readonly name: string;
  readonly source: ParamSource;
  readonly value: string;
  readonly onPick: (value: string) => void;
}

/** What is picked from a list that is no table of this dashboard. */
function ParamPicker({ name, source: { element, field, label }, value, onPick }: PickerProps) {
  const { choices, isRead } = useChoices({ element, value: field, label });
  if (!isRead) return null;
  return <SelectField label={nameOf(name)} value={value} choices={[["", "–"], ...choices]} onChange={onPick} />;
}
