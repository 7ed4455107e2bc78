import { text } from "../../i18n/texts.ts";
import { Badge, type Mood } from "../../parts/values.tsx";
import { type StepState, type TaskState, taskStates } from "./task.ts";

/** How the states of tasks and of their steps are meant. */
const stateMoods: Readonly<Record<TaskState | StepState, Mood>> = {
  draft: "plain",
  running: "primary",
  done: "good",
  failed: "bad",
  stopped: "warn",
  waiting: "plain",
  skipped: "plain",
};

/** The state of a task as a word; one that is not known as the gateway names it. */
export function TaskBadge({ state }: { readonly state: string }) {
  const known = taskStates.find((one) => one === state);
  return <Badge mood={known ? stateMoods[known] : "plain"}>{known ? text(`tasks.state_${known}`) : state}</Badge>;
}

/** How far a step is, as a word. */
export function StepBadge({ state }: { readonly state: StepState }) {
  return <Badge mood={stateMoods[state]}>{text(`tasks.state_${state}`)}</Badge>;
}
