import { useState } from "preact/hooks";
import type { AlertKind } from "../../../../src/operations/records/alerts/alerts.ts";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { text } from "../../i18n/texts.ts";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { type AlertParam, type AlertRule, alertKinds, isParamValid, readParams, typedParams } from "./alert.ts";
import { isSamePlace, type Place, useOwnPlace } from "./place.ts";
import { useAlertChannels } from "./use-channels.ts";

const kinds = Object.keys(alertKinds) as AlertKind[];

interface FormProps {
  /** The rule that is changed; its kind stays. */
  readonly rule?: AlertRule;
  readonly onClose: () => void;
}

/** A new rule, or another form of one: what it looks for, and where its alerts are sent. */
export function RuleForm({ rule, onClose }: FormProps) {
  const [name, setName] = useState(rule?.name ?? "");
  const [kind, setKind] = useState<AlertKind>(rule?.kind ?? "budget_used");
  const [typed, setTyped] = useState(typedParams(kind, rule));
  const [channels, setChannels] = useState<readonly string[]>(rule?.channels ?? []);
  const change = useChange(() => {
    const fields = { name: name.trim(), channels: [...channels], ...readParams(typed) };
    return rule
      ? api.alerts.changeRule({ alert_rule_id: rule.id, ...fields })
      : api.alerts.createRule({ kind, ...fields });
  }, ["alerts"]);
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  const isEmptied = rule?.target !== undefined && typed.target?.trim() === "";
  const isWrong = Object.entries(typed).some(([param, value]) => !isParamValid(param as AlertParam, value));
  const missing = name.trim() === "" || isEmptied ? text("problem.required") : undefined;
  return (
    <FormDialog
      title={rule ? `${text("action.edit")}: ${rule.name}` : text("alerts.create_rule")}
      action={text(rule ? "action.save" : "action.create")}
      {...{ change, onClose }}
      blockedBy={missing ?? (isWrong ? text("alerts.wrong_number") : blockedBy(alertKinds[kind].row))}
      onSubmit={() => void submit()}
    >
      <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />
      {!rule && (
        <SelectField
          label={text("alerts.kind")}
          value={kind}
          choices={kinds.map((one) => [one, text(`alerts.kind_${one}`)] as const)}
          onChange={(value) => {
            setKind(value as AlertKind); // one of the choices
            setTyped(typedParams(value as AlertKind));
          }}
        />
      )}
      <p class="soft">{text(`alerts.about_${kind}`)}</p>
      <ParamFields typed={typed} onChange={(part) => setTyped({ ...typed, ...part })} />
      <ChannelChoice place={rule} chosen={channels} onChange={setChannels} />
    </FormDialog>
  );
}

type Typed = Readonly<Partial<Record<AlertParam, string>>>;

function ParamFields({ typed, onChange }: { readonly typed: Typed; readonly onChange: (part: Typed) => void }) {
  const params = Object.entries(typed) as [AlertParam, string][];
  if (params.length === 0) return null;
  return (
    <div class="fields">
      {params.map(([param, value]) => (
        <TextField
          key={param}
          label={text(`alerts.param_${param}`)}
          {...(param === "target" ? { hint: text("alerts.target_hint") } : { type: "number" as const })}
          value={value}
          error={isParamValid(param, value) ? undefined : text("alerts.wrong_number")}
          onInput={(next) => onChange({ [param]: next })}
        />
      ))}
    </div>
  );
}

interface ChoiceProps {
  /** The rule, whose channels are of its own place; undefined for a new one, which is at the caller's. */
  readonly place: Place | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The channels that the alerts of a rule are sent to. */
function ChannelChoice({ place, chosen, onChange }: ChoiceProps) {
  const own = useOwnPlace();
  const channels = (useAlertChannels().value ?? []).filter((one) => isSamePlace(one, place ?? own));
  return (
    <fieldset class="field">
      <legend>{text("alerts.tab_channels")}</legend>
      {channels.length === 0 && <p class="soft">{text("alerts.no_channels_yet")}</p>}
      {channels.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          isChecked={chosen.includes(id)}
          onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  );
}
