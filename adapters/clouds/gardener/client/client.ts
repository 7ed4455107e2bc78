import type { KubeConfig, RequestContext } from "@kubernetes/client-node";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Abortable } from "../../../../src/engine/runtime/abortable.ts";
import { createRedactor } from "../../../../src/engine/runtime/redaction.ts";
import { secretsOf } from "../../../../src/engine/runtime/request-secrets.ts";
import { abortError, networkError } from "../../../shared/http/failure.ts";
import { untilEnded } from "../../shared/deadline.ts";
import { backendFailure } from "../../shared/failure.ts";
import type { GardenerOptions } from "../options.ts";
import type { KubeRequest, KubeSender } from "../sender.ts";

type KubernetesSdk = typeof import("@kubernetes/client-node");

/** Bytes that an answer may have. */
const longestAnswer = 64 * 1024 * 1024;

/** Requests through the official client: its kubeconfig, identities (tokens, certificates, exec, OIDC), proxies and TLS. Loaded with the first one. */
export function officialSender(options: Pick<GardenerOptions, "kubeconfig" | "context">): KubeSender {
  let loading: Promise<Loaded> | undefined;
  const loaded = () => {
    loading ??= load(options).catch((thrown: unknown) => {
      loading = undefined; // a kubeconfig that is mended is read anew
      throw thrown;
    });
    return loading;
  };
  return async (request, signal) => {
    const used = loaded();
    const answer = await send(await used, request, signal);
    if (answer.status !== 401) return answer;
    if (loading === used) loading = undefined; // its token or certificate was changed: read anew, once for all who were refused
    return send(await loaded(), request, signal);
  };
}

interface Loaded {
  readonly kubernetes: KubernetesSdk;
  readonly kubeconfig: KubeConfig;
  /** Without a slash at its end. */
  readonly server: string;
}

async function load({ kubeconfig: source, context }: Pick<GardenerOptions, "kubeconfig" | "context">): Promise<Loaded> {
  const kubernetes = await importClient();
  const kubeconfig = new kubernetes.KubeConfig();
  try {
    if ("file" in source) kubeconfig.loadFromFile(source.file);
    else if ("text" in source) kubeconfig.loadFromString(source.text);
    else kubeconfig.loadFromCluster();
    if (context !== undefined) kubeconfig.setCurrentContext(context);
  } catch (thrown) {
    // The reader's own words may quote the file, which holds credentials.
    throw misconfigured("`kubeconfig` cannot be read.", thrown);
  }
  const server = kubeconfig.getCurrentCluster()?.server;
  if (server === undefined) throw misconfigured("`kubeconfig` names no cluster in its current context.");
  return { kubernetes, kubeconfig, server: server.replace(/\/+$/, "") };
}

function misconfigured(message: string, cause?: unknown): GatewayError {
  return new GatewayError("invalid_configuration", message, { param: "kubeconfig", cause });
}

async function importClient(): Promise<KubernetesSdk> {
  try {
    return await import("@kubernetes/client-node");
  } catch (thrown) {
    const message =
      "tollgate/backends/gardener needs the package @kubernetes/client-node: install version 2, or 1.4 on Node before 22.19.";
    throw new GatewayError("invalid_configuration", message, { cause: thrown });
  }
}

async function send({ kubernetes, kubeconfig, server }: Loaded, request: KubeRequest, signal: Abortable) {
  const url = `${server}${request.path}`;
  const context = new kubernetes.RequestContext(url, request.method);
  context.setHeaderParam("accept", "application/json");
  context.setHeaderParam("user-agent", "tollgate");
  if (request.body !== undefined) {
    context.setHeaderParam("content-type", request.contentType ?? "application/json");
    context.setBody(JSON.stringify(request.body));
  }
  return withSignal(signal, async (abort) => {
    context.setSignal(abort);
    await identify(kubeconfig, context, signal);
    try {
      const answer = await toPromise(new kubernetes.IsomorphicFetchHttpLibrary().send(context));
      const { httpStatusCode: status } = answer;
      const body = await readBody(answer.body);
      return { status, body: status < 400 ? body : createRedactor(secretsOf(context.getHeaders()))(body) };
    } catch (thrown) {
      if (signal.aborted) throw abortError(signal);
      throw backendFailure(networkError(thrown, { url, peer: "its API server" }, "before the answer"), "Gardener");
    }
  });
}

/** Puts our identity and TLS on a request. A kubeconfig may start a program for that, or ask an identity provider. */
async function identify(kubeconfig: KubeConfig, context: RequestContext, signal: Abortable): Promise<void> {
  try {
    await untilEnded(kubeconfig.applySecurityAuthentication(context), signal);
  } catch (thrown) {
    if (signal.aborted) throw abortError(signal);
    const message = "The kubeconfig of the back end gives no identity and TLS that can be used: try it with kubectl.";
    throw new GatewayError("backend_error", message, { cause: thrown });
  }
}

/** The client answers with an observable of its own. */
function toPromise<T>(observable: { toPromise(): Promise<T> }): Promise<T> {
  return observable.toPromise();
}

/** What an answer's body can give: text alone from version 1 of the client, which has no streams. */
interface Body {
  text(): Promise<string>;
  stream?(): ReadableStream<Uint8Array> | null;
}

async function readBody(body: Body): Promise<string> {
  const stream = body.stream ? body.stream() : [Buffer.from(await body.text())];
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream ?? []) {
    pieces.push(piece);
    length += piece.length;
    if (length > longestAnswer) {
      throw new GatewayError("backend_error", `Gardener's answer is longer than ${longestAnswer} bytes.`);
    }
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Runs with a real `AbortSignal`, which is what `fetch` takes. */
async function withSignal<T>(signal: Abortable, run: (abort: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  try {
    return await run(controller.signal);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
