import { GatewayError } from "../../../src/engine/errors.ts";
import type { Transport, WireRequest } from "../../../src/engine/ports/transport.ts";
import { type Authorized, authorizedTransport, withoutCredential } from "../../shared/http/authorized.ts";
import { requireSecret } from "../../shared/http/target.ts";

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

/** A transport that signs every request as AWS's Signature Version 4 wants it. Refusals of a signature repeat what was signed. */
export function signingTransport(inner: Transport, signing: Signing): Transport {
  return authorizedTransport(inner, signerOf(signing));
}

function signerOf(signing: Signing): (request: WireRequest) => Promise<Authorized> {
  const { provider, region } = signing;
  const give = giverOf(signing);
  let opening: ReturnType<typeof openSigner> | undefined;
  return async (request) => {
    const current = await give();
    opening ??= openSigner(provider, region);
    const url = new URL(request.url);
    const { [dateHeader]: date, ...headers } = request.headers;
    const requested = {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers, host: url.host },
      body: request.body,
    };
    const sign = await opening;
    const { host: _own, ...signed } = await sign(requested, { keys: current, date: new Date(date ?? Number.NaN) });
    const { accessKeyId, secretAccessKey, sessionToken } = current;
    return {
      request: { ...request, headers: signed },
      secrets: [accessKeyId, secretAccessKey, ...(sessionToken ? [sessionToken] : [])],
    };
  };
}

function giverOf({ provider, keys: source }: Signing): () => Promise<AwsKeys> {
  if (typeof source !== "function") {
    const keys = requireKeys(source, provider);
    return async () => keys;
  }
  return async () => {
    try {
      return requireKeys(await source(), provider);
    } catch (cause) {
      throw withoutCredential("keys", provider, cause);
    }
  };
}

/** Keys that a signature can be made with; throws `invalid_configuration` with the field in `param`. */
function requireKeys(keys: AwsKeys, provider: string): AwsKeys {
  const { accessKeyId, secretAccessKey, sessionToken }: Partial<AwsKeys> = Object(keys);
  const whole = {
    accessKeyId: requireSecret({ "keys.accessKeyId": accessKeyId }, provider),
    secretAccessKey: requireSecret({ "keys.secretAccessKey": secretAccessKey }, provider),
  };
  if (sessionToken === undefined || sessionToken === null) return whole;
  return { ...whole, sessionToken: requireSecret({ "keys.sessionToken": sessionToken }, provider) };
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
  return async (requested: Askable, { keys, date }: { keys: AwsKeys; date: Date }): Promise<Record<string, string>> => {
    const { accessKeyId, secretAccessKey, sessionToken } = keys;
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
    const signer = new SignatureV4({ service: "bedrock", region, credentials, sha256: Sha256 });
    return (await signer.sign(requested, { signingDate: date })).headers;
  };
}
