import { z } from "zod";
import { TimeZone } from "../../../engine/api/limits/time-zone.ts";
import { op } from "../../define.ts";
import { documentedAs } from "../../document/json-schema.ts";
import { flag, instant, note, obj, title } from "../fields.ts";

/** `draft → running → done | failed`, and `stopped` from running (portal-resolved.md, section 5). */
const TaskState = z.enum(["draft", "running", "done", "failed", "stopped"]);
const TaskMethod = z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** A list of steps that run one after the other. */
export const PortalTask = z.object({
  ended_at: instant.nullable(),
  id: z.string(),
  name: z.string(),
  /** When it runs by itself next; null for a task without a schedule. */
  next_run_at: instant.nullable(),
  read_at: instant.nullable(),
  start_at: instant.nullable(),
  state: TaskState,
  steps_done: z.int(),
  steps_total: z.int(),
  user_id: z.string(),
});
export type PortalTask = z.output<typeof PortalTask>;

/** One call of a task; `params` and `response` are JSON as text, absent where they can no longer be decrypted. */
export const TaskStep = z.object({
  description: z.string(),
  ended_at: instant.nullable(),
  id: z.int(),
  method: TaskMethod,
  params: z.string().optional(),
  path: z.string(),
  response: z.string().optional(),
  start_at: instant.nullable(),
  task_id: z.string(),
});
export type TaskStep = z.output<typeof TaskStep>;

/** When a task runs by itself: once, or again and again. */
export const TaskSchedule = z.object({
  at: instant.nullable(),
  cron: z.string().nullable(),
  next_run_at: instant.nullable(),
  task_id: z.string(),
  timezone: z.string(),
});
export type TaskSchedule = z.output<typeof TaskSchedule>;

/** The most characters of a step's fields, as JSON. */
const longestParams = 100_000;

/** The fields of a step: an object, or a text with the JSON of one. */
const stepParams = documentedAs(
  z.union([
    obj.refine(
      (fields) => JSON.stringify(fields).length <= longestParams,
      `must have at most ${longestParams} characters as JSON`,
    ),
    z.string().max(longestParams),
  ]),
  obj,
);

/** Tasks: lists of portal calls that run in order. */
export const tasks = {
  list: op("GET /task", "task-get", "List tasks", { in: { unread: flag.optional() }, out: z.array(PortalTask) }),
  create: op("POST /task", "task-post", "Create a task", { in: { name: title }, out: z.object({ id: z.string() }) }),
  get: op("GET /task/{task_id}", "task_details-get", "Read a task", { out: PortalTask, isExtension: true }),
  delete: op("DELETE /task/{task_id}", "task-delete", "Delete a task that is not running", { isExtension: true }),
  duplicate: op(
    "POST /task/{task_id}/duplicate",
    "task_duplicate-post",
    "Copy a task with its steps into a new draft",
    {
      in: { name: title.optional() },
      out: z.object({ id: z.string() }),
      isExtension: true,
    },
  ),
  markRead: op("POST /task/{task_id}", "task_read-post", "Mark a task as read"),
  run: op("POST /task/{task_id}/run", "task_run-post", "Run a task", { out: obj }),
  stop: op("POST /task/{task_id}/stop", "task_stop-post", "Stop a running task after its present step", {
    out: z.object({ id: z.string(), state: TaskState, steps_done: z.int(), steps_total: z.int() }),
    isExtension: true,
  }),
  schedule: op("PUT /task/{task_id}/schedule", "task_schedule-put", "Run a draft at an instant, or again and again", {
    in: { at: instant.optional(), cron: z.string().max(200).optional(), timezone: TimeZone.optional() },
    out: TaskSchedule,
    isExtension: true,
  }),
  readSchedule: op("GET /task/{task_id}/schedule", "task_schedule-get", "Read when a task runs by itself", {
    out: TaskSchedule,
    isExtension: true,
  }),
  unschedule: op("DELETE /task/{task_id}/schedule", "task_schedule-delete", "Take the schedule off a task", {
    isExtension: true,
  }),
  steps: op("GET /task/{task_id}/step", "task_step-get", "List the steps of a task", { out: z.array(TaskStep) }),
  setStep: op("POST /task/{task_id}/step", "task_step-post", "Add a step, or replace one", {
    in: {
      description: note,
      method: TaskMethod,
      params: stepParams,
      step_path: z.string().regex(/^\//, "must begin with `/`").max(2_000),
      step_id: z.int().positive().optional(),
    },
    out: z.object({ id: z.int(), task_id: z.string() }),
  }),
};
