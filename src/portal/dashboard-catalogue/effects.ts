import type { ElementId } from "./row.ts";

/** Whether a change is sent at once, asked about, or needs the name of what it concerns to be typed. */
export type Confirmation = "none" | "ask" | "type";

/**
 * Changes that are not confirmed as their method suggests: a deletion is asked about, everything else is sent at once. The name is typed
 * before data, running machines or a tenant are destroyed or overwritten, and before users or keys stop working all at once.
 */
export const confirmations: { readonly [Id in ElementId]?: Confirmation } = {
  "ai.deleteProject": "type",
  "ai.toggleProject": "ask",
  "ai.rotateKey": "ask",
  "ai.resetLimits": "ask",
  "backups.cancel": "ask",
  "backups.restore": "type",
  "backups.restoreVolume": "ask",
  "clusters.deleteProject": "type",
  "clusters.deleteShoot": "type",
  "clusters.deleteWorkerGroup": "type",
  "clusters.hibernateShoot": "ask",
  "iaas.deleteProject": "type",
  "iaas.deleteLoadBalancer": "type",
  "iaas.deleteServer": "type",
  "iaas.deleteVolume": "type",
  "iaas.detachVolume": "ask",
  "iaas.stopServer": "ask",
  "iaas.disableProject": "ask",
  "objectstore.deleteVersions": "type",
  "tenants.delete": "type",
  "tenants.disable": "type",
  "users.delete": "type",
  "users.disable": "ask",
};

/**
 * How the answer of a change is shown: in a passing message, once and never again, as a file, or as an address to open. Without a row it
 * is a passing message.
 */
export type AnswerDisplay = "toast" | "once" | "download" | "open";

export const answerDisplays: { readonly [Id in ElementId]?: AnswerDisplay } = {
  "alerts.createChannel": "once",
  "alerts.changeChannel": "once",
  "ai.createKey": "once",
  "ai.rotateKey": "once",
  "ai.exportKeys": "download",
  "clusters.adminKubeconfig": "download",
  "clusters.viewerKubeconfig": "download",
  "iaas.createCredential": "once",
  "keypair.set": "once",
  "objectstore.shareUrl": "open",
  "users.createToken": "once",
};

/** A picture of the rows of a list: the fields of its axes. */
export interface ChartAxes {
  readonly x: string;
  readonly y: string;
  readonly kind: "bar" | "line";
}

export const charts: { readonly [Id in ElementId]?: ChartAxes } = {
  "ai.usage": { x: "start", y: "cost", kind: "bar" },
  "ai.health": { x: "target", y: "latency_p95", kind: "bar" },
};
