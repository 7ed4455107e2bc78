import type { Clock } from "../../../../src/engine/ports/clock.ts";
import type { Cloud } from "../../openstack/client/cloud.ts";
import type { OpenStackOptions } from "../../openstack/client/options.ts";
import type { CloudContext } from "../../openstack/cloud-context.ts";
import { type OperationDeadlineOptions, runWithDeadline } from "../../shared/deadline.ts";
import type { LocalCloudOptions } from "../options.ts";

/** The cloud as a site of OpenStack's operations, so that those of the embedded cloud are the same, rule by rule. */
export function localCloudContext(cloud: Cloud, { quotaProfiles }: LocalCloudOptions, clock: Clock): CloudContext {
  const options: OpenStackOptions = {
    authUrl: "",
    credentials: { username: "", password: "" }, // nobody is asked who we are
    domainId: "default",
    projectRole: null,
    quotaProfiles,
  };
  const settings: OperationDeadlineOptions = { clock, whole: 60_000, name: "The embedded cloud" };
  return {
    cloud,
    options,
    run: ({ signal }, act) => runWithDeadline({ ...settings, signal }, act),
    runLong: ({ signal }, act) => runWithDeadline({ ...settings, signal }, (deadline) => act(deadline, 1)),
    undo: (act) => runWithDeadline(settings, act),
    close: async () => {},
  };
}
