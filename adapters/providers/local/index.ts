import { GatewayError } from "../../../src/errors.ts";
import { defineProvider, type Provider } from "../../../src/ports/provider.ts";
import { anything, checkedOptions, text } from "../../shared/options.ts";
import { echo, echoSlowly } from "./chat.ts";
import { decideNothing } from "./decide.ts";
import { checkCall, models } from "./models.ts";
import { rankHere } from "./rerank/rerank.ts";
import { localVectors } from "./vectors.ts";

/** Options of {@link local}; none is needed. */
export interface LocalOptions {
  /** Milliseconds between the words of a stream, to see how a client takes them; 0 unless given. */
  readonly pauseMs?: number | undefined;
  /** The part before `/` in model names; `local` unless given. */
  readonly name?: string | undefined;
}

const longestPause = 60_000;

/**
 * A provider that needs no network and no key. `local/echo` answers deterministically, whole or word by word, says that it is an echo, and
 * finds all options of a decision equally likely; `local/bm25` ranks documents by their words; `local/minilm-l6-v2` makes vectors and ranks
 * by them, `local/hybrid` ranks by both, where the packages with its engine and its weights are installed. For trying things out offline, for tests, and for a semantic cache that asks
 * nobody.
 */
export function local(options: LocalOptions = {}): Provider {
  const { name = "local", pauseMs = 0 } = checkedOptions(options, { name: text, pauseMs: anything }, { of: "local" });
  if (!(pauseMs >= 0 && pauseMs <= longestPause)) {
    const message = `\`pauseMs\` of ${name} must be between 0 and ${longestPause}.`;
    throw new GatewayError("invalid_configuration", message, { param: "pauseMs" });
  }
  const vectors = localVectors(name);
  return defineProvider({
    name,
    reportsSearches: true,
    chat: async (request, call) => echo(request, call, name),
    streamChat: (request, call) => echoSlowly(request, call, { provider: name, pauseMs }),
    async rerank(request, call) {
      checkCall("rerank", name, call);
      return rankHere(request, { provider: name, call, vectors });
    },
    async decide(request, call) {
      checkCall("chat", name, call);
      return decideNothing(request, { provider: name, call });
    },
    async embed(request, call) {
      checkCall("embed", name, call);
      return vectors.embed(request, call);
    },
    listModels: async () => {
      const ofVectors = (await vectors.isInstalled()) ? [models.hybrid, models.minilm] : [];
      return [models.echo, models.bm25, ...ofVectors];
    },
    close: () => vectors.close(),
  });
}
