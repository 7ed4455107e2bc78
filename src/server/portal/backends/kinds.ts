import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { LocalCloud, Seed } from "tollgate/backends/local";
import type { CloudCredentials } from "tollgate/backends/openstack";
import type { z } from "zod";
import type { Store } from "../../../engine/ports/store.ts";
import type { Region } from "../../../portal/index.ts";
import { misconfigured } from "../../config/references.ts";
import { onlyPresent } from "../../present-options.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { GardenerShape, LocalShape, OpenStackShape, S3Shape, UpstreamShape, upstreamAreas } from "./shapes.ts";

/** What the gateway's listener serves of an embedded cloud: shared objects, and the APIs of clusters. */
export type SharedCloud = Pick<LocalCloud, "serve" | "serveCluster">;

/** The context of a back end, in addition to its settings. */
export interface BackendContext {
  readonly terminal: Pick<Terminal, "folder" | "env">;
  readonly store: Store;
  /** The store's file as it was chosen, and what its secrets are sealed with. */
  readonly storeFile: string | undefined;
  readonly secret: string;
  readonly previousSecrets: readonly string[];
  /** Returns the URL of the gateway, such as `http://127.0.0.1:8080`; exact once it listens. */
  origin(): string;
  /** Receives each embedded cloud that is opened. */
  onCloud?(code: string, cloud: LocalCloud): void;
  readonly code: string;
  /** The field of the configuration, for messages: `regions.eu-1.openstack`. */
  readonly path: string;
  /** What the kinds before this one serve in the same region. */
  readonly region: Region;
}

/** A kind of back end: its settings, and what it serves in a region. */
interface BackendKind<Shape extends z.ZodType> {
  readonly shape: Shape;
  open(settings: z.output<Shape>, context: BackendContext): Promise<Region>;
}

function kind<Shape extends z.ZodType>(row: BackendKind<Shape>): BackendKind<Shape> {
  return row;
}

const openstack = kind({
  shape: OpenStackShape,
  async open(settings, { path, terminal: { folder } }) {
    const { openstack: connect } = await import("tollgate/backends/openstack");
    const { iaas, backups, quotas, rollbacks } = connect({
      ...onlyPresent(optionsOf(settings)),
      authUrl: settings.authUrl,
      credentials: credentialsOf(settings, { path, folder }),
    });
    return { iaas, backups, quotas, rollbacks };
  },
});

type OpenStackSettings = z.output<typeof OpenStackShape>;

/** The options of the adapter that are settings under the same name, and the scope. */
function optionsOf(settings: OpenStackSettings) {
  const {
    authUrl: _url,
    username,
    password,
    passwordFile,
    userDomainId,
    applicationCredentialId,
    applicationCredentialSecret,
    ...rest
  } = settings;
  const { projectId, projectName, projectDomainId, scopeDomainId, system, timeouts, ...options } = rest;
  return {
    ...options,
    timeouts: present(timeouts),
    scope: scopeOf({ projectId, projectName, projectDomainId, scopeDomainId, system }),
  };
}

function scopeOf(
  provided: Pick<OpenStackSettings, "projectId" | "projectName" | "projectDomainId" | "scopeDomainId" | "system">,
) {
  const { projectId, projectName, projectDomainId, scopeDomainId, system } = provided;
  if (projectId !== undefined) return { projectId };
  if (projectName !== undefined) return { projectName, ...onlyPresent({ projectDomainId }) };
  if (scopeDomainId !== undefined) return { domainId: scopeDomainId };
  return system === undefined ? undefined : { system };
}

function credentialsOf(
  settings: OpenStackSettings,
  { path, folder }: { readonly path: string; readonly folder: string },
): CloudCredentials | (() => CloudCredentials) {
  const { username, password, passwordFile, userDomainId, applicationCredentialId, applicationCredentialSecret } =
    settings;
  if (applicationCredentialId !== undefined && applicationCredentialSecret !== undefined) {
    return { applicationCredentialId, applicationCredentialSecret };
  }
  if (username !== undefined && password !== undefined) return { username, password, ...onlyPresent({ userDomainId }) };
  if (username !== undefined && passwordFile !== undefined) {
    const file = isAbsolute(passwordFile) ? passwordFile : join(folder, passwordFile);
    const read = () => ({ username, password: readPassword(file, path), ...onlyPresent({ userDomainId }) });
    read(); // what cannot be read is said at the start
    return read;
  }
  throw misconfigured(
    path,
    "needs `username` and `password` or `passwordFile`, or `applicationCredentialId` and `applicationCredentialSecret`",
  );
}

function readPassword(file: string, path: string): string {
  try {
    const password = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    if (password !== "") return password;
  } catch (thrown) {
    throw misconfigured(`${path}.passwordFile`, `cannot be read: ${(thrown as Error).message}`);
  }
  throw misconfigured(`${path}.passwordFile`, "is an empty file");
}

const gardener = kind({
  shape: GardenerShape,
  async open({ kubeconfig, inCluster, ...options }, { terminal: { folder }, path, region: { iaas } }) {
    if ((kubeconfig === undefined) === (inCluster === undefined)) {
      throw misconfigured(path, "needs `kubeconfig`, or `inCluster: true`");
    }
    const file = kubeconfig === undefined || isAbsolute(kubeconfig) ? kubeconfig : join(folder, kubeconfig);
    const source = file === undefined ? ({ inCluster: true } as const) : { file };
    const { gardener: connect } = await import("tollgate/backends/gardener");
    return { clusters: connect({ ...onlyPresent(options), kubeconfig: source, ...onlyPresent({ iaas }) }) };
  },
});

const s3 = kind({
  shape: S3Shape,
  async open({ endpoints, principal: form, ...options }) {
    const { s3: connect } = await import("tollgate/backends/s3");
    const principal = form === undefined ? undefined : (id: string) => form.replaceAll("{project_id}", id);
    return { objectstore: connect({ ...onlyPresent({ ...options, principal }), endpoints }) };
  },
});

const http = kind({
  shape: UpstreamShape,
  async open({ url, token, resellerTokens = {}, areas = upstreamAreas, service, region, timeouts }) {
    const { upstreamPortal } = await import("tollgate/backends/http");
    const portal = upstreamPortal({
      ...onlyPresent({ service, region, timeouts: present(timeouts) }),
      url,
      token: ({ scope: { reseller, client_id } }) => {
        if (reseller === undefined) return token;
        return client_id === undefined && Object.hasOwn(resellerTokens, reseller)
          ? resellerTokens[reseller]
          : undefined;
      },
    });
    return Object.fromEntries(areas.map((area) => [area, portal.area(area)]));
  },
});

const local = kind({
  shape: LocalShape,
  async open({ folder = "", seed, endpoint, quotaProfiles }, context) {
    const { terminal, store, storeFile, secret, previousSecrets, origin, code, path, region } = context;
    const { local: embed } = await import("tollgate/backends/local");
    const cloud = embed({
      records: store.records,
      region: code,
      folder: within(terminal.folder, folder || `${storeFile ?? "tollgate"}.cloud/${code}`),
      secret,
      previousSecrets,
      endpoint: endpoint ?? (() => `${origin()}/objects/${code}`),
      clusterEndpoint: () => `${origin()}/kube/${code}`,
      ...onlyPresent({ quotaProfiles }),
      ...(seed === undefined ? {} : { seed: readSeedFile(within(terminal.folder, seed), `${path}.seed`) }),
    });
    context.onCloud?.(code, cloud);
    const { iaas, clusters, objectstore, backups, quotas, rollbacks } = cloud;
    const ofCloud = region.iaas === undefined ? { iaas, quotas, rollbacks } : {};
    return withoutPresent({ ...ofCloud, clusters, objectstore, ...(region.iaas ? {} : { backups }) }, region);
  },
});

function within(folder: string, file: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

/** What no other back end of the region serves. */
function withoutPresent(served: Region, region: Region): Region {
  return Object.fromEntries(Object.entries(served).filter(([area]) => !(area in region)));
}

function readSeedFile(file: string, path: string): Seed {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw misconfigured(path, `names ${file}, which is not a readable JSON file`);
  }
}

function present<T extends object>(value: T | undefined) {
  return value === undefined ? undefined : onlyPresent(value);
}

/** The kinds of back end, in the order in which a region's are opened. */
export const backendKinds = { openstack, gardener, s3, http, local } as const satisfies Record<
  string,
  { shape: z.ZodType }
>;

/** The name of a kind. */
export type BackendKindName = keyof typeof backendKinds;
