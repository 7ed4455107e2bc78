import type { TestContext } from "vitest";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isOld = major < 22 || (major === 22 && minor < 19);

/** Skips a test on a Node older than 22.19, on which the official Kubernetes client does not load. */
export function needKubernetesClient(context: TestContext): void {
  if (isOld) context.skip("@kubernetes/client-node needs Node 22.19");
}
