import { useState } from "preact/hooks";
import type { QueryState } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Instant } from "../../parts/values.tsx";
import { EditStep } from "./edit-step.tsx";
import { NewStep } from "./new-step.tsx";
import { readable, type StepState, stepStates, type Task, type TaskStep } from "./task.ts";
import { StepBadge } from "./task-state.tsx";

interface StepsProps {
  readonly task: Task;
  readonly query: QueryState<readonly TaskStep[]>;
}

/** The steps of a task in their order, with what each sends and what came of it. */
export function Steps({ task, query }: StepsProps) {
  const [open, setOpen] = useState<"new" | TaskStep>();
  const { value = [], error, isLoading, reload } = query;
  const states = stepStates(task, value);
  const notNow = task.state === "draft" ? scheduledReason(task) : text("tasks.not_draft");
  const blocked = blockedBy("tasks.setStep") ?? notNow;
  const add = (
    <Button isSmall icon="plus" blockedBy={blocked} onPress={() => setOpen("new")}>
      {text("tasks.add_step")}
    </Button>
  );
  return (
    <Card title={text("tasks.steps")} actions={add}>
      {isLoading && <Skeleton lines={3} />}
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {query.value?.length === 0 && (
        <EmptyState icon="list" title={text("tasks.no_steps")}>
          {text("tasks.no_steps_about")}
        </EmptyState>
      )}
      <ol class="plan">
        {value.map((step, position) => (
          <li key={step.id} class="plan-step">
            <StepView {...{ step, state: states[position] ?? "waiting", blocked }} onEdit={() => setOpen(step)} />
          </li>
        ))}
      </ol>
      {open === "new" && <NewStep task={task} onClose={() => setOpen(undefined)} />}
      {typeof open === "object" && <EditStep step={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

/** What runs by itself stays what it was when its schedule was set. */
function scheduledReason({ next_run_at }: Task): string | undefined {
  return next_run_at === null ? undefined : text("tasks.is_scheduled");
}

interface StepProps {
  readonly step: TaskStep;
  readonly state: StepState;
  readonly blocked: string | undefined;
  readonly onEdit: () => void;
}

function StepView({ step, state, blocked, onEdit }: StepProps) {
  const { id, description, method, path, params, response, ended_at } = step;
  const hasParams = params !== undefined && params !== "{}";
  return (
    <div class="stack">
      <div class="row">
        <strong>{`${id}. ${description || path}`}</strong>
        <StepBadge state={state} />
        <Instant value={ended_at ?? ""} />
        <Button isSmall label={`${text("action.edit")}: ${id}`} blockedBy={blocked} onPress={onEdit}>
          {text("action.edit")}
        </Button>
      </div>
      <code>{`${method} ${path}`}</code>
      {hasParams && <Fold title={text("tasks.params")} json={params} />}
      {response !== undefined && <Fold title={text("tasks.answer")} json={response} isOpen={state === "failed"} />}
    </div>
  );
}

function Fold({ title, json, isOpen = false }: { title: string; json: string; isOpen?: boolean }) {
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <pre class="json" tabIndex={0}>
        {readable(json)}
      </pre>
    </details>
  );
}
