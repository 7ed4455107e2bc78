import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../../../shared/http/fault.ts";

/** A kubeconfig to be made. */
export interface KubeconfigPlan {
  readonly role: "admin" | "viewer";
  readonly project: string;
  readonly shoot: string;
  /** The cluster's own id: another cluster of the same name takes none of its tokens. */
  readonly uid: string;
  /** Where the cluster's API answers. */
  readonly server: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Groups to which a cluster gives all rights, and the right to read. */
const groups = { admin: "gardener.cloud:system:admins", viewer: "gardener.cloud:system:viewers" } as const;

/**
 * A kubeconfig in YAML, whose user is a signed token (JWT, HS256) with a group and an end: the viewer's is not among the admins.
 */
export function writeKubeconfig(plan: KubeconfigPlan, key: Uint8Array): string {
  const { project, shoot, role, server } = plan;
  const name = `garden-${project}--${shoot}-${role}`;
  return [
    "apiVersion: v1",
    "kind: Config",
    `current-context: ${name}`,
    "clusters:",
    `  - name: ${name}`,
    "    cluster:",
    `      server: ${JSON.stringify(server)}`,
    ...(server.startsWith("http:") ? ["      insecure-skip-tls-verify: true"] : []), // some clients take plain HTTP only so
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

const Claims = z.object({
  sub: z.string(),
  groups: z.array(z.string()),
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
});

function tokenOf({ role, project, shoot, uid, issuedAt, expiresAt }: KubeconfigPlan, key: Uint8Array): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const sub = `${project}:${shoot}:${role}`;
  const claims = { sub, groups: [groups[role]], aud: uid, iat: issuedAt, exp: expiresAt };
  const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${signatureOf(text, key).toString("base64url")}`;
}

function signatureOf(text: string, key: Uint8Array): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Whom a token stands for in a cluster. */
export interface TokenHolder {
  readonly name: string;
  readonly canWrite: boolean;
}

/** Who holds a token of a cluster; nothing for one that was not signed with the key, is another cluster's, or is over. */
export function readToken(
  token: string,
  { key, uid, now }: { readonly key: Uint8Array; readonly uid: string; readonly now: number },
): TokenHolder | undefined {
  const [head = "", payload = "", signature = ""] = token.split(".");
  const expected = signatureOf(`${head}.${payload}`, key);
  const signed = Buffer.from(signature, "base64url");
  if (signed.length !== expected.length || !timingSafeEqual(signed, expected)) return undefined;
  const claims = Claims.safeParse(parseJson(Buffer.from(payload, "base64url").toString("utf8"))).data;
  if (claims === undefined || claims.aud !== uid || now >= claims.exp * 1000) return undefined;
  return { name: claims.sub, canWrite: claims.groups.includes(groups.admin) };
}
