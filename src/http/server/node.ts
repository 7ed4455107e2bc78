import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayError } from "../../engine/errors.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { amount, type Checks, checkOptions, object, text } from "../../engine/runtime/checks.ts";
import { turnEnd } from "../../engine/runtime/loop-turn.ts";
import type { MaybePromise } from "../../engine/runtime/maybe-promise.ts";
import type { HttpResponse } from "../message.ts";
import { createHandler } from "./handler.ts";
import { type HandlerOptions, handlerChecks, keepAliveMsOf } from "./handler-options.ts";
import { send } from "./node-answer.ts";
import { beginBody } from "./node-body.ts";
import { toRequest } from "./node-request.ts";
import { defaultStartWaitMs, StartOrder } from "./start-order.ts";

/** What a listener is made of; only `engine` and `clock` are required. */
export interface CoreListenerOptions extends HandlerOptions {
  readonly clock: Clock;
  /** Where the API is mounted, e.g. `/gateway`, when the framework does not take that off `req.url` itself. */
  readonly prefix?: string | undefined;
  /**
   * Milliseconds after which new requests are refused with `overloaded` because one still waits to be begun, 10,000 by default; 0 for
   * never. Requests wait only while streams run and more come in a turn of the event loop than it begins.
   */
  readonly startWaitMs?: number | undefined;
}

/**
 * Answers a request of node:http. As a middleware (with `next`) it passes on what is not its own path; without `next` that is
 * 404. Never throws.
 */
export type Listener = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

const checks: Checks<CoreListenerOptions> = { ...handlerChecks, clock: object, prefix: text, startWaitMs: amount };

/** Builds a listener for node:http; it also mounts in Express, Connect and Fastify. */
export function createListener(options: CoreListenerOptions): Listener {
  checkOptions(options, checks, { of: "createListener", needs: ["engine"] });
  const handle = createHandler(options);
  const keepAlive = { clock: options.clock, keepAliveMs: keepAliveMsOf(options) };
  const prefix = options.prefix?.replace(/\/+$/, "") ?? "";
  const order = new StartOrder({ startWaitMs: options.startWaitMs ?? defaultStartWaitMs, clock: options.clock });
  return (req, res, next) => {
    if (req.method === "POST") order.begin((fault) => respond({ req, res, next, fault }));
    else respond({ req, res, next, fault: undefined });
  };

  function respond(exchange: Exchange): void {
    answer(exchange)
      .then((response) => deliver(response, exchange))
      .catch(() => exchange.res.destroy()); // the answer could not be written: cut, so that it does not look complete
  }

  function deliver(response: HttpResponse, { res, next }: Exchange): MaybePromise<void> {
    if (response.isPassedOn) return next?.();
    const sending = send(response, res, keepAlive);
    return sending === undefined ? undefined : order.whileRunning(sending);
  }

  /**
   * Requests with a short body are begun together, when all that came in this turn are here. Where paths are shared, a body may be
   * somebody else's to read.
   */
  function answer({ req, res, next, fault }: Exchange): Promise<HttpResponse> {
    const isShared = next !== undefined;
    const begun = isShared || fault ? undefined : beginBody(req);
    if (!begun) return handle(toRequest(req, res, { prefix, isShared, fault }));
    return turnEnd().then(() => handle(toRequest(req, res, { prefix, isShared, begun })));
  }
}

/** A request, where its answer goes, and what it is refused with before anything is looked at. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly next: (() => void) | undefined;
  readonly fault: GatewayError | undefined;
}
