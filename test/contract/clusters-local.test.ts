import { describe, it } from "vitest";
import { callAt, stores } from "../unit/portal/rig.ts";
import { cloudProfileSpec, tellClusters } from "./clusters.ts";
import { openLocal } from "./local.ts";
import { expectTranscript } from "./transcript.ts";

describe.each(stores)("clusters of the embedded cloud: %s", (_name, open) => {
  it("answer as a real Kubernetes API does", async () => {
    const { records } = await open();
    const suffix = "a1b2c3";
    const profile = `cp-${suffix}`;
    const cloud = await openLocal({ records, seed: { cloudprofiles: [{ name: profile, spec: cloudProfileSpec }] } });
    const lines = await tellClusters({
      backend: { ...cloud.clusters },
      suffix,
      profile,
      provider: callAt(records, {}),
      stranger: callAt(records, { reseller: "other", client_id: "other" }),
      makeNamespace: async () => {}, // it comes with its project
    });
    await expectTranscript(lines, "clusters");
  });
});
