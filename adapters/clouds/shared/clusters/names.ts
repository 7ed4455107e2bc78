import { createHash } from "node:crypto";
import { GatewayError } from "../../../../src/engine/errors.ts";

/** Characters that the name of a cluster project may have; Gardener refuses more. */
const projectNameLimit = 10;

/** Characters that the names of a cluster and of its project may have together. */
const jointLimit = 21;

/** Characters of a digest in a name without and with a prefix. */
const digestLength = { alone: 7, behindPrefix: 6 };

/**
 * Names for the cluster project of an infrastructure project, whose own id is too long for one: at most ten characters, always the
 * same ones for the same id, to be tried in order in case another project has the first.
 */
export function projectNames(projectId: string, prefix = ""): readonly string[] {
  const start = prefix
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/^[0-9]+/, "")
    .slice(0, projectNameLimit - digestLength.behindPrefix);
  const length = start === "" ? digestLength.alone : digestLength.behindPrefix;
  return [0, 1, 2].map((attempt) => `${start || "p"}${digest(`${projectId}\0${attempt}`, length)}`);
}

function digest(text: string, length: number): string {
  const sum = BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
  return sum.toString(36).padStart(50, "0").slice(-length);
}

/** The namespace of a cluster project. */
export function namespaceOf(projectName: string): string {
  return `garden-${projectName}`;
}

const label = /^[a-z](?:[a-z0-9]|-(?!-))*$/;

function isLabel(name: string): boolean {
  return label.test(name) && !name.endsWith("-");
}

/** Throws `invalid_request` unless a cluster of this name can be made in the project. */
export function checkShootName(name: string, projectName: string): void {
  const limit = jointLimit - projectName.length;
  if (isLabel(name) && name.length <= limit) return;
  const rule = `lower-case letters, digits and single hyphens, beginning with a letter, at most ${limit} characters`;
  const reason = `a cluster's and its project's name may have ${jointLimit} together`;
  throw new GatewayError("invalid_request", `\`shoot_name\` must be ${rule} (${reason}).`, { param: "shoot_name" });
}
