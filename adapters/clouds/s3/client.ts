import type { S3Client } from "@aws-sdk/client-s3";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { OperationDeadline } from "../shared/deadline.ts";
import { s3Failure } from "./faults.ts";
import type { S3Options } from "./options.ts";

export type S3Sdk = typeof import("@aws-sdk/client-s3");

/** Who signs. */
export interface KeyPair {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A store as one identity sees it. */
export interface S3Caller {
  readonly sdk: S3Sdk;
  readonly client: S3Client;
  /** Sends a command under the work's deadline; failures are GatewayErrors. */
  send<Answer>(run: (client: S3Client, abortSignal: AbortSignal) => Promise<Answer>): Promise<Answer>;
}

/** Which store, as whom, until when. */
export interface S3Connection {
  readonly options: S3Options;
  readonly endpoint: string;
  readonly keys: KeyPair;
  readonly deadline: OperationDeadline;
}

/** Loads the SDK, which is an optional package of the caller's own. */
async function importSdk(): Promise<S3Sdk> {
  try {
    return await import("@aws-sdk/client-s3");
  } catch (thrown) {
    throw uninstalled(thrown);
  }
}

/** The error of an SDK that is not there. */
export function uninstalled(cause: unknown): GatewayError {
  const message =
    "tollgate/backends/s3 needs the packages @aws-sdk/client-s3 and @aws-sdk/s3-request-presigner: install them.";
  return new GatewayError("invalid_configuration", message, { cause });
}

/** Runs with a client of one identity, which is closed afterwards: keys are kept nowhere. */
export async function withStore<T>(
  { options, endpoint, keys, deadline }: S3Connection,
  run: (store: S3Caller) => Promise<T>,
): Promise<T> {
  const sdk = await importSdk();
  const client = new sdk.S3Client({
    endpoint,
    region: options.region ?? "us-east-1",
    forcePathStyle: options.pathStyle ?? true,
    credentials: keys,
    maxAttempts: 2,
    // Checksums only where S3 demands them: older stores refuse the ones that the SDK adds by itself.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5_000 },
  });
  refuseHtml(client);
  const controller = new AbortController();
  const onAbort = () => controller.abort(deadline.signal.reason);
  if (deadline.signal.aborted) onAbort();
  else deadline.signal.addEventListener("abort", onAbort);
  try {
    return await run({
      sdk,
      client,
      async send(ask) {
        try {
          return await ask(client, controller.signal);
        } catch (thrown) {
          throw s3Failure(thrown, endpoint, deadline.signal);
        }
      },
    });
  } finally {
    deadline.signal.removeEventListener("abort", onAbort);
    client.destroy();
  }
}

/**
 * The SDK reads an answer that is no XML of S3 as one that says nothing: the page of a proxy would be an empty list of objects. A HEAD
 * tells the type of the object itself, which may well be HTML.
 */
function refuseHtml(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (input) => {
        const result = await next(input);
        const { headers = {} } = result.response as { readonly headers?: Readonly<Record<string, string>> }; // seam: the SDK does not say
        if (commandName !== "HeadObjectCommand" && headers["content-type"]?.startsWith("text/html")) {
          throw new GatewayError("backend_error", "The object store gave an answer that cannot be read: it is HTML.");
        }
        return result;
      },
    { step: "deserialize", priority: "low", name: "refuseHtml" },
  );
}
