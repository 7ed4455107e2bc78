import { api, rowOf } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";
import { CodeView } from "../../code/code-view.tsx";
import { text } from "../../i18n/texts.ts";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { Badge, Facts } from "../../parts/values.tsx";
import { useModelNames } from "../models.ts";
import { type KeyDraft, matchModels, patternsOf } from "./key-draft.ts";
import { ToolsField } from "./tools-field.tsx";

interface StepProps {
  readonly draft: KeyDraft;
  readonly onChange: (part: Partial<KeyDraft>) => void;
}

/** The fields of one step of a new key. */
export function StepFields({ step, ...props }: StepProps & { readonly step: number }) {
  if (step === 0) return <Who {...props} />;
  if (step === 1) return <What {...props} />;
  return step === 2 ? <Limits {...props} /> : <Review draft={props.draft} />;
}

/** The projects that a key may be put into. */
export function useProjects() {
  return useQuery({
    key: ["ai.projects"],
    read: (signal) => api.ai.projects({}, signal),
    isEnabled: isPermitted(rowOf("ai.projects")[2]),
  });
}

function Who({ draft, onChange }: StepProps) {
  const choices = (useProjects().value ?? []).map(({ id, name }) => [id, name] as const);
  return (
    <>
      <TextField
        label={text("label.name")}
        value={draft.name}
        onInput={(name) => onChange({ name })}
        isFocused
        isRequired
      />
      <TextField
        label={text("label.description")}
        value={draft.description}
        onInput={(description) => onChange({ description })}
      />
      <SelectField
        label={text("label.project")}
        value={draft.project_id}
        choices={[["", text("keys.no_project")], ...choices]}
        onChange={(project_id) => onChange({ project_id })}
      />
      <CheckField
        label={text("keys.user_bound")}
        isChecked={draft.isUserBound}
        onChange={(isUserBound) => onChange({ isUserBound })}
      />
    </>
  );
}

function What({ draft, onChange }: StepProps) {
  const tiers = useQuery({
    key: ["ai.tiers"],
    read: (signal) => api.ai.tiers({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isPermitted(rowOf("ai.tiers")[2]),
  });
  const names = (tiers.value ?? []).map(({ name }) => [name, name] as const);
  const field = {
    label: text("keys.tier"),
    hint: text("keys.tier_hint"),
    value: draft.tier,
  };
  return (
    <>
      {names.length > 0 ? (
        <SelectField {...field} choices={names} onChange={(tier) => onChange({ tier })} />
      ) : (
        <TextField {...field} onInput={(tier) => onChange({ tier })} />
      )}
      <TextField
        label={text("keys.models")}
        hint={text("keys.models_hint")}
        value={draft.models}
        lines={3}
        onInput={(models) => onChange({ models })}
      />
      <Matches draft={draft} />
      <ToolsField value={draft.tools} onInput={(tools) => onChange({ tools })} />
    </>
  );
}

/** How many models each pattern names: one that names none is a slip of the pen. */
function Matches({ draft }: Pick<StepProps, "draft">) {
  const models = useModelNames();
  const patterns = patternsOf(draft);
  if (models.length === 0 || patterns.length === 0) return null;
  return (
    <div class="row" role="status">
      {patterns.slice(0, 20).map((pattern) => {
        const count = matchModels(pattern, models).length;
        return (
          <Badge key={pattern} mood={count === 0 ? "warn" : "good"}>
            {text("keys.matches", { pattern, count })}
          </Badge>
        );
      })}
    </div>
  );
}

const durations = ["1m", "1h", "1d", "1w", "1M"] as const;

/** What the windows of limits are called. */
const windows = () => durations.map((window) => [window, text(`window.${window}`)] as const);

function windowOf(chosen: string): (typeof durations)[number] {
  return durations.find((window) => window === chosen) ?? "1M";
}

function Limits({ draft, onChange }: StepProps) {
  return (
    <>
      <div class="fields">
        <TextField
          {...{ label: text("keys.budget"), hint: text("keys.budget_hint"), type: "number", value: draft.budget }}
          onInput={(budget) => onChange({ budget })}
        />
        <SelectField
          label={text("keys.window")}
          value={draft.budgetWindow}
          choices={windows()}
          onChange={(window) => onChange({ budgetWindow: windowOf(window) })}
        />
        <TextField
          {...{ label: text("keys.requests"), type: "number", value: draft.requests }}
          onInput={(requests) => onChange({ requests })}
        />
        <SelectField
          label={text("keys.window")}
          value={draft.requestWindow}
          choices={windows()}
          onChange={(window) => onChange({ requestWindow: windowOf(window) })}
        />
      </div>
      <TextField
        {...{ label: text("keys.expires"), hint: text("keys.expires_hint"), type: "datetime-local" }}
        value={draft.expires}
        onInput={(expires) => onChange({ expires })}
      />
    </>
  );
}

function Review({ draft }: { readonly draft: KeyDraft }) {
  const { name, tier, models, budget, budgetWindow, requests, requestWindow, expires } = draft;
  return (
    <>
      <Facts
        rows={[
          [text("label.name"), name],
          [text("keys.tier"), tier],
          [text("keys.models"), models || text("keys.all_models")],
          [text("keys.tools"), draft.tools || "–"],
          [text("keys.budget"), budget === "" ? text("limits.none") : `$${budget} / ${budgetWindow}`],
          [text("keys.requests"), requests === "" ? text("limits.none") : `${requests} / ${requestWindow}`],
          [text("keys.expires"), expires === "" ? text("keys.never") : expires.replace("T", " ")],
        ]}
      />
      <p class="soft">{text("keys.call_hint")}</p>
      <CodeView
        body={{ model: patternsOf(draft)[0] ?? "openai/gpt-5-mini", messages: [{ role: "user", content: "Hello" }] }}
      />
    </>
  );
}
