import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isReachable } from "../../app/nav.ts";
import { pageZone } from "../../app/time-range.tsx";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Count } from "../../parts/values.tsx";
import type { AiKey } from "../keys/key-state.tsx";
import { EditProject } from "./edit-project.tsx";

type Project = AnswerOf<Areas["ai"]["projects"]>[number];

interface ActionsProps {
  readonly project: Project;
  readonly keys: readonly AiKey[];
  readonly onDeleted: () => void;
}

/** What can be done to a project: change it, switch it, delete it. */
export function ProjectActions({ project, keys, onDeleted }: ActionsProps) {
  const [act, setAct] = useState<"edit" | "switch" | "delete">();
  const { id: ai_project_id, name, disabled } = project;
  const close = () => setAct(undefined);
  const toggle = useChange(async () => (await api.ai.toggleProject({ ai_project_id })) ?? null, ["ai"]);
  const remove = useChange(async () => (await api.ai.deleteProject({ ai_project_id })) ?? null, ["ai"]);
  const toggleName = text(disabled ? "action.enable" : "action.disable");
  return (
    <>
      <Button blockedBy={blockedBy("ai.changeProject")} onPress={() => setAct("edit")}>
        {text("action.edit")}
      </Button>
      <Button blockedBy={blockedBy("ai.toggleProject")} onPress={() => setAct("switch")}>
        {toggleName}
      </Button>
      <Button tone="danger" blockedBy={blockedBy("ai.deleteProject")} onPress={() => setAct("delete")}>
        {text("action.delete")}
      </Button>
      {act === "edit" && <EditProject project={project} keys={keys} onClose={close} />}
      {act === "switch" && (
        <ConfirmDialog
          title={`${toggleName}: ${name}`}
          action={toggleName}
          tone={disabled ? "primary" : "danger"}
          change={toggle}
          onDone={close}
          onClose={close}
        >
          {disabled ? <p>{text("projects.enable_about")}</p> : <Impact project={project} keys={keys} />}
        </ConfirmDialog>
      )}
      {act === "delete" && (
        <ConfirmDialog
          title={`${text("action.delete")}: ${name}`}
          action={text("action.delete")}
          word={name}
          change={remove}
          onDone={onDeleted}
          onClose={close}
        >
          <p>{text("projects.delete_about")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const hourMs = 3_600_000;

/** What stops when a project is disabled: its keys, and the requests that they made in the last hour. */
function Impact({ project, keys }: Pick<ActionsProps, "project" | "keys">) {
  const [now] = useState(() => Math.ceil(Date.now() / 60_000) * 60_000);
  const [from, to] = [new Date(now - hourMs).toISOString(), new Date(now).toISOString()];
  const usage = useQuery({
    key: ["ai.usage", "of the last hour", project.id, to],
    read: (signal) => api.ai.usage({ project_id: [project.id], from, to, timezone: pageZone() }, signal),
    isEnabled: isReachable({ row: "ai.usage" }),
  });
  return (
    <p>
      {text("projects.impact", { keys: keys.filter(({ is_active }) => is_active).length })}{" "}
      {usage.value && (
        <>
          {text("projects.last_hour")} <Count value={usage.value[0]?.requests ?? 0} />.
        </>
      )}
    </p>
  );
}
