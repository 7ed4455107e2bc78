import { useState } from "preact/hooks";
import { api, rowOf } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";
import { blockedBy } from "../../app/blocked.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { toast } from "../../parts/toast.tsx";
import type { BackupEntry } from "./chain.ts";
import type { useVolumes } from "./use-volumes.ts";

interface RestoreProps {
  readonly backup: BackupEntry;
  readonly volumes: ReturnType<typeof useVolumes>;
  readonly onClose: () => void;
}

const rows = { place: "backups.restore", volume: "backups.restoreVolume", image: "backups.restoreImage" } as const;

type Way = keyof typeof rows;

/** Restores a backup as a new volume, as an image, or over the volume that it was made of, whose name has to be typed. */
export function RestoreDialog({ backup, volumes, onClose }: RestoreProps) {
  const name = volumes.nameOf(backup.resource_id);
  const volume = volumes.byId.get(backup.resource_id);
  const [way, setWay] = useState<Way>("volume");
  const [typed, setTyped] = useState("");
  const [made, setMade] = useState(`${name}-restored`);
  const [zone, setZone] = useState(volume?.availability_zone ?? "");
  const [type, setType] = useState(volume?.volume_type ?? backup.volume_type ?? "");
  const input = { backup_id: backup.id, volume_name: made.trim() };
  const calls = {
    place: () => api.backups.restore({ backup_id: backup.id }),
    volume: () => api.backups.restoreVolume({ ...input, availability_zone: zone, volume_type: type }),
    image: () => api.backups.restoreImage(input),
  } as const;
  const change = useChange(async () => (await calls[way]()) ?? null, ["backups", "iaas"]);
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("backups.restoring"));
    onClose();
  };
  const isReady =
    way === "place" ? typed === name : made.trim() !== "" && (way === "image" || (zone !== "" && type !== ""));
  return (
    <FormDialog
      title={`${text("backups.restore")}: ${name}`}
      action={text("backups.restore")}
      tone={way === "place" ? "danger" : "primary"}
      {...{ change, onClose }}
      blockedBy={blockedBy(rows[way]) ?? (isReady ? undefined : text("problem.required"))}
      onSubmit={() => void submit()}
    >
      <SelectField
        label={text("backups.way")}
        value={way}
        choices={(Object.keys(rows) as Way[]).map((one) => [one, text(`backups.way_${one}`)] as const)}
        onChange={(value) => setWay(value as Way)}
      />
      {way === "place" ? (
        <InPlace {...{ name, typed }} servers={volumes.serversOf(backup.resource_id)} onInput={setTyped} />
      ) : (
        <TextField label={text("label.name")} value={made} onInput={setMade} isRequired />
      )}
      {way === "volume" && <Target {...{ zone, type }} onZone={setZone} onType={setType} />}
    </FormDialog>
  );
}

interface InPlaceProps {
  readonly name: string;
  readonly servers: readonly string[];
  readonly typed: string;
  readonly onInput: (typed: string) => void;
}

/** What is lost when a volume is written over, and which server uses it. */
function InPlace({ name, servers, typed, onInput }: InPlaceProps) {
  return (
    <>
      <div class="alert alert-warn">
        <Icon name="alert" />
        <div class="alert-body">
          <p>{text("backups.overwrites")}</p>
          {servers.length > 0 && <p>{text("backups.attached", { servers: servers.join(", ") })}</p>}
        </div>
      </div>
      <TextField label={text("message.confirm_type", { name })} value={typed} onInput={onInput} />
    </>
  );
}

interface TargetProps {
  readonly zone: string;
  readonly type: string;
  readonly onZone: (zone: string) => void;
  readonly onType: (type: string) => void;
}

function Target({ zone, type, onZone, onType }: TargetProps) {
  const zones = useQuery({
    key: ["iaas.availabilityZones"],
    read: (signal) => api.iaas.availabilityZones({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isPermitted(rowOf("iaas.availabilityZones")[2]),
  });
  const types = useQuery({
    key: ["iaas.volumeTypes"],
    read: (signal) => api.iaas.volumeTypes({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isPermitted(rowOf("iaas.volumeTypes")[2]),
  });
  return (
    <div class="fields">
      <TextField
        label={text("backups.zone")}
        {...{ value: zone, onInput: onZone, suggestions: (zones.value ?? []).map(({ zoneName }) => zoneName) }}
      />
      <TextField
        label={text("backups.volume_type")}
        {...{ value: type, onInput: onType, suggestions: (types.value ?? []).map(({ name }) => name) }}
      />
    </div>
  );
}
