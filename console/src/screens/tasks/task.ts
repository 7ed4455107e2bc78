import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** A task as the list has it. */
export type Task = AnswerOf<Areas["tasks"]["list"]>[number];

/** A step of a task. */
export type TaskStep = AnswerOf<Areas["tasks"]["steps"]>[number];

/** The states of tasks that have a word. */
export const taskStates = ["draft", "running", "done", "failed", "stopped"] as const;
export type TaskState = (typeof taskStates)[number];

/** How far a step is. */
export type StepState = "waiting" | "running" | "done" | "failed" | "skipped";

/** How far each step of a task is. The first failure ends a task, so that of a failed one the last step that ended has failed. */
export function stepStates(task: Pick<Task, "state">, steps: readonly TaskStep[]): readonly StepState[] {
  const last = steps.findLastIndex(({ ended_at }) => ended_at !== null);
  return steps.map(({ start_at, ended_at }, position) => {
    if (ended_at !== null) return task.state === "failed" && position === last ? "failed" : "done";
    if (start_at !== null) return task.state === "running" ? "running" : "failed";
    return task.state === "draft" || task.state === "running" ? "waiting" : "skipped";
  });
}

/** The path of an operation with its parameters filled in. One that is empty stays as it is named. */
export function fillPath(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{\+?([^}]+)\}/g, (whole, name: string) => {
    const value = values[name] ?? "";
    return value === "" ? whole : encodeURIComponent(value);
  });
}

/** A text as JSON that people read; the text itself where it is none. */
export function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** The fields of a step that were typed as JSON: an object, or undefined for anything else. */
export function readObject(typed: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = typed.trim() === "" ? {} : JSON.parse(typed);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
