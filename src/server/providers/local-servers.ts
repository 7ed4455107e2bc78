import type { Environment, Probe } from "../terminal/terminal.ts";

/** A model server that may run on this machine without being configured. */
interface LocalServer {
  /** The provider's name, and its kind. */
  readonly name: string;
  readonly port: number;
  /** The probe path, and a check that the answer comes from this server, since other programs use these ports as well. */
  readonly path: string;
  readonly isAnswer: (body: unknown) => boolean;
  /** The environment variable that the server's own tools use for its address. */
  readonly variable?: string;
}

/** Servers by their default ports; each names itself in what it answers. */
const servers: readonly LocalServer[] = [
  {
    name: "ollama",
    port: 11_434,
    path: "/api/version",
    isAnswer: (body) => hasText(body, "version"),
    variable: "OLLAMA_HOST",
  },
  { name: "lmstudio", port: 1_234, path: "/v1/models", isAnswer: (body) => listsModelsOf(body, "organization_owner") },
  { name: "vllm", port: 8_000, path: "/v1/models", isAnswer: (body) => listsModelsOf(body, "vllm") },
  { name: "sglang", port: 30_000, path: "/v1/models", isAnswer: (body) => listsModelsOf(body, "sglang") },
  { name: "llamacpp", port: 8_080, path: "/v1/models", isAnswer: (body) => listsModelsOf(body, "llamacpp") },
];

/** A server that answered. */
export interface RunningServer {
  readonly name: string;
  /** `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
}

/** Probes all servers at once, except those in `except`. */
export async function findLocalServers(
  env: Environment,
  probe: Probe,
  except: ReadonlySet<string>,
): Promise<RunningServer[]> {
  const requested = servers
    .filter(({ name }) => !except.has(name))
    .map(async ({ name, port, path, isAnswer, variable }): Promise<RunningServer[]> => {
      const origin = originOf(variable === undefined ? undefined : env[variable], port);
      if (origin === undefined || !isAnswer(await probe(`${origin}${path}`))) return [];
      return [{ name, baseUrl: `${origin}/v1` }];
    });
  return (await Promise.all(requested)).flat();
}

/** `host`, `host:port` or a URL; an address that only a server can have (`0.0.0.0`) is reached on the loopback. */
function originOf(reported: string | undefined, port: number): string | undefined {
  if (reported === undefined || reported.trim() === "") return `http://127.0.0.1:${port}`;
  const text = reported.trim();
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  if (url.port === "" && url.protocol === "http:" && !/:80(\/|$)/.test(text)) url.port = String(port);
  return url.origin;
}

function hasText(body: unknown, name: string): boolean {
  return typeof body === "object" && body !== null && typeof (body as Record<string, unknown>)[name] === "string";
}

function listsModelsOf(body: unknown, owner: string): boolean {
  if (typeof body !== "object" || body === null || !("data" in body) || !Array.isArray(body.data)) return false;
  return body.data.some(
    (model: unknown) => hasText(model, "owned_by") && (model as { owned_by: string }).owned_by === owner,
  );
}
