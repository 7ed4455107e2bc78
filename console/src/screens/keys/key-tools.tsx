import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import type { AiKey } from "./key-state.tsx";
import { areToolsValid, readTools, toolsInWords, withLimits } from "./tool-patterns.ts";
import { ToolsField } from "./tools-field.tsx";

/** Changes the tools of MCP servers that a key may call. */
export function KeyTools({ row, onClose }: { readonly row: AiKey; readonly onClose: () => void }) {
  const [typed, setTyped] = useState(toolsInWords(row.mcp_configs));
  const change = useChange(
    () => api.ai.changeKey({ key_id: row.id, mcp_configs: withLimits(readTools(typed, row.mcp_configs)) }),
    ["ai"],
  );
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("keys.tools")}: ${row.name}`}
      {...{ change, onClose }}
      blockedBy={areToolsValid(typed) ? undefined : text("keys.tools_rule")}
      onSubmit={() => void submit()}
    >
      <ToolsField value={typed} onInput={setTyped} />
    </FormDialog>
  );
}
