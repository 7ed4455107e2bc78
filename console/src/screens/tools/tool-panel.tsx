import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isReachable } from "../../app/nav.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { Badge, Facts, JsonView, Money } from "../../parts/values.tsx";
import { approvalMoods, changesOf, isHeld, type Tool } from "./tool.ts";
import { ToolAccess } from "./tool-access.tsx";

interface ToolProps {
  readonly tool: Tool;
}

/** One tool at the side: what its server says of it, what changed since it was approved, and who may call it. */
export function ToolPanel({ tool, onClose }: ToolProps & { readonly onClose: () => void }) {
  const { name, server, approval = "none", description, input_schema, output_schema, annotations, price } = tool;
  return (
    <Dialog title={name} isPanel onClose={onClose}>
      <div class="stack">
        {isHeld(tool) && <Approval tool={tool} />}
        <Facts
          rows={[
            [
              text("tools.approval"),
              <Badge key="approval" mood={approvalMoods[approval]}>
                {text(`tools.approval_${approval}`)}
              </Badge>,
            ],
            [text("label.description"), description ?? "–"],
            [text("tools.price"), <Money key="price" value={price} />],
          ]}
        />
        <h3>{text("tools.input_schema")}</h3>
        <JsonView value={input_schema} />
        {output_schema && <h3>{text("tools.output_schema")}</h3>}
        {output_schema && <JsonView value={output_schema} />}
        {annotations && <h3>{text("tools.annotations")}</h3>}
        {annotations && <JsonView value={annotations} />}
        {isReachable({ row: "ai.toolAccess" }) && <h3>{text("tools.who")}</h3>}
        {isReachable({ row: "ai.toolAccess" }) && <ToolAccess server={server} tool={tool.tool} />}
      </div>
    </Dialog>
  );
}

/** What is new of a tool that waits, and its approval. */
function Approval({ tool }: ToolProps) {
  const { server, tool: own, approval } = tool;
  const change = useChange(() => api.ai.approveTools({ server, tools: [own] }), ["ai"]);
  const approve = async () => {
    if (await change.run(undefined)) toast(text("message.saved"));
  };
  const changes = changesOf(tool);
  return (
    <div class="alert alert-warn">
      <div class="alert-body stack">
        <strong>{text(approval === "new" ? "tools.is_new" : "tools.is_changed")}</strong>
        {approval === "changed" && !changes && <p>{text("tools.unknown_before")}</p>}
        {changes?.map(({ field, before, after }) => (
          <section key={field} class="stack" aria-label={text(`tools.${field}`)}>
            <h3>{text(`tools.${field}`)}</h3>
            <Text name={text("tools.before")} value={before} />
            <Text name={text("tools.after")} value={after} />
          </section>
        ))}
        {change.error && <ErrorAlert error={change.error} />}
        <div class="row">
          <Button
            tone="primary"
            isSmall
            icon="check"
            blockedBy={blockedBy("ai.approveTools")}
            isPending={change.isPending}
            onPress={() => void approve()}
          >
            {text("tools.approve")}
          </Button>
        </div>
      </div>
    </div>
  );
}

function Text({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <figure>
      <figcaption class="soft">{name}</figcaption>
      <pre class="json" tabIndex={0}>
        {value === "" ? "–" : value}
      </pre>
    </figure>
  );
}
