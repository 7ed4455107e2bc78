import type { AnswerOf } from "../../../../../src/operations/calls.ts";
import type { Areas } from "../../../../../src/operations/portal/table.ts";
import { twins } from "../../../app/nav.ts";
import { hrefOf } from "../../../app/router.ts";
import { text } from "../../../i18n/texts.ts";
import { IdCopy } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Badge, Facts, Instant, JsonView } from "../../../parts/values.tsx";

/** An entry of the log of changes. */
export type AuditEntry = AnswerOf<Areas["users"]["audit"]>["entries"][number];

/** The screens of what ids name, by the beginning of the id. */
const places: Readonly<Record<string, string>> = {
  ten_: "tenants",
  usr_: "users",
  role_: "roles",
  vk_: "ai/keys",
  prj_: "ai/projects",
  cus_: "ai/customers",
};

/** The address of the thing that an id names; undefined where it has no page of its own. */
function placeOfId(id: string): string | undefined {
  const [, place] = Object.entries(places).find(([start]) => id.startsWith(start)) ?? [];
  return place === undefined || ![...twins.values()].includes(place) ? undefined : `${place}/${id}`;
}

/** One entry with all that is known of it. */
export function AuditPanel({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const { outcome, actor, target, changed, reason } = entry;
  return (
    <Dialog title={entry.operation} isPanel onClose={onClose}>
      <div class="stack">
        <Facts
          rows={[
            [
              text("audit.outcome"),
              <Badge key="outcome" mood={outcome === "ok" ? "good" : "bad"}>
                {outcome}
              </Badge>,
            ],
            [text("label.time"), <Instant key="at" value={entry.created_at} isExact />],
            [text("audit.actor"), <Actor key="actor" entry={entry} />],
            [text("label.token"), actor?.token_name ?? "–"],
            ...Object.entries(target),
            [text("audit.target_id"), <Target key="target" id={entry.target_id ?? undefined} />],
            [text("audit.changed"), changed?.join(", ") || "–"],
            ...(reason === undefined ? [] : [[text("label.reason"), reason] as const]),
            [text("label.event"), <IdCopy key="event" value={entry.event_id} />],
          ]}
        />
        <JsonView value={entry} />
      </div>
    </Dialog>
  );
}

function Actor({ entry: { user_id, actor } }: { readonly entry: AuditEntry }) {
  if (!user_id) return <span class="faint">–</span>;
  return <a href={hrefOf(`users/${user_id}`)}>{actor?.username ?? user_id}</a>;
}

/** What was changed, as a link where it has a page, and everything that was done to it. */
function Target({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return <span class="faint">–</span>;
  const place = placeOfId(id);
  return (
    <span class="row">
      {place === undefined ? <IdCopy value={id} /> : <a href={hrefOf(place)}>{id}</a>}
      <a href={hrefOf("audit", { target: id, from: "-90d" })}>{text("audit.same_target")}</a>
    </span>
  );
}
