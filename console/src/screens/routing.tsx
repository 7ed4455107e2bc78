import { useEffect, useState } from "preact/hooks";
import type { AnswerOf } from "../../../src/operations/calls.ts";
import type { Areas } from "../../../src/operations/portal/table.ts";
import { api } from "../api/client.ts";
import { useChange } from "../api/query.ts";
import { useLocation } from "../app/router.ts";
import { type SearchValues, textOf } from "../app/search.ts";
import { text } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Card, Page } from "../parts/page.tsx";
import { EmptyState, ErrorAlert } from "../parts/states.tsx";
import { Money } from "../parts/values.tsx";
import { useKeys } from "./keys/use-keys.ts";
import { useModelNames } from "./models.ts";
import { reasonInWords } from "./requests/reason.tsx";

type Plan = AnswerOf<Areas["ai"]["plan"]>;

interface Draft {
  readonly model: string;
  readonly fallbacks: string;
  readonly prompt: string;
  readonly completion: string;
  /** Empty for the caller's own route, which only the provider level may ask for. */
  readonly key_id: string;
}

/** What the address asks about: a request's page links here with its model, its key and its tokens. */
function draftOf(search: SearchValues): Draft {
  return {
    ...{ model: textOf(search.model), fallbacks: textOf(search.fallbacks), key_id: textOf(search.key_id) },
    ...{ prompt: textOf(search.prompt, "1000"), completion: textOf(search.completion, "500") },
  };
}

/** The route that a request would take, and why; nothing is sent to a provider. */
export function Routing() {
  const { search } = useLocation();
  const [plan, setPlan] = useState<Plan>();
  const change = useChange(askPlan);
  const explain = (draft: Draft) => void change.run(draft).then(setPlan);
  const asked = draftOf(search);
  useEffect(() => {
    if (asked.model !== "") explain(asked);
  }, []);
  return (
    <Page title={text("console.routing")} about={text("routing.about")}>
      <div class="columns">
        <Card>
          <RoutingForm first={asked} isPending={change.isPending} onExplain={explain} />
        </Card>
        <Card title={text("routing.plan")}>
          {change.error && <ErrorAlert error={change.error} />}
          {plan ? <PlanView plan={plan} /> : !change.error && <EmptyState icon="route" title={text("routing.empty")} />}
        </Card>
      </div>
    </Page>
  );
}

function askPlan({ model, fallbacks: typed, key_id, prompt, completion }: Draft): Promise<Plan> {
  const fallbacks = typed.split(/[\s,]+/).filter((one) => one !== "");
  return api.ai.plan({
    ...{ model: model.trim(), prompt_tokens: Number(prompt) || 0, completion_tokens: Number(completion) || 0 },
    ...(key_id === "" ? {} : { key_id }),
    ...(fallbacks.length === 0 ? {} : { fallbacks }),
  });
}

interface RoutingFormProps {
  readonly first: Draft;
  readonly isPending: boolean;
  readonly onExplain: (draft: Draft) => void;
}

function RoutingForm({ first, isPending, onExplain }: RoutingFormProps) {
  const [draft, setDraft] = useState(first);
  const models = useModelNames();
  const choices = (useKeys().value ?? []).map(({ id, name }) => [id, name] as const);
  const field = (name: keyof Draft) => ({
    value: draft[name],
    onInput: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const model = { label: text("label.model"), ...field("model"), placeholder: "openai/gpt-5-mini" };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onExplain(draft);
      }}
    >
      <TextField {...model} isRequired isFocused suggestions={models} />
      <SelectField
        label={text("label.key")}
        value={draft.key_id}
        choices={[["", text("costs.none")], ...choices]}
        onChange={(key_id) => setDraft({ ...draft, key_id })}
      />
      <TextField label={text("routing.fallbacks")} hint={text("message.list_hint")} {...field("fallbacks")} />
      <TextField label={text("label.prompt_tokens")} type="number" {...field("prompt")} />
      <TextField label={text("label.completion_tokens")} type="number" {...field("completion")} />
      <div class="form-actions">
        <Button tone="primary" isSubmit icon="route" isPending={isPending}>
          {text("routing.explain")}
        </Button>
      </div>
    </form>
  );
}

function PlanView({ plan: { targets, skipped, rule } }: { readonly plan: Plan }) {
  return (
    <div class="stack">
      {rule !== undefined && (
        <p>
          {text("routing.rule")} <code>{rule}</code>
        </p>
      )}
      <ol class="plan">
        {targets.map(({ target, expected_cost }, position) => (
          <li key={target}>
            <span class="step-number">{position + 1}</span>
            <strong>{target}</strong>
            <span class="row-end soft">
              <Money value={expected_cost} />
            </span>
          </li>
        ))}
        {skipped.map(({ entry, reason, message }) => (
          <li key={`${entry} ${reason}`} data-skipped="true">
            <Icon name="close" />
            <span>
              <strong>{entry}</strong> <code>{reason}</code>
              <span class="cell-sub">{reasonInWords(reason)}</span>
              <span class="cell-sub">{message}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
