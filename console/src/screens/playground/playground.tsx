import { useState } from "preact/hooks";
import { useLocation } from "../../app/router.ts";
import { textOf } from "../../app/search.ts";
import { CodeView } from "../../code/code-view.tsx";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, Skeleton } from "../../parts/states.tsx";
import { useProjects } from "../keys/key-fields.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { useModelNames } from "../models.ts";
import { Column, type Question } from "./column.tsx";
import { Composer } from "./composer.tsx";
import { PlaygroundTabs } from "./playground-tabs.tsx";
import { type ChatSettings, type ChatTurn, schemaProblem, toChatBody, toolsProblem } from "./settings.ts";

const mostModels = 4;

const emptySettings: ChatSettings = { account: "", system: "", temperature: "", maxTokens: "", schema: "", tools: "" };

/** A conversation with up to four models at once, over the session: no virtual key enters the browser. */
export function Playground() {
  const { search } = useLocation();
  const accounts = useAccounts();
  const known = useModelNames("chat");
  const [models, setModels] = useState<readonly string[]>([textOf(search.model)]);
  const [typed, setSettings] = useState({ ...emptySettings, account: textOf(search.account) });
  const [question, setQuestion] = useState<Question>();
  const [stops, setStops] = useState(0);
  const [code, setCode] = useState<{ model: string; turns: readonly ChatTurn[] }>();
  const settings = { ...typed, account: typed.account || (accounts.choices[0]?.[0] ?? "") };
  const shown = models.map((model, position) => model || (known[position] ?? ""));
  const setModel = (position: number, model: string) =>
    setModels(models.map((one, at) => (at === position ? model : one)));
  if (accounts.isLoading) return <Skeleton />;
  if (accounts.choices.length === 0)
    return (
      <Page title={text("console.playground")} about={text("playground.about")}>
        <PlaygroundTabs active="chat" />
        <EmptyState icon="chat" title={text("playground.no_account")}>
          {text("playground.no_account_hint")}
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title={text("console.playground")}
      about={text("playground.about")}
      actions={
        shown.length < mostModels && (
          <Button icon="plus" onPress={() => setModels([...models, ""])}>
            {text("playground.add_model")}
          </Button>
        )
      }
    >
      <PlaygroundTabs active="chat" />
      <Card>
        <SettingsForm {...{ settings, choices: accounts.choices }} onChange={setSettings} />
      </Card>
      <div class="chat-columns" data-count={shown.length}>
        {shown.map((model, position) => (
          <Column
            key={position}
            {...{ model, models: known, settings, question, stops }}
            onModel={(next) => setModel(position, next)}
            onRemove={shown.length === 1 ? undefined : () => setModels(models.filter((_one, at) => at !== position))}
            onCode={(turns) => setCode({ model, turns })}
          />
        ))}
      </div>
      <Composer
        isBlocked={schemaProblem(settings) || toolsProblem(settings)}
        onSend={(content) => setQuestion({ number: (question?.number ?? 0) + 1, content })}
        onStop={() => setStops(stops + 1)}
      />
      {code && (
        <Dialog title={text("action.copy_code")} onClose={() => setCode(undefined)}>
          <CodeView body={toChatBody(settings, code.model, code.turns)} />
        </Dialog>
      )}
    </Page>
  );
}

/** Who may pay: the projects and the keys that the caller sees. */
function useAccounts() {
  const projects = useProjects();
  const keys = useKeys();
  const choices = [
    ...(projects.value ?? []).map(({ id, name }) => [`project:${id}`, `${text("label.project")}: ${name}`] as const),
    ...(keys.value ?? [])
      .filter(({ is_active }) => is_active)
      .map(({ id, name }) => [`key:${id}`, `${text("label.key")}: ${name}`] as const),
  ];
  return { choices, isLoading: projects.isLoading || keys.isLoading };
}

interface SettingsFormProps {
  readonly settings: ChatSettings;
  readonly choices: readonly (readonly [string, string])[];
  readonly onChange: (settings: ChatSettings) => void;
}

function SettingsForm({ settings, choices, onChange }: SettingsFormProps) {
  const field = (name: keyof ChatSettings) => ({
    value: settings[name],
    onInput: (value: string) => onChange({ ...settings, [name]: value }),
  });
  const wrong = schemaProblem(settings) ? text("problem.json") : undefined;
  return (
    <div class="stack">
      <div class="fields">
        <SelectField
          label={text("playground.account")}
          value={settings.account}
          choices={choices}
          onChange={(account) => onChange({ ...settings, account })}
        />
        <TextField label={text("playground.temperature")} type="number" {...field("temperature")} />
        <TextField label={text("playground.max_tokens")} type="number" {...field("maxTokens")} />
      </div>
      <details>
        <summary>{text("playground.more")}</summary>
        <div class="fields">
          <TextField label={text("playground.system")} lines={4} {...field("system")} />
          <TextField
            label={text("playground.schema")}
            hint={text("playground.schema_hint")}
            error={wrong}
            lines={4}
            {...field("schema")}
          />
          <TextField
            label={text("playground.tools")}
            hint={text("playground.tools_hint")}
            error={toolsProblem(settings) ? text("problem.json") : undefined}
            lines={4}
            {...field("tools")}
          />
        </div>
      </details>
    </div>
  );
}
