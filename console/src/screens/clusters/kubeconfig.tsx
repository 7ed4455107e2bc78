import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { text } from "../../i18n/texts.ts";
import { download } from "../../parts/download.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";

interface KubeconfigProps {
  readonly namespace: string;
  readonly name: string;
  readonly onClose: () => void;
}

const rights = ["viewer", "admin"] as const;
const rowOfRight = { viewer: "clusters.viewerKubeconfig", admin: "clusters.adminKubeconfig" } as const;

/** Makes a kubeconfig for a limited time. It goes to a file and is never shown: it is a secret. */
export function KubeconfigDialog({ namespace, name, onClose }: KubeconfigProps) {
  const [right, setRight] = useState<(typeof rights)[number]>("viewer");
  const [minutes, setMinutes] = useState("60");
  const input = { namespace, shoot_name: name, expiration_seconds: Number(minutes) * 60 };
  const change = useChange(() =>
    right === "admin" ? api.clusters.adminKubeconfig(input) : api.clusters.viewerKubeconfig(input),
  );
  const submit = async () => {
    const made = await change.run(undefined);
    if (made === undefined) return;
    download(`kubeconfig-${name}-${right}.yaml`, made.kubeconfig, "application/yaml");
    toast(text("clusters.kubeconfig_made"));
    onClose();
  };
  const isFit = /^[1-9]\d{0,4}$/.test(minutes) && Number(minutes) >= 10;
  return (
    <FormDialog
      title={`${text("clusters.kubeconfig")}: ${name}`}
      action={text("action.download")}
      {...{ change, onClose }}
      blockedBy={blockedBy(rowOfRight[right]) ?? (isFit ? undefined : text("problem.too_low", { limit: 10 }))}
      onSubmit={() => void submit()}
    >
      <p>{text("clusters.kubeconfig_about")}</p>
      <SelectField
        label={text("label.permissions")}
        value={right}
        choices={rights.map((one) => [one, text(`clusters.right_${one}`)] as const)}
        onChange={(value) => setRight(value as typeof right)}
      />
      <TextField label={text("clusters.minutes")} type="number" value={minutes} onInput={setMinutes} />
    </FormDialog>
  );
}
