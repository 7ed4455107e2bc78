import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { type Cluster, type OfferedVersion, upgradesOf } from "./cluster.ts";
import { useProfiles } from "./profile.ts";

/** Raises the version of a cluster, by one minor version at most. A version cannot be taken back. */
export function UpgradeDialog({ cluster, onClose }: { readonly cluster: Cluster; readonly onClose: () => void }) {
  const { namespace, name, object } = cluster;
  const profiles = useProfiles();
  const current = object.spec?.kubernetes?.version ?? "";
  const profile = profiles.value?.find((one) => one.name === object.spec?.cloudProfileName);
  const upgrades = upgradesOf(current, profile?.versions ?? []);
  const [chosen, setChosen] = useState("");
  const version = chosen || (upgrades.find(({ classification }) => classification !== "preview")?.version ?? "");
  const change = useChange(
    async () => (await api.clusters.changeShoot({ namespace, shoot_name: name, kubernetes_version: version })) ?? null,
    ["clusters"],
  );
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  return (
    <FormDialog
      title={`${text("clusters.upgrade")}: ${name}`}
      action={text("clusters.upgrade")}
      {...{ change, onClose }}
      blockedBy={version === "" ? text("clusters.no_upgrade") : undefined}
      onSubmit={() => void submit()}
    >
      {profiles.error && <ErrorAlert error={profiles.error} onRetry={profiles.reload} />}
      <p>{text("clusters.upgrade_about", { version: current })}</p>
      {profiles.value && upgrades.length === 0 && <p class="alert alert-warn">{text("clusters.no_upgrade")}</p>}
      {upgrades.length > 0 && (
        <SelectField
          label="Kubernetes"
          value={version}
          choices={[["", "–"], ...versionChoices(upgrades)]}
          onChange={setChosen}
        />
      )}
    </FormDialog>
  );
}

/** Versions as choices, with what their provider says of them. */
export function versionChoices(versions: readonly OfferedVersion[]) {
  return versions.map(
    ({ version, classification }) =>
      [version, classification === "preview" ? `${version} · ${text("clusters.preview")}` : version] as const,
  );
}
