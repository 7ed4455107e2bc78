import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { type Cluster, isHibernated } from "./cluster.ts";

/** Hibernates a cluster, or wakes it up. */
export function HibernateDialog({ cluster, onClose }: { readonly cluster: Cluster; readonly onClose: () => void }) {
  const { namespace, name } = cluster;
  const isAsleep = isHibernated(cluster);
  const target = { namespace, shoot_name: name };
  const change = useChange(
    () => (isAsleep ? api.clusters.wakeShoot(target) : api.clusters.hibernateShoot(target)),
    ["clusters"],
  );
  const action = text(isAsleep ? "clusters.wake_up" : "clusters.hibernate");
  return (
    <ConfirmDialog title={`${action}: ${name}`} action={action} {...{ change, onClose }} onDone={onClose}>
      <p>{text(isAsleep ? "clusters.wake_up_about" : "clusters.hibernate_about")}</p>
    </ConfirmDialog>
  );
}
