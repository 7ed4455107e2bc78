import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { CheckField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import type { AiKey } from "../keys/key-state.tsx";
import { areToolsValid, readTools, toolsInWords } from "../keys/tool-patterns.ts";
import { ToolsField } from "../keys/tools-field.tsx";
import { isDraftValid, limitsInWords, toDraft, toLimits } from "./limit-draft.ts";
import { LimitFields } from "./limit-fields.tsx";

type Project = AnswerOf<Areas["ai"]["projects"]>[number];

interface EditProps {
  readonly project: Project;
  readonly keys: readonly AiKey[];
  readonly onClose: () => void;
}

/** The models of a project, as its form has them. */
function modelsOf({ llm }: Project): string {
  return (llm ?? []).map(String).join(", ");
}

/** The most that the keys may call, where it was changed; null for an emptied field. */
function changedTools(typed: string, { mcp_configs }: Project) {
  if (typed === toolsInWords(mcp_configs)) return {};
  return { mcp_configs: typed.trim() === "" ? null : readTools(typed, mcp_configs) };
}

/** Changes a project, and shows what each of its keys gets when it takes the settings too. */
export function EditProject({ project, keys, onClose }: EditProps) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description ?? "");
  const [models, setModels] = useState(modelsOf(project));
  const [tools, setTools] = useState(toolsInWords(project.mcp_configs));
  const [limits, setLimits] = useState(() => toDraft(project));
  const [isApplied, setApplied] = useState(false);
  const llms = models.split(/[\s,]+/).filter((pattern) => pattern !== "");
  const changed = toLimits(limits, project);
  const input = {
    ...(name.trim() !== project.name && { name: name.trim() }),
    ...(description !== (project.description ?? "") && { description }),
    ...(models !== modelsOf(project) && { llms }),
    ...changedTools(tools, project),
    ...(isApplied && { apply_keys: true }),
  };
  const change = useChange(
    async () => (await api.ai.changeProject({ ai_project_id: project.id, ...input, ...changed })) ?? null,
    ["ai"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  const isReady = name.trim() !== "" && isDraftValid(limits) && areToolsValid(tools);
  return (
    <FormDialog
      title={`${text("action.edit")}: ${project.name}`}
      {...{ change, onClose, isWide: true }}
      blockedBy={isReady ? undefined : text("problem.number")}
      onSubmit={() => void submit()}
    >
      <div class="fields">
        <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />
        <TextField label={text("label.description")} value={description} onInput={setDescription} />
      </div>
      <TextField
        label={text("keys.models")}
        hint={text("keys.models_hint")}
        value={models}
        onInput={setModels}
        lines={2}
      />
      <ToolsField value={tools} about={text("projects.tools_about")} onInput={setTools} />
      <LimitFields draft={limits} onChange={setLimits} />
      <CheckField label={text("projects.apply_keys")} isChecked={isApplied} onChange={setApplied} />
      {isApplied ? (
        <ApplyPreview keys={keys} after={limitsInWords({ ...project, ...changed })} models={llms} />
      ) : (
        <p class="field-hint">{text("projects.apply_about")}</p>
      )}
    </FormDialog>
  );
}

interface PreviewProps {
  readonly keys: readonly AiKey[];
  readonly after: string;
  readonly models: readonly string[];
}

/** Each key with its limits now and then. The gateway still bounds them by what a level above has set. */
function ApplyPreview({ keys, after, models }: PreviewProps) {
  if (keys.length === 0) return <p class="soft">{text("projects.no_keys")}</p>;
  return (
    <div class="stack">
      <div class="matrix">
        <Table
          label={text("projects.preview")}
          rows={keys}
          keyOf={({ id }) => id}
          columns={[
            { id: "key", name: text("label.key"), show: ({ name }) => <span class="cell-main">{name}</span> },
            { id: "before", name: text("projects.before"), show: (row) => limitsInWords(row) || text("limits.none") },
            { id: "after", name: text("projects.after"), show: () => <strong>{after || text("limits.none")}</strong> },
            { id: "models", name: text("keys.models"), show: () => models.join(", ") || text("keys.all_models") },
          ]}
        />
      </div>
      <p class="field-hint">{text("projects.preview_about")}</p>
    </div>
  );
}
