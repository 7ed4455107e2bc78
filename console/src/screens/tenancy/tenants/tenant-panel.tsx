import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/query.ts";
import { blockedBy } from "../../../app/blocked.ts";
import { isReachable } from "../../../app/nav.ts";
import { hrefOf } from "../../../app/router.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { IdCopy } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { ConfirmDialog } from "../../../parts/form-dialog.tsx";
import { Facts, Instant, Money } from "../../../parts/values.tsx";
import type { Tenant } from "../tenant-tree.ts";
import { EditTenant } from "./tenant-forms.tsx";
import { TenantState } from "./tenant-state.tsx";

type Act = "edit" | "switch" | "delete" | "restore";

interface TenantProps {
  readonly tenant: Tenant;
  readonly onClose: () => void;
}

/** A tenant at the side: what it is, and what can be done to it. */
export function TenantPanel({ tenant, onClose }: TenantProps) {
  const [act, setAct] = useState<Act>();
  const isInBin = tenant.status === "bin";
  return (
    <>
      <Dialog title={tenant.name} isPanel onClose={onClose}>
        <div class="stack">
          <div class="row">
            {!isInBin && (
              <Button isSmall blockedBy={blockedBy("tenants.change")} onPress={() => setAct("edit")}>
                {text("action.edit")}
              </Button>
            )}
            {!isInBin && (
              <Button
                isSmall
                blockedBy={blockedBy(tenant.enabled ? "tenants.disable" : "tenants.enable")}
                onPress={() => setAct("switch")}
              >
                {text(tenant.enabled ? "action.disable" : "action.enable")}
              </Button>
            )}
            {isInBin && (
              <Button isSmall blockedBy={blockedBy("tenants.restore")} onPress={() => setAct("restore")}>
                {text("tenants.restore")}
              </Button>
            )}
            <Button isSmall tone="danger" blockedBy={blockedBy("tenants.delete")} onPress={() => setAct("delete")}>
              {text(isInBin ? "tenants.remove" : "tenants.to_bin")}
            </Button>
          </div>
          <TenantFacts tenant={tenant} />
        </div>
      </Dialog>
      {act === "edit" && <EditTenant tenant={tenant} onClose={() => setAct(undefined)} />}
      {act !== undefined && act !== "edit" && (
        <ConfirmTenant {...{ tenant, act }} onClose={() => setAct(undefined)} onGone={onClose} />
      )}
    </>
  );
}

function TenantFacts({ tenant }: { readonly tenant: Tenant }) {
  const place = tenant.client_id ?? tenant.reseller;
  return (
    <Facts
      rows={[
        [text("label.state"), <TenantState key="state" tenant={tenant} />],
        [text("label.level"), text(tenant.level === "client" ? "label.client" : "label.reseller")],
        [text("tenants.place"), tenant.client_id === null ? tenant.reseller : `${tenant.reseller} / ${place}`],
        [text("tenants.contact"), tenant.contact ?? "–"],
        [
          text("dashboard.users"),
          <a key="users" href={hrefOf("users", { q: place })}>
            {String(tenant.users)}
          </a>,
        ],
        [
          text("dashboard.ai-keys"),
          <a key="keys" href={hrefOf("ai/keys")}>
            {String(tenant.keys)}
          </a>,
        ],
        [text("tenants.cost_this_month"), <Money key="cost" value={tenant.cost_this_month} />],
        [text("label.created_at"), <Instant key="created" value={tenant.created_at} isExact />],
        ...(tenant.deleted_at === undefined
          ? []
          : [[text("tenants.in_bin"), <Instant key="deleted" value={tenant.deleted_at} isExact />] as const]),
        ["ID", <IdCopy key="id" value={tenant.id} />],
        ...(isReachable({ row: "users.audit" })
          ? [
              [
                text("dashboard.audit"),
                <a key="audit" href={hrefOf("audit", { target: tenant.id })}>
                  {text("audit.who_changed")}
                </a>,
              ] as const,
            ]
          : []),
      ]}
    />
  );
}

interface ConfirmProps extends TenantProps {
  readonly act: Exclude<Act, "edit">;
  readonly onGone: () => void;
}

/** Says who is refused before a tenant is disabled, binned or removed. */
function ConfirmTenant({ tenant, act, onClose, onGone }: ConfirmProps) {
  const { id: tenant_id, name, users, keys, enabled } = tenant;
  const isInBin = tenant.status === "bin";
  const calls = {
    switch: () => (enabled ? api.tenants.disable({ tenant_id }) : api.tenants.enable({ tenant_id })),
    delete: () => api.tenants.delete({ tenant_id }),
    restore: () => api.tenants.restore({ tenant_id }),
  } as const;
  const change = useChange(async () => (await calls[act]()) ?? null, ["tenants", "users", "ai"]);
  const isStop = act === "delete" ? !isInBin : act === "switch" && enabled;
  const action = {
    switch: text(enabled ? "action.disable" : "action.enable"),
    delete: text(isInBin ? "tenants.remove" : "tenants.to_bin"),
    restore: text("tenants.restore"),
  }[act];
  return (
    <ConfirmDialog
      title={`${action}: ${name}`}
      {...{ action, change, onClose }}
      tone={isStop || act === "delete" ? "danger" : "primary"}
      {...(act === "delete" && { word: name })}
      onDone={() => {
        onClose();
        if (act !== "switch") onGone();
      }}
    >
      <p>
        {isStop
          ? text("tenants.impact", { users, keys })
          : text(act === "delete" ? "tenants.remove_about" : "tenants.go_on_about")}
      </p>
    </ConfirmDialog>
  );
}
