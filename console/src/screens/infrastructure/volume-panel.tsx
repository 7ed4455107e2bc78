import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { go, hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { IdCopy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField } from "../../parts/field.tsx";
import { ConfirmDialog, FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { isPassing, useServers, type Volume } from "./read.ts";
import { StatusWord } from "./status.tsx";

interface PanelProps {
  readonly volume: Volume;
  readonly names: { readonly server: (id?: string) => string; readonly project: (id?: string) => string };
  readonly onClose: () => void;
}

/** One volume at the side: which server uses it, and what can be done with it. */
export function VolumePanel({ volume, names, onClose }: PanelProps) {
  const [act, setAct] = useState<"attach" | "detach" | "delete">();
  const close = () => setAct(undefined);
  const name = volume.name || volume.id;
  const [used] = volume.attachments ?? [];
  const notReady = isPassing(volume) ? text("infra.not_ready") : undefined;
  const inUse = used ? text("infra.in_use") : notReady;
  return (
    <>
      <Dialog title={name} isPanel onClose={onClose}>
        <div class="stack">
          <div class="row">
            {used ? (
              <Button isSmall blockedBy={blockedBy("iaas.detachVolume") ?? notReady} onPress={() => setAct("detach")}>
                {text("infra.detach")}
              </Button>
            ) : (
              <Button isSmall blockedBy={blockedBy("iaas.attachVolume") ?? notReady} onPress={() => setAct("attach")}>
                {text("infra.attach")}
              </Button>
            )}
            <Button
              isSmall
              tone="danger"
              blockedBy={blockedBy("iaas.deleteVolume") ?? inUse}
              onPress={() => setAct("delete")}
            >
              {text("action.delete")}
            </Button>
            <a href={hrefOf("backups", { q: name })}>{text("dashboard.backups")}</a>
          </div>
          <VolumeFacts {...{ volume, names }} />
        </div>
      </Dialog>
      {act === "attach" && <AttachDialog volume={volume} onClose={close} />}
      {act === "detach" && <DetachDialog {...{ volume, names }} onClose={close} />}
      {act === "delete" && <DeleteDialog volume={volume} onClose={close} />}
    </>
  );
}

function VolumeFacts({ volume, names }: Pick<PanelProps, "volume" | "names">) {
  const { id, status, size, volume_type, availability_zone, encrypted, project_id, created_at } = volume;
  const users = volume.attachments ?? [];
  return (
    <Facts
      rows={[
        ["ID", <IdCopy key="id" value={id} />],
        [text("label.state"), <StatusWord key="status" status={status} />],
        [text("label.project"), names.project(project_id)],
        [text("backups.size"), `${size ?? "?"} GiB`],
        [text("label.type"), volume_type ?? "–"],
        [text("backups.zone"), availability_zone ?? "–"],
        [text("backups.encrypted"), text(encrypted ? "message.yes" : "message.no")],
        [
          text("infra.attached_to"),
          users.length === 0
            ? "–"
            : users.map(({ server_id = "" }) => (
                <a key={server_id} href={hrefOf(`servers/${server_id}`)}>
                  {names.server(server_id)}
                </a>
              )),
        ],
        [text("label.created_at"), <Instant key="created" value={created_at} isExact />],
      ]}
    />
  );
}

interface ActProps {
  readonly volume: Volume;
  readonly onClose: () => void;
}

function AttachDialog({ volume, onClose }: ActProps) {
  const servers = (useServers().value ?? []).filter((one) => one.project_id === volume.project_id && !isPassing(one));
  const [server_id, setServer] = useState("");
  const change = useChange(
    async () => (await api.iaas.attachVolume({ volume_id: volume.id, server_id })) ?? null,
    ["iaas"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("infra.attach")}: ${volume.name || volume.id}`}
      action={text("infra.attach")}
      {...{ change, onClose }}
      blockedBy={server_id === "" ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <SelectField
        label={text("infra.server")}
        value={server_id}
        choices={[["", "–"], ...servers.map(({ id, name }) => [id, name] as const)]}
        onChange={setServer}
      />
    </FormDialog>
  );
}

function DetachDialog({ volume, names, onClose }: ActProps & Pick<PanelProps, "names">) {
  const [{ server_id = "" } = {}] = volume.attachments ?? [];
  const change = useChange(
    async () => (await api.iaas.detachVolume({ volume_id: volume.id, server_id })) ?? null,
    ["iaas"],
  );
  const action = text("infra.detach");
  return (
    <ConfirmDialog title={`${action}: ${volume.name || volume.id}`} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("infra.detach_about", { server: names.server(server_id) })}</p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ volume, onClose }: ActProps) {
  const change = useChange(async () => (await api.iaas.deleteVolume({ volume_id: volume.id })) ?? null, ["iaas"]);
  const action = text("action.delete");
  const name = volume.name || volume.id;
  return (
    <ConfirmDialog
      title={`${action}: ${name}`}
      word={name}
      {...{ action, change, onClose }}
      onDone={() => {
        onClose();
        go("volumes");
      }}
    >
      <p>{text("infra.delete_volume_about")}</p>
    </ConfirmDialog>
  );
}
