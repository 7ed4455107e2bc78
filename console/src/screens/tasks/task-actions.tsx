import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { go } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { ConfirmDialog, FormDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import type { Task, TaskStep } from "./task.ts";

interface ActionsProps {
  readonly task: Task;
  /** Called with the steps of a run and their full answers. */
  readonly onRan: (steps: readonly TaskStep[]) => void;
}

/** What can be done with a task in its state. */
export function TaskActions({ task, onRan }: ActionsProps) {
  const [act, setAct] = useState<"run" | "duplicate" | "delete">();
  const { id: task_id, state, steps_total } = task;
  const stop = useChange(() => api.tasks.stop({ task_id }), ["tasks"]);
  const close = () => setAct(undefined);
  const isRunning = state === "running";
  const noSteps = steps_total === 0 ? text("tasks.no_steps") : undefined;
  return (
    <>
      {stop.error && <ErrorAlert error={stop.error} />}
      {state === "draft" && (
        <Button tone="primary" icon="play" blockedBy={blockedBy("tasks.run") ?? noSteps} onPress={() => setAct("run")}>
          {text("tasks.run")}
        </Button>
      )}
      {isRunning && (
        <Button
          icon="stop"
          blockedBy={blockedBy("tasks.stop")}
          isPending={stop.isPending}
          onPress={() => void stop.run(undefined).then((stopped) => stopped && toast(text("tasks.stopping")))}
        >
          {text("tasks.stop")}
        </Button>
      )}
      <Button icon="copy" blockedBy={blockedBy("tasks.duplicate")} onPress={() => setAct("duplicate")}>
        {text("tasks.duplicate")}
      </Button>
      <Button
        tone="danger"
        blockedBy={blockedBy("tasks.delete") ?? (isRunning ? text("tasks.is_running") : undefined)}
        onPress={() => setAct("delete")}
      >
        {text("action.delete")}
      </Button>
      {act === "run" && <RunDialog {...{ task, onRan }} onClose={close} />}
      {act === "duplicate" && <DuplicateDialog task={task} onClose={close} />}
      {act === "delete" && <DeleteDialog task={task} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly task: Task;
  readonly onClose: () => void;
}

/** Runs the task. The call answers at its end; the steps are seen meanwhile. */
function RunDialog({ task, onRan, onClose }: DialogProps & Pick<ActionsProps, "onRan">) {
  const change = useChange(async () => {
    const { steps } = await api.tasks.run({ task_id: task.id });
    onRan(steps as readonly TaskStep[]); // seam: the specification leaves the answer open
    return steps;
  }, ["tasks"]);
  const action = text("tasks.run");
  return (
    <ConfirmDialog title={`${action}: ${task.name}`} tone="primary" {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("tasks.run_about", { count: task.steps_total })}</p>
    </ConfirmDialog>
  );
}

function DuplicateDialog({ task, onClose }: DialogProps) {
  const [name, setName] = useState(task.name);
  const change = useChange(() => api.tasks.duplicate({ task_id: task.id, name: name.trim() }), ["tasks"]);
  const submit = async () => {
    const made = await change.run(undefined);
    if (!made) return;
    toast(text("message.saved"));
    go(`tasks/${made.id}`);
  };
  return (
    <FormDialog
      title={`${text("tasks.duplicate")}: ${task.name}`}
      action={text("tasks.duplicate")}
      {...{ change, onClose }}
      blockedBy={name.trim() === "" ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <p class="soft">{text("tasks.duplicate_about")}</p>
      <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />
    </FormDialog>
  );
}

function DeleteDialog({ task, onClose }: DialogProps) {
  const change = useChange(async () => (await api.tasks.delete({ task_id: task.id })) ?? null, ["tasks"]);
  const action = text("action.delete");
  return (
    <ConfirmDialog title={`${action}: ${task.name}`} {...{ action, change, onClose }} onDone={() => go("tasks")}>
      <p>{text("tasks.delete_about")}</p>
    </ConfirmDialog>
  );
}
