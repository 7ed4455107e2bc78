import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { Count, Facts, Instant } from "../../parts/values.tsx";
import type { AlertChannel } from "./alert.ts";
import { ChannelForm, SigningSecret } from "./channel-form.tsx";
import { addressOf, DeliveryBadge, EnabledBadge } from "./status.tsx";

interface PanelProps {
  readonly channel: AlertChannel;
  readonly onClose: () => void;
}

/** One channel at the side: how its deliveries go, and what can be done with it. */
export function ChannelPanel({ channel, onClose }: PanelProps) {
  const [act, setAct] = useState<"edit" | "secret" | "delete">();
  const close = () => setAct(undefined);
  return (
    <>
      <Dialog title={channel.name} isPanel onClose={onClose}>
        <div class="stack">
          <ChannelActions channel={channel} onAct={setAct} />
          <ChannelFacts channel={channel} />
        </div>
      </Dialog>
      {act === "edit" && <ChannelForm channel={channel} onClose={close} />}
      {act === "secret" && <NewSecret channel={channel} onClose={close} />}
      {act === "delete" && <DeleteChannel channel={channel} onClose={close} onDone={onClose} />}
    </>
  );
}

interface ActionsProps {
  readonly channel: AlertChannel;
  readonly onAct: (act: "edit" | "secret" | "delete") => void;
}

function ChannelActions({ channel, onAct }: ActionsProps) {
  const { id: alert_channel_id, enabled, kind } = channel;
  const toggle = useChange(() => api.alerts.changeChannel({ alert_channel_id, enabled: !enabled }), ["alerts"]);
  const test = useChange(() => api.alerts.testChannel({ alert_channel_id }), ["alerts"]);
  const [failure, setFailure] = useState<string>();
  const mayChange = blockedBy("alerts.changeChannel");
  const tryIt = async () => {
    const result = await test.run(undefined);
    if (result?.delivered) toast(text("alerts.test_arrived"));
    setFailure(result && !result.delivered ? (result.error ?? String(result.status)) : undefined);
  };
  const error = test.error ?? toggle.error;
  return (
    <>
      <div class="row">
        <Button
          isSmall
          icon="play"
          blockedBy={blockedBy("alerts.testChannel")}
          isPending={test.isPending}
          onPress={() => void tryIt()}
        >
          {text("alerts.test")}
        </Button>
        <Button isSmall blockedBy={mayChange} onPress={() => onAct("edit")}>
          {text("action.edit")}
        </Button>
        {kind === "webhook" && (
          <Button isSmall blockedBy={mayChange} onPress={() => onAct("secret")}>
            {text("alerts.new_secret")}
          </Button>
        )}
        <Button isSmall blockedBy={mayChange} isPending={toggle.isPending} onPress={() => void toggle.run(undefined)}>
          {text(enabled ? "action.disable" : "action.enable")}
        </Button>
        <Button isSmall tone="danger" blockedBy={blockedBy("alerts.deleteChannel")} onPress={() => onAct("delete")}>
          {text("action.delete")}
        </Button>
      </div>
      {error && <ErrorAlert error={error} />}
      {failure !== undefined && (
        <div class="alert" role="alert">
          <div class="alert-body">{text("alerts.test_failed", { reason: failure })}</div>
        </div>
      )}
    </>
  );
}

function ChannelFacts({ channel }: { readonly channel: AlertChannel }) {
  const { kind, enabled, language, pending, failed, dropped, last_attempt_at, last_success_at, last_error } = channel;
  return (
    <Facts
      rows={[
        [text("label.state"), <EnabledBadge key="state" isOn={enabled} />],
        [text("label.type"), text(`alerts.way_${kind}`)],
        [text(kind === "webhook" ? "alerts.url" : "alerts.to"), addressOf(channel)],
        [text("label.language"), language ?? text("alerts.language_of_tenant")],
        [text("alerts.deliveries"), <DeliveryBadge key="deliveries" channel={channel} />],
        [text("alerts.last_attempt"), <Instant key="attempt" value={last_attempt_at ?? ""} isExact />],
        [text("alerts.last_success"), <Instant key="success" value={last_success_at ?? ""} isExact />],
        [text("alerts.last_error"), last_error ?? "–"],
        [text("alerts.pending"), <Count key="pending" value={pending} />],
        [text("alerts.given_up"), <Count key="failed" value={failed} />],
        [text("alerts.dropped"), <Count key="dropped" value={dropped} />],
      ]}
    />
  );
}

/** Makes a new signing secret; the one of before ends at once. */
function NewSecret({ channel, onClose }: PanelProps) {
  const [secret, setSecret] = useState<string>();
  const change = useChange(async () => {
    const made = await api.alerts.changeChannel({ alert_channel_id: channel.id, rotate_secret: true });
    setSecret(made.secret);
    return made;
  }, ["alerts"]);
  const action = text("alerts.new_secret");
  if (secret !== undefined) return <SigningSecret {...{ secret, onClose }} />;
  return (
    <ConfirmDialog title={`${action}: ${channel.name}`} {...{ action, change, onClose }} onDone={() => {}}>
      <p>{text("alerts.new_secret_about")}</p>
    </ConfirmDialog>
  );
}

function DeleteChannel({ channel, onClose, onDone }: PanelProps & { readonly onDone: () => void }) {
  const change = useChange(
    async () => (await api.alerts.deleteChannel({ alert_channel_id: channel.id })) ?? null,
    ["alerts"],
  );
  const action = text("action.delete");
  return (
    <ConfirmDialog title={`${action}: ${channel.name}`} {...{ action, change, onClose, onDone }}>
      <p>{text("alerts.delete_channel_about")}</p>
    </ConfirmDialog>
  );
}
