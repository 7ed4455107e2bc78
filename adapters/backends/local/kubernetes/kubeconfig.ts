import { createHmac } from "node:crypto";

/** A kubeconfig to be made. */
export interface KubeconfigPlan {
  readonly role: "admin" | "viewer";
  readonly project: string;
  readonly shoot: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Groups to which a cluster gives all rights, and the right to read. */
const groups = { admin: "gardener.cloud:system:admins", viewer: "gardener.cloud:system:viewers" } as const;

/**
 * A kubeconfig in YAML, whose user is a signed token (JWT, HS256) with a group and an end: the viewer's is not among the admins. The
 * embedded cloud runs no cluster, so that nothing answers at the address.
 */
export function writeKubeconfig(plan: KubeconfigPlan, key: Uint8Array): string {
  const { project, shoot, role } = plan;
  const name = `garden-${project}--${shoot}-${role}`;
  return [
    "apiVersion: v1",
    "kind: Config",
    `current-context: ${name}`,
    "clusters:",
    `  - name: ${name}`,
    "    cluster:",
    `      server: https://api.${shoot}.${project}.local.invalid`,
    "contexts:",
    `  - name: ${name}`,
    "    context:",
    `      cluster: ${name}`,
    `      user: ${name}`,
    "users:",
    `  - name: ${name}`,
    "    user:",
    `      token: ${tokenOf(plan, key)}`,
    "",
  ].join("\n");
}

function tokenOf({ role, project, shoot, issuedAt, expiresAt }: KubeconfigPlan, key: Uint8Array): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub: `${project}:${shoot}:${role}`, groups: [groups[role]], iat: issuedAt, exp: expiresAt };
  const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}
