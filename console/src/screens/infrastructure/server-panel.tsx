import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { go, hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { IdCopy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { addressesOf, isPassing, useVolumes } from "./read.ts";
import { StatusWord } from "./status.tsx";

/** A server as the list has it. */
export type Server = AnswerOf<Areas["iaas"]["servers"]>[number];

interface PanelProps {
  readonly server: Server;
  readonly onClose: () => void;
}

type Act = "start" | "stop" | "delete";

/** One server at the side: what it is made of, its volumes, and what can be done with it. */
export function ServerPanel({ server, onClose }: PanelProps) {
  const [act, setAct] = useState<Act>();
  const isOn = server.status?.toUpperCase() === "ACTIVE";
  const notReady = isPassing(server) ? text("infra.not_ready") : undefined;
  const turn = isOn ? "stop" : "start";
  return (
    <>
      <Dialog title={server.name} isPanel onClose={onClose}>
        <div class="stack">
          <div class="row">
            <Button
              isSmall
              blockedBy={blockedBy(isOn ? "iaas.stopServer" : "iaas.startServer") ?? notReady}
              onPress={() => setAct(turn)}
            >
              {text(`infra.${turn}`)}
            </Button>
            <Button isSmall tone="danger" blockedBy={blockedBy("iaas.deleteServer")} onPress={() => setAct("delete")}>
              {text("action.delete")}
            </Button>
          </div>
          <ServerFacts server={server} />
          <Attached server={server} />
        </div>
      </Dialog>
      {act && <ActDialog {...{ server, act }} onClose={() => setAct(undefined)} />}
    </>
  );
}

function ServerFacts({ server }: Pick<PanelProps, "server">) {
  const { id, status, flavor, image, key_name, project_name, created, updated } = server;
  const { original_name, vcpus, ram, disk } = (flavor ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <Facts
      rows={[
        ["ID", <IdCopy key="id" value={id} />],
        [text("label.state"), <StatusWord key="status" status={status} />],
        [text("label.project"), project_name ?? "–"],
        [
          text("infra.flavor"),
          original_name === undefined ? "–" : `${original_name} · ${vcpus} vCPU · ${ram} MiB · ${disk} GiB`,
        ],
        [text("clusters.image"), String(image?.name ?? image?.id ?? "–")],
        [text("infra.addresses"), addressesOf(server) || "–"],
        [text("infra.key"), key_name ?? "–"],
        [text("label.created_at"), <Instant key="created" value={created} isExact />],
        [text("infra.updated"), <Instant key="updated" value={updated} isExact />],
      ]}
    />
  );
}

/** The volumes of a server. */
function Attached({ server }: Pick<PanelProps, "server">) {
  const volumes = (useVolumes().value ?? []).filter(({ attachments = [] }) =>
    attachments.some(({ server_id }) => server_id === server.id),
  );
  return (
    <section class="stack" aria-label={text("dashboard.iaas-volumes")}>
      <h3>{text("dashboard.iaas-volumes")}</h3>
      {volumes.length === 0 && <p class="faint">{text("infra.none_attached")}</p>}
      <ul class="plan">
        {volumes.map(({ id, name, size }) => (
          <li key={id}>
            <a href={hrefOf(`volumes/${id}`)}>{name || id}</a>
            <span>{`${size ?? "?"} GiB`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ActDialog({ server, act, onClose }: PanelProps & { readonly act: Act }) {
  const server_id = server.id;
  const calls = {
    start: () => api.iaas.startServer({ server_id }),
    stop: () => api.iaas.stopServer({ server_id }),
    delete: () => api.iaas.deleteServer({ server_id }),
  } as const;
  const change = useChange(async () => (await calls[act]()) ?? null, ["iaas"]);
  const action = act === "delete" ? text("action.delete") : text(`infra.${act}`);
  return (
    <ConfirmDialog
      title={`${action}: ${server.name}`}
      {...{ action, change, onClose }}
      {...(act === "delete" ? { word: server.name } : {})}
      tone={act === "start" ? "primary" : "danger"}
      onDone={() => {
        onClose();
        if (act === "delete") go("servers");
      }}
    >
      <p>{text(`infra.${act}_server_about`)}</p>
    </ConfirmDialog>
  );
}
