import type { OpenStackOptions } from "../../../../adapters/clouds/openstack/client/options.ts";
import { type CloudContext, openCloudContext } from "../../../../adapters/clouds/openstack/cloud-context.ts";
import type { Transport, WireAnswer, WireRequest } from "../../../../src/engine/ports/transport.ts";
import { type FakeClock, fakeClock } from "../../../../src/testing/clock.ts";

/** An answer of a service, as far as a test says it; 200 and JSON unless said otherwise. */
export interface Said {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Sayer = (request: WireRequest, place: number) => Said | Promise<Said>;

/** A site whose requests a test answers itself; those for tokens, and for the proof of one, are answered here unless `onToken` or `onProof` says otherwise. */
export interface Scripted {
  readonly site: CloudContext;
  readonly clock: FakeClock;
  /** The requests in order, those for tokens apart. */
  readonly requests: WireRequest[];
  readonly tokens: WireRequest[];
}

const catalog = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([type, url]) => ({ type, endpoints: [{ interface: "public", region_id: "R1", url }] }));

const addresses = {
  compute: "http://compute.test/v2.1",
  volumev3: "http://volume.test/v3/p-own",
  network: "http://network.test",
  "load-balancer": "http://balancer.test/load-balancer",
  dns: "http://dns.test",
  image: "http://image.test",
};

/** What Keystone says of a token that lives an hour. */
export function tokenSaid(name: string, entries: Readonly<Record<string, string>> = addresses): Said {
  const token = {
    issued_at: "2026-01-01T00:00:00.000000Z",
    expires_at: "2026-01-01T01:00:00.000000Z",
    user: { id: "u", domain: { id: "default" } },
    project: { id: "p-own", domain: { id: "default" } },
    roles: [{ name: "admin" }],
    catalog: catalog(entries),
  };
  return { status: 201, body: { token }, headers: { "x-subject-token": name } };
}

function answerOf({ status = 200, body, text, headers }: Said): WireAnswer {
  const said = text ?? (body === undefined ? "" : JSON.stringify(body));
  return {
    status,
    body: said,
    headers: { "content-type": "application/json", "x-openstack-request-id": "req-7", ...headers },
  };
}

/** Opens one. */
export function scripted(
  say: Sayer,
  parts: Partial<OpenStackOptions> & { onToken?: Sayer; onProof?: Sayer } = {},
): Scripted {
  const { onToken = (_request, place) => tokenSaid(`token-${place + 1}`), onProof, ...options } = parts;
  const requests: WireRequest[] = [];
  const tokens: WireRequest[] = [];
  const transport: Transport = {
    async whole(request) {
      const isProof = request.url === "http://identity.test/v3/auth/tokens" && request.method === "GET";
      if (isProof) return answerOf((await onProof?.(request, requests.length)) ?? { body: {} });
      const isToken = request.url === "http://identity.test/v3/auth/tokens" && request.method === "POST";
      const list = isToken ? tokens : requests;
      list.push(request);
      return answerOf(await (isToken ? onToken : say)(request, list.length - 1));
    },
    stream: () => Promise.reject(new Error("no streams")),
    close: async () => {},
  };
  const clock = fakeClock();
  const credentials = { username: "admin", password: "hush-hush-hush" };
  const site = openCloudContext({ authUrl: "http://identity.test/v3", credentials, clock, transport, ...options });
  return { site, clock, requests, tokens };
}

/** A call that nobody ends. */
export const patient = { signal: new AbortController().signal };
