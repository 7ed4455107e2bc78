import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { hasRow } from "../api/client.ts";
import { connection } from "../api/connection.ts";
import { probeSession } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { loadLateTexts, text } from "../i18n/texts.ts";
import { EmptyState, Skeleton } from "../parts/states.tsx";
import { blockedBy } from "./blocked.ts";
import { isReachable, rowOfPlace } from "./nav.ts";
import type { ScreenProps } from "./screen.ts";

type Screen = ComponentType<ScreenProps>;

/** A screen whose words are not in the first file. */
function late(load: () => Promise<Screen>): () => Promise<Screen> {
  return async () => (await Promise.all([load(), loadLateTexts()]))[0];
}

/** The screens by the path that they begin with, the longest first. Each is a chunk of its own. */
const routes: readonly (readonly [path: string, load: () => Promise<Screen>])[] = [
  ["", async () => (await import("../screens/overview.tsx")).Overview],
  ["ai/requests", async () => (await import("../screens/requests/requests.tsx")).Requests],
  ["ai/live", async () => (await import("../screens/live.tsx")).Live],
  ["ai/costs", async () => (await import("../screens/costs/costs.tsx")).Costs],
  ["ai/budgets", async () => (await import("../screens/budgets.tsx")).Budgets],
  ["ai/keys", async () => (await import("../screens/keys/keys.tsx")).Keys],
  ["ai/playground/embeddings", late(async () => (await import("../screens/playground/embeddings.tsx")).Embeddings)],
  ["ai/playground/decisions", late(async () => (await import("../screens/playground/decisions.tsx")).Decisions)],
  ["ai/playground", async () => (await import("../screens/playground/playground.tsx")).Playground],
  ["ai/routing", async () => (await import("../screens/routing.tsx")).Routing],
  ["ai/health", async () => (await import("../screens/health.tsx")).Health],
  ["notifications", async () => (await import("../screens/notifications.tsx")).Notifications],
  ["alerts", late(async () => (await import("../screens/alerts/alerts.tsx")).Alerts)],
  ["tasks", late(async () => (await import("../screens/tasks/tasks.tsx")).Tasks)],
  ["objects", late(async () => (await import("../screens/objects/objects.tsx")).Objects)],
  ["properties", late(async () => (await import("../screens/settings/properties.tsx")).Properties)],
  ["texts", late(async () => (await import("../screens/settings/texts.tsx")).Texts)],
  ["ai/credentials", late(async () => (await import("../screens/credentials/credentials.tsx")).Credentials)],
  ["ai/tools", late(async () => (await import("../screens/tools/tools.tsx")).Tools)],
  ["system", late(async () => (await import("../screens/settings/system.tsx")).SystemStatus)],
  ["ai/models", late(async () => (await import("../screens/catalogue/models.tsx")).Models)],
  ["ai/projects", late(async () => (await import("../screens/accounts/projects.tsx")).Projects)],
  ["ai/customers", late(async () => (await import("../screens/accounts/customers.tsx")).Customers)],
  ["backups", late(async () => (await import("../screens/backups/backups.tsx")).Backups)],
  ["clusters", late(async () => (await import("../screens/clusters/clusters.tsx")).Clusters)],
  ["servers", late(async () => (await import("../screens/infrastructure/servers.tsx")).Servers)],
  ["volumes", late(async () => (await import("../screens/infrastructure/volumes.tsx")).Volumes)],
  ["networks", late(async () => (await import("../screens/infrastructure/networks.tsx")).Networks)],
  ["theme", late(async () => (await import("../screens/theme/theme.tsx")).ThemeEditor)],
  ["ai/cache", late(async () => (await import("../screens/cache/cache.tsx")).AnswerCache)],
  ["quotas", late(async () => (await import("../screens/quotas/quotas.tsx")).Quotas)],
  ["me", late(async () => (await import("../screens/me/me.tsx")).Me)],
  ["tenants", late(async () => (await import("../screens/tenancy/tenants/tenants.tsx")).Tenants)],
  ["users", late(async () => (await import("../screens/tenancy/users/users.tsx")).Users)],
  ["roles", late(async () => (await import("../screens/tenancy/roles/roles.tsx")).Roles)],
  ["audit", late(async () => (await import("../screens/tenancy/audit/audit.tsx")).Audit)],
  ["d", async () => (await import("../generic/dashboard.tsx")).Dashboard],
];

const loaded = new Map<string, Screen>();

/** Shows the screen of a path. */
export function Screens({ path }: { readonly path: string }) {
  const found = routes.find(([own]) => own === path || (own !== "" && path.startsWith(`${own}/`)));
  const [failed, setFailed] = useState<string>();
  const [, render] = useState(0);
  const own = found?.[0];
  const { isOnline } = useStore(connection);
  useEffect(() => {
    if (!found || loaded.has(found[0])) return;
    found[1]().then(
      (screen) => {
        loaded.set(found[0], screen);
        setFailed(undefined);
        render((count) => count + 1);
      },
      () => void recover(() => setFailed(found[0])),
    );
  }, [found, isOnline]);
  if (own === undefined) return <EmptyState icon="search" title={text("message.no_such_page")} />;
  const row = rowOfPlace(own);
  if (row !== undefined && !isReachable({ row }))
    return (
      <EmptyState icon="lock" title={text("message.not_permitted")}>
        {hasRow(row) && blockedBy(row)}
      </EmptyState>
    );
  if (failed === own) return <EmptyState icon="alert" title={text("message.offline")} />;
  const Shown = loaded.get(own);
  if (!Shown) return <Skeleton />;
  const rest = path.slice(own.length).split("/").filter(Boolean).map(decodeURIComponent);
  return <Shown key={own} rest={rest} />;
}

const reloadMark = "tollgate-reloaded";

/** A file did not come: either the gateway is away, and the page must stay, or it was upgraded. */
async function recover(giveUp: () => void): Promise<void> {
  await probeSession();
  if (connection.get().isOnline) reloadOnce(giveUp);
  else giveUp();
}

/** After an upgrade the files of an open page are gone: it is loaded again, once. */
function reloadOnce(giveUp: () => void): void {
  const last = Number(window.sessionStorage.getItem(reloadMark) ?? 0);
  if (Date.now() - last < 60_000) {
    giveUp();
    return;
  }
  window.sessionStorage.setItem(reloadMark, String(Date.now()));
  window.location.reload();
}
