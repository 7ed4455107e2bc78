import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CloudRequest, ListRequest, Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { openCloudContext } from "../../../adapters/clouds/openstack/cloud-context.ts";
import type { OpenStackOptions } from "../../../adapters/clouds/openstack/index.ts";
import type { ServerSettings } from "../support/servers.ts";
import { adminOptions } from "./iaas-openstack.ts";

/** An administrator of a real cloud, apart from the portal: causes faults by hand, and asks the services what is true. */
export interface CloudAdmin {
  ask(request: CloudRequest): Promise<Wire>;
  list(request: ListRequest): Promise<Wire[]>;
  /** The ids of Keystone's projects. */
  projectIds(): Promise<string[]>;
  /** The names of Keystone's users. */
  userNames(): Promise<string[]>;
  setEnabled(projectId: string, enabled: boolean): Promise<void>;
  setPassword(userId: string, password: string): Promise<void>;
  /** Asks Keystone until the next second: it revokes whole seconds, and with them tokens that were made after the change. */
  awaitSecond(): Promise<void>;
  grant(grant: RoleOnProject): Promise<void>;
  revoke(grant: RoleOnProject): Promise<void>;
  /** A user with the role `admin` on a project of its own, as a portal has it. */
  makePortalUser(): Promise<PortalUser>;
  close(): Promise<void>;
}

interface RoleOnProject {
  readonly projectId: string;
  readonly userId: string;
  readonly role: string;
}

export interface PortalUser {
  readonly userId: string;
  readonly projectId: string;
  readonly credentials: { readonly username: string; readonly password: string };
  readonly options: OpenStackOptions;
}

export function openCloudAdmin(settings: ServerSettings): CloudAdmin {
  const { cloud, run, close } = openCloudContext({ ...adminOptions(settings), pageSize: 1_000 });
  const { signal } = new AbortController();
  const ask: CloudAdmin["ask"] = (request) => run({ signal }, (deadline) => cloud.ask(request, deadline));
  const list: CloudAdmin["list"] = (request) => run({ signal }, (deadline) => cloud.list(request, deadline));
  const identity = (method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown) =>
    ask({ service: "identity", method, path: path.split("/"), body });
  const listed = (key: string) => list({ service: "identity", path: [key], key });
  const rolePath = async ({ projectId, userId, role }: RoleOnProject) => {
    const found = (await listed("roles")).find(({ name }) => name === role);
    return `projects/${projectId}/users/${userId}/roles/${String(found?.id)}`;
  };
  const grant: CloudAdmin["grant"] = async (of) => void (await identity("PUT", await rolePath(of)));
  return {
    ask,
    list,
    grant,
    close,
    projectIds: async () => (await listed("projects")).map(({ id }) => String(id)),
    userNames: async () => (await listed("users")).map(({ name }) => String(name)),
    setEnabled: async (id, enabled) => void (await identity("PATCH", `projects/${id}`, { project: { enabled } })),
    setPassword: async (id, password) => void (await identity("PATCH", `users/${id}`, { user: { password } })),
    async awaitSecond() {
      const second = () => Math.floor(Date.now() / 1_000);
      for (const begun = second(); second() === begun; ) await listed("domains");
    },
    revoke: async (of) => void (await identity("DELETE", await rolePath(of))),
    async makePortalUser() {
      const name = `portal-${randomBytes(4).toString("hex")}`;
      const credentials = { username: name, password: `first of ${name}` };
      const { user } = await identity("POST", "users", {
        user: { name, password: credentials.password, domain_id: "default" },
      });
      const { project } = await identity("POST", "projects", { project: { name, domain_id: "default" } });
      const [userId, projectId] = [String((user as Wire).id), String((project as Wire).id)];
      await grant({ projectId, userId, role: "admin" });
      const options = { authUrl: settings.OS_AUTH_URL ?? "", credentials, scope: { projectId } };
      return { userId, projectId, credentials, options };
    },
  };
}

/** Stops the processes of a server of the suites by SIGSTOP, all those of each process group; gives what lets them go on. */
export function freeze(server: "keystone" | "openstack", prefix = ""): () => void {
  const run = join(process.env.SERVERS_HOME ?? join(tmpdir(), "tollgate-servers"), server, "run");
  const files = readdirSync(run).filter((file) => file.startsWith(prefix) && file.endsWith(".pid"));
  const groups = files.map((file) => -Number.parseInt(readFileSync(join(run, file), "utf8"), 10));
  if (groups.length === 0) throw new Error(`${run} names no process ${prefix}`);
  for (const group of groups) process.kill(group, "SIGSTOP");
  return () => {
    for (const group of groups) process.kill(group, "SIGCONT");
  };
}
