import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { IdCopy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { ConfirmDialog, FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { type BackupEntry, chainOf } from "./chain.ts";
import { RestoreDialog } from "./restore.tsx";
import type { useVolumes } from "./use-volumes.ts";

interface PanelProps {
  readonly backup: BackupEntry;
  readonly all: readonly BackupEntry[];
  readonly volumes: ReturnType<typeof useVolumes>;
  readonly onClose: () => void;
}

/** One backup at the side: its chain, its copies, and what can be done with it. */
export function BackupPanel({ backup, all, volumes, onClose }: PanelProps) {
  const [act, setAct] = useState<"restore" | "extend" | "cancel" | "force">();
  const close = () => setAct(undefined);
  const { id: backup_id, is_available } = backup;
  const calls = {
    cancel: () => api.backups.cancel({ backup_id }),
    force: () => api.backups.forceStart({ backup_id }),
  } as const;
  const change = useChange(async () => (await calls[act === "force" ? "force" : "cancel"]()) ?? null, ["backups"]);
  const name = volumes.nameOf(backup.resource_id);
  const notYet = is_available ? undefined : text("backups.not_available");
  return (
    <>
      <Dialog title={name} isPanel onClose={onClose}>
        <div class="stack">
          <div class="row">
            <Button isSmall blockedBy={blockedBy("backups.restore") ?? notYet} onPress={() => setAct("restore")}>
              {text("backups.restore")}
            </Button>
            <Button isSmall blockedBy={blockedBy("backups.extend") ?? notYet} onPress={() => setAct("extend")}>
              {text("backups.extend")}
            </Button>
            {!is_available && (
              <>
                <Button isSmall blockedBy={blockedBy("backups.forceStart")} onPress={() => setAct("force")}>
                  {text("backups.force")}
                </Button>
                <Button isSmall tone="danger" blockedBy={blockedBy("backups.cancel")} onPress={() => setAct("cancel")}>
                  {text("backups.cancel")}
                </Button>
              </>
            )}
          </div>
          <BackupFacts backup={backup} />
          <Chain backup={backup} all={all} />
        </div>
      </Dialog>
      {act === "restore" && <RestoreDialog {...{ backup, volumes }} onClose={close} />}
      {act === "extend" && <ExtendDialog backup={backup} onClose={close} />}
      {(act === "cancel" || act === "force") && (
        <ConfirmDialog
          title={`${text(`backups.${act}`)}: ${name}`}
          action={text(`backups.${act}`)}
          tone={act === "force" ? "primary" : "danger"}
          {...{ change, onClose: close, onDone: close }}
        >
          <p>{text(`backups.${act}_about`)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function BackupFacts({ backup }: { readonly backup: BackupEntry }) {
  const { id, state, primary_zone, secondary_zone, size, policy_id, manual, encrypted, time_to_live, last_restore } =
    backup;
  return (
    <Facts
      rows={[
        ["ID", <IdCopy key="id" value={id} />],
        [text("label.state"), state],
        [text("backups.policy"), policy_id ?? "–"],
        [text("backups.by_hand"), text(manual ? "message.yes" : "message.no")],
        [text("backups.scheduled"), <Instant key="schedule" value={backup.schedule_date} isExact />],
        [text("backups.done"), <Instant key="done" value={backup.processed_date} isExact />],
        [text("backups.until"), <Instant key="until" value={time_to_live} isExact />],
        [text("backups.size"), size === undefined ? "–" : `${(size / 2 ** 30).toFixed(2)} GiB`],
        [text("backups.zones"), [primary_zone, secondary_zone].filter(Boolean).join(", ") || "–"],
        [text("backups.encrypted"), text(encrypted ? "message.yes" : "message.no")],
        [text("backups.last_restore"), <Instant key="restore" value={last_restore} />],
      ]}
    />
  );
}

/** The full backup that this one needs, and those that build on it. */
function Chain({ backup, all }: Pick<PanelProps, "backup" | "all">) {
  return (
    <section class="stack" aria-label={text("backups.chain")}>
      <h3>{text("backups.chain")}</h3>
      <ol class="plan">
        {chainOf(backup, all).map((one) => (
          <li key={one.id} aria-current={one.id === backup.id ? "true" : undefined}>
            <strong>{text(one.is_full ? "backups.full" : "backups.incremental")}</strong>
            <a href={hrefOf(`backups/${one.id}`)}>
              <Instant value={one.processed_date ?? one.schedule_date} isExact />
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

function ExtendDialog({ backup, onClose }: { readonly backup: BackupEntry; readonly onClose: () => void }) {
  const [days, setDays] = useState("30");
  const change = useChange(
    async () => (await api.backups.extend({ backup_id: backup.id, ttl: `${Number(days)}d` })) ?? null,
    ["backups"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={text("backups.extend")}
      {...{ change, onClose }}
      blockedBy={/^[1-9]\d{0,4}$/.test(days) ? undefined : text("problem.number")}
      onSubmit={() => void submit()}
    >
      <TextField label={text("backups.days")} type="number" value={days} onInput={setDays} isFocused />
    </FormDialog>
  );
}
