import { describe, it } from "vitest";
import { expectTranscript } from "../../adapters/contract/transcript.ts";
import { callAt, noon, stores } from "../../portal/support/rig.ts";
import { openLocal } from "../support/local.ts";
import { type ClusterSubject, cloudProfileSpec, tellClusters } from "./clusters.ts";

/** The same operations, each of which begins when what the one before began is over. */
function patiently(clusters: ClusterSubject["backend"], wait: () => void): ClusterSubject["backend"] {
  const operations = Object.entries(clusters).map(([name, operation]) => {
    const later = (input: never, call: never) => {
      wait();
      return (operation as (input: never, call: never) => unknown)(input, call);
    };
    return [name, later] as const;
  });
  return Object.fromEntries(operations) as ClusterSubject["backend"];
}

describe.each(stores)("clusters of the embedded cloud: %s", (_name, open) => {
  it("answer as a real Kubernetes API does", async () => {
    const { records } = await open();
    const suffix = "a1b2c3";
    const profile = `cp-${suffix}`;
    let now = noon;
    const clock = { now: () => now, after: () => () => {} };
    const cloud = await openLocal({
      records,
      clock,
      seed: { cloudprofiles: [{ name: profile, spec: cloudProfileSpec }] },
    });
    const lines = await tellClusters({
      backend: patiently(cloud.clusters, () => {
        now += 120_000;
      }),
      suffix,
      profile,
      provider: callAt(records, {}),
      stranger: callAt(records, { reseller: "other", client_id: "other" }),
      makeNamespace: async () => {}, // it comes with its project
    });
    await expectTranscript(lines, "clusters");
  });
});
