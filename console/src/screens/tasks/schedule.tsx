import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isReachable } from "../../app/nav.ts";
import { preferences } from "../../app/preferences.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { ConfirmDialog, FormDialog } from "../../parts/form-dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import type { Task } from "./task.ts";

/** When a task runs by itself, and what changes that. */
export function ScheduleCard({ task }: { readonly task: Task }) {
  const isAllowed = isReachable({ row: "tasks.readSchedule" });
  const [act, setAct] = useState<"set" | "remove">();
  const { value, error, isLoading, reload } = useQuery({
    key: ["tasks.readSchedule", task.id],
    read: (signal) => api.tasks.readSchedule({ task_id: task.id }, signal),
    isEnabled: isAllowed,
  });
  const close = () => setAct(undefined);
  if (!isAllowed) return null;
  const isScheduled = value !== undefined && (value.at !== null || value.cron !== null);
  const notNow =
    task.state !== "draft" ? text("tasks.not_draft") : task.steps_total === 0 ? text("tasks.no_steps") : undefined;
  const actions = (
    <div class="row">
      <Button isSmall blockedBy={blockedBy("tasks.schedule") ?? notNow} onPress={() => setAct("set")}>
        {text(isScheduled ? "action.edit" : "tasks.schedule")}
      </Button>
      {isScheduled && (
        <Button isSmall tone="danger" blockedBy={blockedBy("tasks.unschedule")} onPress={() => setAct("remove")}>
          {text("tasks.unschedule")}
        </Button>
      )}
    </div>
  );
  return (
    <Card title={text("tasks.schedule_title")} actions={actions}>
      {isLoading && <Skeleton lines={2} />}
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {value && !isScheduled && <p class="soft">{text("tasks.by_hand")}</p>}
      {value && isScheduled && (
        <Facts
          rows={[
            [text("tasks.next_run"), <Instant key="next" value={value.next_run_at ?? ""} isExact />],
            ...(value.cron === null ? [] : [["cron", <code key="cron">{value.cron}</code>] as const]),
            [text("tasks.zone"), value.timezone],
          ]}
        />
      )}
      {act === "set" && <ScheduleDialog {...{ task, cron: value?.cron ?? "" }} onClose={close} />}
      {act === "remove" && <RemoveDialog task={task} onClose={close} />}
    </Card>
  );
}

interface DialogProps {
  readonly task: Task;
  readonly onClose: () => void;
}

/** Lets a draft run at an instant, or again and again. */
function ScheduleDialog({ task, cron: first, onClose }: DialogProps & { readonly cron: string }) {
  const [way, setWay] = useState(first === "" ? "once" : "cron");
  const [at, setAt] = useState("");
  const [cron, setCron] = useState(first || "0 6 * * 1");
  const [timezone, setZone] = useState(
    () => preferences.get().zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const change = useChange(() => {
    const times = way === "once" ? { at: new Date(at).toISOString() } : { cron: cron.trim() };
    return api.tasks.schedule({ task_id: task.id, timezone, ...times });
  }, ["tasks"]);
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  const isMissing = way === "once" ? Number.isNaN(Date.parse(at)) : cron.trim().split(/\s+/).length !== 5;
  return (
    <FormDialog
      title={`${text("tasks.schedule")}: ${task.name}`}
      {...{ change, onClose }}
      blockedBy={isMissing ? text(way === "once" ? "problem.instant" : "tasks.cron_rule") : undefined}
      onSubmit={() => void submit()}
    >
      <SelectField
        label={text("tasks.way")}
        value={way}
        choices={[
          ["once", text("tasks.once")],
          ["cron", text("tasks.again")],
        ]}
        onChange={setWay}
      />
      {way === "once" ? (
        <TextField label={text("tasks.at")} type="datetime-local" value={at} onInput={setAt} isRequired />
      ) : (
        <div class="fields">
          <TextField label="cron" hint={text("tasks.cron_hint")} value={cron} onInput={setCron} isRequired />
          <TextField label={text("tasks.zone")} value={timezone} onInput={setZone} isRequired />
        </div>
      )}
      <p class="soft">{text("tasks.schedule_about")}</p>
    </FormDialog>
  );
}

function RemoveDialog({ task, onClose }: DialogProps) {
  const change = useChange(async () => (await api.tasks.unschedule({ task_id: task.id })) ?? null, ["tasks"]);
  const action = text("tasks.unschedule");
  return (
    <ConfirmDialog title={`${action}: ${task.name}`} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("tasks.unschedule_about")}</p>
    </ConfirmDialog>
  );
}
