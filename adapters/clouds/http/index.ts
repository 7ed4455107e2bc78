import type { Operation, OperationTable } from "../../../src/operations/define.ts";
import { type AreaName, areas } from "../../../src/operations/portal/table.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { usualTransport } from "../../shared/http/usual-transport.ts";
import { systemClock } from "../../system.ts";
import { deadlinesOf, runWithDeadline } from "../shared/deadline.ts";
import { backendFailure } from "../shared/failure.ts";
import { answerOf, withoutSecrets } from "./answer.ts";
import { readAddress, tokenFor, type UpstreamPortalOptions } from "./options.ts";
import { outgoingOf, serviceHeaders } from "./request.ts";

export type { Deadlines } from "../../shared/options.ts";
export type { UpstreamPortalOptions } from "./options.ts";

/** An upstream portal by areas. */
export interface UpstreamPortal {
  /** The back end of an area: every operation of it is sent on as the table writes it. */
  area<Name extends AreaName>(name: Name): AreaBackend<Name>;
  /** Closes the sockets, unless the transport was given. */
  close(): Promise<void>;
}

/** Sends operations on to another portal that speaks the same API. Its refusals are passed on, whatever concerns our token is not. */
export function upstreamPortal(options: UpstreamPortalOptions): UpstreamPortal {
  const base = readAddress(options);
  const { transport = usualTransport(), clock = systemClock } = options;
  const timeouts = deadlinesOf(options.timeouts);
  const service = serviceHeaders(options.service);

  async function ask(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    call: PortalCall,
  ): Promise<unknown> {
    const { path, body } = outgoingOf(operation, input);
    const token = await tokenFor(options, call);
    const headers = {
      accept: "application/json",
      "auth-token": token,
      region: options.region ?? call.region,
      ...service,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const { method } = operation;
    return runWithDeadline(
      { clock, whole: timeouts.whole, name: "The portal behind this region", signal: call.signal },
      async ({ signal }) => {
        try {
          const url = `${base}${path}`;
          const answer = await transport.whole({ method, url, peer: "the server", headers, body, signal, timeouts });
          return answerOf(operation, withoutSecrets(answer, headers));
        } catch (thrown) {
          throw backendFailure(thrown, "Upstream portal");
        }
      },
    );
  }

  return {
    area(name) {
      const rows: OperationTable = areas[name];
      const methods = Object.entries(rows).map(([row, operation]) => [
        row,
        (input: Readonly<Record<string, unknown>>, call: PortalCall) => ask(operation, input, call),
      ]);
      return Object.fromEntries(methods); // seam: one method per row, whose answer is checked against that row
    },
    close: async () => {
      if (options.transport === undefined) await transport.close();
    },
  };
}
