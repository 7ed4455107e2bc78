import { describe, expect, it } from "vitest";
import { officialSender } from "../../adapters/backends/gardener/client.ts";
import { gardener } from "../../adapters/backends/gardener/index.ts";
import { memoryStore } from "../../adapters/stores/memory/index.ts";
import { callAt } from "../unit/portal/rig.ts";
import { cloudProfileSpec, tellClusters } from "./clusters.ts";
import { useServer } from "./servers.ts";
import { expectTranscript } from "./transcript.ts";

const kubernetes = useServer("kubernetes");

describe("clusters on a real Kubernetes API", () => {
  it("answers as every back end does", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const suffix = Math.random().toString(36).slice(2, 8);
    const file = kubernetes.settings.KUBECONFIG ?? "";
    const api = officialSender({ kubeconfig: { file } });
    const create = async (path: string, body: unknown) => {
      const { status } = await api({ method: "POST", path, body }, new AbortController().signal);
      expect(status).toBe(201);
    };
    const profile = `cp-${suffix}`;
    const gardenerApi = "core.gardener.cloud/v1beta1";
    await create(`/apis/${gardenerApi}/cloudprofiles`, {
      apiVersion: gardenerApi,
      kind: "CloudProfile",
      metadata: { name: profile },
      spec: cloudProfileSpec,
    });
    const { records } = memoryStore();
    const lines = await tellClusters({
      backend: gardener({ kubeconfig: { file } }),
      suffix,
      profile,
      provider: callAt(records, {}),
      stranger: callAt(records, { reseller: "other", client_id: "other" }),
      makeNamespace: (name) =>
        create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } }),
    });
    await expectTranscript(lines, "clusters");
  });
});
