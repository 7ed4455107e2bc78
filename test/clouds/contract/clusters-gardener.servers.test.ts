import { randomBytes } from "node:crypto";
import { describe, it } from "vitest";
import { officialSender } from "../../../adapters/clouds/gardener/client/client.ts";
import { gardener } from "../../../adapters/clouds/gardener/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { expectTranscript } from "../../adapters/contract/transcript.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { useServer } from "../support/servers.ts";
import { tellClusters } from "./clusters.ts";
import { makeNamespace, makeProfile } from "./gardener.ts";

const kubernetes = useServer("kubernetes");

describe("clusters on a real Kubernetes API", () => {
  it("answers as every back end does", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const suffix = randomBytes(4).toString("hex").slice(0, 6);
    const file = kubernetes.settings.KUBECONFIG ?? "";
    const api = officialSender({ kubeconfig: { file } });
    const { records } = withPortalKinds(memoryStore());
    const lines = await tellClusters({
      backend: gardener({ kubeconfig: { file } }),
      suffix,
      profile: await makeProfile(api, suffix),
      provider: callAt(records, {}),
      stranger: callAt(records, { reseller: "other", client_id: "other" }),
      makeNamespace: (name) => makeNamespace(api, name),
    });
    await expectTranscript(lines, "clusters");
  });
});
