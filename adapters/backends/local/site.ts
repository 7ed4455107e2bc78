import type { Clock } from "../../../src/ports.ts";
import type { Cloud } from "../openstack/cloud.ts";
import type { OpenStackOptions } from "../openstack/options.ts";
import type { Site } from "../openstack/site.ts";
import { runWork, type WorkTerms } from "../shared/work.ts";
import type { LocalOptions } from "./options.ts";

/** The cloud as a site of OpenStack's operations, so that those of the embedded cloud are the same, rule by rule. */
export function localSite(cloud: Cloud, { quotaProfiles }: LocalOptions, clock: Clock): Site {
  const options: OpenStackOptions = {
    authUrl: "",
    credentials: { username: "", password: "" }, // nobody is asked who we are
    domainId: "default",
    projectRole: null,
    quotaProfiles,
  };
  const terms: WorkTerms = { clock, whole: 60_000, name: "The embedded cloud" };
  return {
    cloud,
    options,
    run: ({ signal }, act) => runWork({ ...terms, signal }, act),
    runLong: ({ signal }, act) => runWork({ ...terms, signal }, (work) => act(work, 1)),
    undo: (act) => runWork(terms, act),
    close: async () => {},
  };
}
