import { GatewayError } from "../../../src/engine/errors.ts";
import { checkedOptions } from "../../shared/options.ts";
import { type OpenStackOptions, openstackChecks } from "./client/options.ts";
import { checkUrl } from "./client/sender.ts";
import { sortLimits } from "./quotas/quota-names.ts";

/** Below these an answer is not what it looks like: Cinder ignores `backup_id` before 3.47, Nova tells no flavor before 2.47. */
const lowest = { compute: "2.47", volume: "3.47" } as const;

/** Throws `invalid_configuration` naming the option that is wrong. */
export function checkOpenStack(options: OpenStackOptions): void {
  checkedOptions(options, openstackChecks, { of: "OpenStack", needs: ["authUrl", "credentials"] });
  const refuse = (param: string, problem: string): never => {
    throw new GatewayError("invalid_configuration", `\`${param}\` of OpenStack ${problem}.`, { param });
  };
  for (const [service, address] of Object.entries(options.endpoints ?? {})) checkUrl(`endpoints.${service}`, address);
  for (const service of ["compute", "volume"] as const) {
    const version = options.microversions?.[service];
    if (version === undefined || isAtLeast(version, lowest[service])) continue;
    refuse(`microversions.${service}`, `must be ${lowest[service]} or newer`);
  }
  const { credentials } = options;
  for (const [field, value] of Object.entries(typeof credentials === "function" ? {} : credentials)) {
    if (typeof value === "string" && value.trim() !== "") continue;
    if (value !== undefined) refuse(`credentials.${field}`, "is empty");
  }
  const { pageSize = 1 } = options;
  if (!Number.isInteger(pageSize) || pageSize < 1) refuse("pageSize", "must be a whole number from 1");
  for (const limits of Object.values(options.quotaProfiles ?? {})) sortLimits(limits, "quotaProfiles");
}

function isAtLeast(version: string, least: string): boolean {
  const [major, minor] = numbersOf(version);
  const [leastMajor, leastMinor] = numbersOf(least);
  return major === leastMajor && minor >= leastMinor;
}

/** The two numbers of a version; what is none is older than all. */
function numbersOf(version: string): readonly [major: number, minor: number] {
  const [, major = "0", minor = "0"] = /^(\d+)\.(\d+)$/.exec(version) ?? [];
  return [Number(major), Number(minor)];
}
