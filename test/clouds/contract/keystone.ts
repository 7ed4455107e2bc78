import { randomBytes } from "node:crypto";
import { Agent, fetch, type RequestInit, type Response } from "undici";
import type { ServerSettings } from "../support/servers.ts";

/** A project of Keystone with a user and a key pair for the object store. */
export interface KeystoneProject {
  readonly id: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The Keystone that Ceph trusts: the whole OpenStack's where that runs, else the one of the suite. */
async function findKeystone({ OS_AUTH_URL = "" }: ServerSettings): Promise<string> {
  const whole = "http://127.0.0.1:15000/v3";
  const answer = await fetch(whole).catch(() => undefined);
  return answer?.ok ? whole : OS_AUTH_URL.replace(/\/(v3)?\/?$/, "/v3");
}

/** Makes projects with a user and an EC2 credential each. */
export async function makeProjects(settings: ServerSettings, count: number): Promise<KeystoneProject[]> {
  const keystone = await findKeystone(settings);
  const token = await logIn(keystone);
  const post = async (path: string, body: unknown) => send(keystone, token, { method: "POST", path, body });
  const { roles } = (await send(keystone, token, { method: "GET", path: "/roles" })) as {
    roles: { id: string; name: string }[];
  };
  const member = roles.find(({ name }) => name === "member")?.id;
  const made: KeystoneProject[] = [];
  for (let n = 0; n < count; n++) {
    const name = `s3-${randomBytes(6).toString("hex")}`;
    const { project } = (await post("/projects", { project: { name, domain_id: "default" } })) as {
      project: { id: string };
    };
    const user = (await post("/users", { user: { name, password: name, domain_id: "default" } })) as {
      user: { id: string };
    };
    await send(keystone, token, {
      method: "PUT",
      path: `/projects/${project.id}/users/${user.user.id}/roles/${member}`,
    });
    const pair = { access: randomBytes(16).toString("hex"), secret: randomBytes(16).toString("hex") };
    const credential = { type: "ec2", blob: JSON.stringify(pair), project_id: project.id, user_id: user.user.id };
    await post("/credentials", { credential });
    made.push({ id: project.id, accessKeyId: pair.access, secretAccessKey: pair.secret });
  }
  return made;
}

async function logIn(keystone: string): Promise<string> {
  const user = { name: "admin", password: "admin", domain: { id: "default" } };
  const scope = { project: { name: "admin", domain: { id: "default" } } };
  const auth = { identity: { methods: ["password"], password: { user } }, scope };
  const answer = await ask(`${keystone}/auth/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ auth }),
  });
  return answer.headers.get("x-subject-token") ?? "";
}

/**
 * Its server closes a connection after each answer, now and then just when the next request would go out on it: each has its own. Where
 * another thread of Keystone writes its SQLite file for long, it closes one without a word after five seconds ("database is locked" in its
 * log).
 */
const oneByOne = new Agent({ pipelining: 0 });
const mostTries = 8;

async function ask(url: string, request: RequestInit): Promise<Response> {
  for (let tried = 1; ; tried++) {
    try {
      return await fetch(url, { ...request, dispatcher: oneByOne });
    } catch (thrown) {
      if (tried === mostTries) throw thrown;
    }
  }
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

async function send(keystone: string, token: string, { method, path, body }: Asked): Promise<unknown> {
  const headers = { "x-auth-token": token, "content-type": "application/json" };
  const answer = await ask(`${keystone}${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.status === 204 ? undefined : answer.json();
}
