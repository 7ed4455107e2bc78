import { GatewayError } from "../../errors.ts";
import type { ReconfigurableOptions } from "../../options.ts";
import { type AnswerCacheAdmin, answerCacheAdmin } from "../cache/open.ts";
import { type Requests, requestsOf } from "../requests.ts";
import type { Ports } from "../runtime/ports.ts";
import { toolRequestsOf } from "../tools/requests.ts";
import type { ToolRequests } from "../tools/tool-requests.ts";
import { type Offerings, offersOf } from "../verbs/offerings.ts";
import { storedResponsesOf } from "../verbs/stored-responses/load.ts";
import type { StoredResponses } from "../verbs/stored-responses/stored-responses.ts";
import { type RetiredParts, retireParts } from "./retire.ts";

/** What an engine does by its options as they are now. */
interface Configuration {
  readonly ports: Ports;
  readonly requests: Requests;
  readonly offers: Offerings;
  readonly storedResponses: StoredResponses;
  readonly cache: AnswerCacheAdmin;
  readonly mcp: ToolRequests;
}

/** The configuration of an engine, which another one may follow. */
interface FollowedConfigurations {
  readonly live: Configuration;
  /** Has calls that begin from now on follow other options; throws `invalid_configuration` and changes nothing. */
  reconfigure(options: ReconfigurableOptions): void;
  /** What is to be closed with the engine. */
  parts(): { readonly ports: Ports; readonly retired: readonly RetiredParts[] };
}

/** Begins with the first ports; `configure` makes those of other options. */
export function followConfigurations(
  first: Ports,
  configure: (options: ReconfigurableOptions, former: Ports) => Ports,
): FollowedConfigurations {
  let live = openConfiguration(first);
  let retired: readonly RetiredParts[] = [];
  return {
    get live() {
      return live;
    },
    reconfigure(options) {
      const former = live.ports;
      if (former.isDraining()) throw new GatewayError("shutting_down", "The engine is closing.");
      live = openConfiguration(configure(options, former));
      const parts = retireParts(former, live.ports, () => {
        retired = retired.filter((each) => each !== parts);
      });
      retired = [...retired, parts];
    },
    parts: () => ({ ports: live.ports, retired }),
  };
}

function openConfiguration(ports: Ports): Configuration {
  return {
    ports,
    requests: requestsOf(ports),
    offers: offersOf(ports),
    storedResponses: storedResponsesOf(ports),
    cache: answerCacheAdmin(ports),
    mcp: toolRequestsOf(ports),
  };
}
