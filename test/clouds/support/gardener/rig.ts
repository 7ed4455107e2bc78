import { gardener, type KubeRequest, type KubeSender } from "../../../../adapters/clouds/gardener/index.ts";
import type { GardenerOptions } from "../../../../adapters/clouds/gardener/options.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { callAt } from "../../../portal/support/rig.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";

/** An answer of a scripted API: a status and a body, which is JSON unless it is a text. */
export type Reply = readonly [status: number, body: unknown];

/** What answers a request; nothing where the script has no answer, which fails the test. */
export type Script = (request: KubeRequest) => Reply | undefined;

/** A sender that answers from a script, and what it was asked. */
function scripted(...scripts: readonly Script[]): { sender: KubeSender; asked: KubeRequest[] } {
  const asked: KubeRequest[] = [];
  const sender: KubeSender = async (request) => {
    asked.push(request);
    for (const script of scripts) {
      const reply = script(request);
      if (reply !== undefined) {
        const [status, body] = reply;
        return { status, body: typeof body === "string" ? body : JSON.stringify(body) };
      }
    }
    throw new Error(`the script has no answer to ${request.method} ${request.path}`);
  };
  return { sender, asked };
}

/** Answers one method on paths of one form. */
export function on(method: string, path: RegExp | string, reply: Reply | (() => Reply)): Script {
  const isIt = (asked: string) => (typeof path === "string" ? asked.split("?")[0] === path : path.test(asked));
  return (request) => {
    if (request.method !== method || !isIt(request.path)) return undefined;
    return typeof reply === "function" ? reply() : reply;
  };
}

export const base = "/apis/core.gardener.cloud/v1beta1";
export const shootPath = `${base}/namespaces/garden-p1/shoots/web`;

/** The project `p1` of the provider, behind which the namespace `garden-p1` stands. */
const project = on("GET", `${base}/projects/p1`, [200, { metadata: { name: "p1" }, spec: { namespace: "garden-p1" } }]);

/** A refusal as Kubernetes writes it. */
export function status(code: number, message: string, more: { reason?: string; details?: object } = {}): Reply {
  const { reason = "Invalid", details = {} } = more;
  return [code, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, details, code }];
}

/** The back end over a script, and a call by the provider. */
export function rig(scripts: readonly Script[], options: Partial<GardenerOptions> = {}) {
  const { sender, asked } = scripted(project, ...scripts);
  const backend = gardener({ kubeconfig: { text: "" }, sender, ...options });
  return { backend, asked, call: callAt(withPortalKinds(memoryStore()).records, {}) };
}
