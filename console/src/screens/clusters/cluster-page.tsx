import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { type QueryState, useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { go, hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Facts, Instant, JsonView } from "../../parts/values.tsx";
import { type Cluster, isHibernated } from "./cluster.ts";
import { ConditionBadges, HealthBadge } from "./health-badge.tsx";
import { KubeconfigDialog } from "./kubeconfig.tsx";
import { UpgradeDialog } from "./upgrade.tsx";
import { WorkerGroups } from "./worker-groups.tsx";

interface PageProps {
  readonly namespace: string;
  readonly name: string;
  readonly query: QueryState<readonly Cluster[]>;
}

/** One cluster: its state with the reasons, its machines, its versions, and how to reach it. */
export function ClusterPage({ namespace, name, query }: PageProps) {
  const { value, error, isLoading, reload } = query;
  const crumb = <a href={hrefOf("clusters")}>{text("dashboard.clusters")}</a>;
  const cluster = value?.find((one) => one.namespace === namespace && one.name === name);
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  return (
    <Page title={name} crumb={crumb} actions={cluster && <Actions isAsleep={isHibernated(cluster)} onAct={setAct} />}>
      {isLoading && <Skeleton />}
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {value && !cluster && <EmptyState icon="grid" title={text("clusters.gone")} />}
      {cluster && (
        <>
          <State cluster={cluster} />
          <WorkerGroups cluster={cluster} />
          <Card title={text("clusters.definition")}>
            <details>
              <summary>{text("action.show")}</summary>
              <JsonView value={cluster.object} />
            </details>
          </Card>
          {act === "kubeconfig" && <KubeconfigDialog {...{ namespace, name }} onClose={close} />}
          {act === "upgrade" && <UpgradeDialog cluster={cluster} onClose={close} />}
          {act === "hibernate" && <HibernateDialog cluster={cluster} onClose={close} />}
          {act === "delete" && <DeleteDialog cluster={cluster} onClose={close} />}
        </>
      )}
    </Page>
  );
}

type Act = "kubeconfig" | "upgrade" | "hibernate" | "delete";

interface ActionsProps {
  readonly isAsleep: boolean;
  readonly onAct: (act: Act) => void;
}

function Actions({ isAsleep, onAct }: ActionsProps) {
  const [viewer, admin] = [blockedBy("clusters.viewerKubeconfig"), blockedBy("clusters.adminKubeconfig")];
  return (
    <>
      <Button icon="download" blockedBy={viewer && admin} onPress={() => onAct("kubeconfig")}>
        {text("clusters.kubeconfig")}
      </Button>
      <Button blockedBy={blockedBy("clusters.changeShoot")} onPress={() => onAct("upgrade")}>
        {text("clusters.upgrade")}
      </Button>
      <Button
        blockedBy={blockedBy(isAsleep ? "clusters.wakeShoot" : "clusters.hibernateShoot")}
        onPress={() => onAct("hibernate")}
      >
        {text(isAsleep ? "clusters.wake_up" : "clusters.hibernate")}
      </Button>
      <Button tone="danger" blockedBy={blockedBy("clusters.deleteShoot")} onPress={() => onAct("delete")}>
        {text("action.delete")}
      </Button>
    </>
  );
}

function State({ cluster: { object, project } }: { readonly cluster: Cluster }) {
  const { spec, status, metadata } = object;
  const { lastOperation, lastErrors = [], conditions = [] } = status ?? {};
  const unmet = conditions.filter((one) => one.status !== "True" && one.message !== undefined);
  return (
    <Card title={text("label.state")}>
      <div class="stack">
        {lastErrors.map(({ description }) => (
          <p key={description} class="alert" role="alert">
            {description}
          </p>
        ))}
        {unmet.map(({ type, message }) => (
          <p key={type} class="alert alert-warn">
            {type}: {message}
          </p>
        ))}
        <Facts
          rows={[
            [text("label.state"), <HealthBadge key="state" cluster={object} />],
            [text("clusters.conditions"), <ConditionBadges key="conditions" cluster={object} />],
            [text("clusters.last_operation"), lastOperation?.description ?? lastOperation?.type ?? "–"],
            [text("label.time"), <Instant key="time" value={lastOperation?.lastUpdateTime} isExact />],
            [text("label.project"), project],
            ["Kubernetes", spec?.kubernetes?.version ?? "–"],
            [text("label.region"), spec?.region ?? "–"],
            [text("clusters.purpose"), spec?.purpose ?? "–"],
            [text("clusters.profile"), spec?.cloudProfileName ?? "–"],
            [text("clusters.network"), spec?.networking?.type ?? "–"],
            [text("label.created_at"), <Instant key="created" value={metadata.creationTimestamp} isExact />],
          ]}
        />
      </div>
    </Card>
  );
}

function DeleteDialog({ cluster, onClose }: { readonly cluster: Cluster; readonly onClose: () => void }) {
  const { namespace, name } = cluster;
  const change = useChange(
    async () => (await api.clusters.deleteShoot({ namespace, shoot_name: name })) ?? null,
    ["clusters"],
  );
  return (
    <ConfirmDialog
      title={`${text("action.delete")}: ${name}`}
      action={text("action.delete")}
      word={name}
      {...{ change, onClose }}
      onDone={() => go("clusters")}
    >
      <p>{text("clusters.delete_about")}</p>
    </ConfirmDialog>
  );
}

/** Hibernates a cluster, or wakes it up. */
function HibernateDialog({ cluster, onClose }: { readonly cluster: Cluster; readonly onClose: () => void }) {
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
