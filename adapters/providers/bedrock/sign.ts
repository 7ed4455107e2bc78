import { GatewayError } from "../../../src/errors.ts";
import type { Transport, WireRequest, WireStream } from "../../shared/http/transport.ts";

/** An AWS identity: long-term keys, or the short-term ones of a role, which come with a session token. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Keys, or who gives the ones that are good now. It is asked for every request and keeps what it may: the providers of AWS's SDK do. */
export type AwsKeySource = AwsKeys | (() => AwsKeys | Promise<AwsKeys>);

/** What signatures are made with. */
export interface Signing {
  readonly provider: string;
  readonly region: string;
  readonly keys: AwsKeySource;
}

/** The header by which the adapter tells when a request is made, as an ISO date; the signature puts its own form in its place. */
export const dateHeader = "x-amz-date";

interface Signed {
  readonly request: WireRequest;
  readonly keys: AwsKeys;
}

type Sign = (request: WireRequest) => Promise<Signed>;

/** A transport that signs every request as AWS's Signature Version 4 wants it, and hides in refusals what they repeat of the keys. */
export function signingTransport(inner: Transport, signing: Signing): Transport {
  const sign = signerOf(signing);
  return {
    async whole(request) {
      const { request: signed, keys } = await sign(request);
      const answer = await inner.whole(signed);
      return answer.status < 400 ? answer : { ...answer, body: hide(answer.body, keys) };
    },
    async stream(request) {
      const { request: signed, keys } = await sign(request);
      const answer = await inner.stream(signed);
      return answer.status < 400 ? answer : { ...answer, body: hiding(answer.body, keys) };
    },
    close: () => inner.close(),
  };
}

function signerOf({ provider, region, keys }: Signing): Sign {
  let opening: ReturnType<typeof openSigner> | undefined;
  return async (request) => {
    const current = typeof keys === "function" ? await keysFrom(keys, provider) : keys;
    opening ??= openSigner(provider, region);
    const url = new URL(request.url);
    const { [dateHeader]: date, ...headers } = request.headers;
    const asked = {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers, host: url.host },
      body: request.body,
    };
    const sign = await opening;
    const { host: _own, ...signed } = await sign(asked, { keys: current, date: new Date(date ?? Number.NaN) });
    return { request: { ...request, headers: signed }, keys: current };
  };
}

async function keysFrom(source: () => AwsKeys | Promise<AwsKeys>, provider: string): Promise<AwsKeys> {
  try {
    return await source();
  } catch (cause) {
    throw new GatewayError("invalid_configuration", `\`keys\` of ${provider} gave none.`, {
      param: "keys",
      provider,
      cause,
    });
  }
}

/** A request as the signer takes it. */
interface Askable {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: WireRequest["body"];
}

/** Loads AWS's own signer; throws `invalid_configuration` where it is not installed. */
async function openSigner(provider: string, region: string) {
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([
    import("@smithy/signature-v4"),
    import("@smithy/core/checksum"),
  ]).catch((cause) => {
    const message = `${provider} signs with the packages @smithy/signature-v4 and @smithy/core: install them, or use an \`apiKey\`.`;
    throw new GatewayError("invalid_configuration", message, { param: "keys", provider, cause });
  });
  return async (asked: Askable, { keys, date }: { keys: AwsKeys; date: Date }): Promise<Record<string, string>> => {
    const { accessKeyId, secretAccessKey, sessionToken } = keys;
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
    const signer = new SignatureV4({ service: "bedrock", region, credentials, sha256: Sha256 });
    return (await signer.sign(asked, { signingDate: date })).headers;
  };
}

/** Refusals of a signature repeat what was signed, the session token included. */
function hide(text: string, { secretAccessKey, sessionToken }: AwsKeys): string {
  const hidden = text.replaceAll(secretAccessKey, "[redacted]");
  return sessionToken ? hidden.replaceAll(sessionToken, "[redacted]") : hidden;
}

/** The refusal of a stream, as one piece: it is short, and a token may stand across two pieces. */
async function* hiding(body: WireStream["body"], keys: AwsKeys): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size > longestRefusal) break;
  }
  yield Buffer.from(hide(Buffer.concat(pieces).toString("utf8"), keys));
}

/** Bytes of a refusal that are worth reading. */
const longestRefusal = 1024 * 1024;
