import { useEffect, useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { type QueryState, useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { IdCopy } from "../../parts/copy.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { ScheduleCard } from "./schedule.tsx";
import { Steps } from "./steps.tsx";
import type { Task, TaskStep } from "./task.ts";
import { TaskActions } from "./task-actions.tsx";
import { TaskBadge } from "./task-state.tsx";

interface PageProps {
  readonly id: string;
  readonly tasks: QueryState<readonly Task[]>;
}

/** One task: its steps with how far each is, and what can be done with it. */
export function TaskPage({ id, tasks }: PageProps) {
  const task = tasks.value?.find((one) => one.id === id);
  const [ran, setRan] = useState<readonly TaskStep[]>();
  const steps = useQuery({
    key: ["tasks.steps", id],
    read: (signal) => api.tasks.steps({ task_id: id }, signal),
    ...(task?.state === "running" ? { everyMs: 2_000 } : {}),
  });
  useMarkRead(task);
  const shown = steps.value?.map((step) => ({ ...step, ...answerOf(ran, step) }));
  return (
    <Page
      title={task?.name ?? text("tasks.one")}
      crumb={<a href={hrefOf("tasks")}>{text("dashboard.tasks")}</a>}
      about={<IdCopy value={id} />}
      actions={task && <TaskActions task={task} onRan={setRan} />}
    >
      {tasks.error && <ErrorAlert error={tasks.error} onRetry={tasks.reload} />}
      {tasks.isLoading && <Skeleton />}
      {tasks.value && !task && <EmptyState icon="list" title={text("tasks.gone")} />}
      {task && (
        <>
          <div class="columns">
            <TaskFacts task={task} />
            <ScheduleCard task={task} />
          </div>
          {ran && <div class="alert alert-warn">{text("tasks.answers_once")}</div>}
          <Steps task={task} query={{ ...steps, value: shown }} />
        </>
      )}
    </Page>
  );
}

/** The full answer of a step that has just run: what is shown once is in no later one. */
function answerOf(ran: readonly TaskStep[] | undefined, { id }: TaskStep): Pick<TaskStep, "response"> {
  const response = ran?.find((step) => step.id === id)?.response;
  return response === undefined ? {} : { response };
}

/** A task that has ended is read once somebody looks at it. */
function useMarkRead(task: Task | undefined): void {
  const mark = useChange(async (id: string) => (await api.tasks.markRead({ task_id: id })) ?? null, ["tasks.list"]);
  const id = task && task.ended_at !== null && task.read_at === null ? task.id : undefined;
  useEffect(() => {
    if (id !== undefined && blockedBy("tasks.markRead") === undefined) void mark.run(id);
  }, [id]);
}

function TaskFacts({ task }: { readonly task: Task }) {
  const { state, steps_done, steps_total, start_at, ended_at } = task;
  return (
    <Card title={text("label.state")}>
      <div class="stack">
        <Facts
          rows={[
            [text("label.state"), <TaskBadge key="state" state={state} />],
            [text("tasks.steps"), `${steps_done} / ${steps_total}`],
            [text("tasks.started"), <Instant key="start" value={start_at ?? ""} isExact />],
            [text("tasks.ended"), <Instant key="end" value={ended_at ?? ""} isExact />],
          ]}
        />
        {state === "running" && <Meter used={steps_done} max={steps_total} label={text("tasks.steps")} />}
      </div>
    </Card>
  );
}
