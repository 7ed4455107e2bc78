import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf, useLocation } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { type AlertParam, type AlertRule, alertKinds } from "./alert.ts";
import { placeColumns } from "./place.ts";
import { RuleForm } from "./rule-form.tsx";
import { EnabledBadge } from "./status.tsx";
import { useAlertChannels } from "./use-channels.ts";

/** The rules: what each looks for, and where its alerts are sent. */
export function Rules({ openId }: { readonly openId: string | undefined }) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const [isNew, setNew] = useState(false);
  const query = useQuery({ key: ["alerts.rules"], read: (signal) => api.alerts.rules({}, signal) });
  const channels = useAlertChannels();
  const nameOf = (id: string) => channels.value?.find((one) => one.id === id)?.name ?? id;
  const shown = query.value?.filter((one) => isFound(wanted, [one.name, text(`alerts.kind_${one.kind}`)]));
  const open = query.value?.find(({ id }) => id === openId);
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("alerts.createRule")} onPress={() => setNew(true)}>
      {text("alerts.create_rule")}
    </Button>
  );
  const empty = (
    <EmptyState icon="bell" title={text("alerts.no_rules")} action={create}>
      {text("alerts.no_rules_about")}
    </EmptyState>
  );
  return (
    <>
      <div class="row">
        <SearchBox />
        {create}
      </div>
      <Card isFlush>
        <ReadTable
          label={text("alerts.tab_rules")}
          query={{ ...query, value: shown }}
          columns={[...ruleColumns(nameOf), ...placeColumns(query.value)]}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => go(`alerts/rules/${id}`, search)}
          empty={wanted === "" ? empty : <NoMatch />}
        />
      </Card>
      {open && <RulePanel key={open.id} rule={open} nameOf={nameOf} onClose={() => go("alerts/rules", search)} />}
      {isNew && <RuleForm onClose={() => setNew(false)} />}
    </>
  );
}

/** The parameters of a rule with their names. */
function paramsOf(rule: AlertRule): readonly (readonly [name: string, value: string])[] {
  const names = Object.keys(alertKinds[rule.kind].params) as AlertParam[];
  return names.map(
    (name) => [text(`alerts.param_${name}`), String(rule[name] ?? text("alerts.every_target"))] as const,
  );
}

function ruleColumns(nameOf: (id: string) => string): readonly Column<AlertRule>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ id, name, kind }) => (
        <a class="cell-main" href={hrefOf(`alerts/rules/${id}`)}>
          {name}
          <span class="cell-sub">{text(`alerts.kind_${kind}`)}</span>
        </a>
      ),
    },
    {
      id: "params",
      name: text("alerts.looks_for"),
      show: (rule) =>
        paramsOf(rule)
          .map(([name, value]) => `${name}: ${value}`)
          .join(" · ") || "–",
    },
    {
      id: "channels",
      name: text("alerts.tab_channels"),
      show: ({ channels }) => channels.map(nameOf).join(", ") || text("alerts.inbox_only"),
    },
    { id: "state", name: text("label.state"), show: ({ enabled }) => <EnabledBadge isOn={enabled} /> },
  ];
}

interface PanelProps {
  readonly rule: AlertRule;
  readonly nameOf: (id: string) => string;
  readonly onClose: () => void;
}

/** One rule at the side, and what can be done with it. */
function RulePanel({ rule, nameOf, onClose }: PanelProps) {
  const { id: alert_rule_id, name, kind, enabled, created_at } = rule;
  const [act, setAct] = useState<"edit" | "delete">();
  const toggle = useChange(() => api.alerts.changeRule({ alert_rule_id, enabled: !enabled }), ["alerts"]);
  const remove = useChange(async () => (await api.alerts.deleteRule({ alert_rule_id })) ?? null, ["alerts"]);
  const mayChange = blockedBy("alerts.changeRule");
  return (
    <>
      <Dialog title={name} isPanel onClose={onClose}>
        <div class="stack">
          <div class="row">
            <Button isSmall blockedBy={mayChange} onPress={() => setAct("edit")}>
              {text("action.edit")}
            </Button>
            <Button
              isSmall
              blockedBy={mayChange}
              isPending={toggle.isPending}
              onPress={() => void toggle.run(undefined)}
            >
              {text(enabled ? "action.disable" : "action.enable")}
            </Button>
            <Button isSmall tone="danger" blockedBy={blockedBy("alerts.deleteRule")} onPress={() => setAct("delete")}>
              {text("action.delete")}
            </Button>
          </div>
          {toggle.error && <ErrorAlert error={toggle.error} />}
          <p>{text(`alerts.about_${kind}`)}</p>
          <Facts
            rows={[
              [text("label.state"), <EnabledBadge key="state" isOn={enabled} />],
              [text("alerts.kind"), text(`alerts.kind_${kind}`)],
              ...paramsOf(rule),
              [text("alerts.tab_channels"), rule.channels.map(nameOf).join(", ") || text("alerts.inbox_only")],
              [text("label.created_at"), <Instant key="created" value={created_at} isExact />],
            ]}
          />
          <a href={hrefOf("alerts", { q: name })}>{text("alerts.of_rule")}</a>
        </div>
      </Dialog>
      {act === "edit" && <RuleForm rule={rule} onClose={() => setAct(undefined)} />}
      {act === "delete" && (
        <ConfirmDialog
          title={`${text("action.delete")}: ${name}`}
          action={text("action.delete")}
          {...{ change: remove, onClose: () => setAct(undefined), onDone: onClose }}
        >
          <p>{text("alerts.delete_rule_about")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
