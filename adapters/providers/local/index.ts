import { GatewayError } from "../../../src/engine/errors.ts";
import { defineProvider, type Provider } from "../../../src/engine/ports/provider.ts";
import type { Duration } from "../../../src/engine/runtime/duration.ts";
import { anything, checkedOptions, durationUpTo, msOf, text } from "../../shared/options.ts";
import { echo, echoSlowly } from "./chat.ts";
import { decideNothing } from "./decide.ts";
import { checkCall, models } from "./models.ts";
import { rankHere } from "./rerank/rerank.ts";
import { localVectors } from "./vectors.ts";

/** Options of {@link local}; none is needed. */
export interface LocalOptions {
  /** The pause between the words of a stream, in milliseconds or as text, to see how a client takes them; 0 unless given. */
  readonly pauseMs?: Duration | undefined;
  /** The part before `/` in model names; `local` unless given. */
  readonly name?: string | undefined;
  /**
   * Further models that answer as `echo` does, at most 100. With a vendor's name and models it stands in for that vendor, at its prices:
   * `local({ name: "openai", models: ["gpt-5-mini"] })`.
   */
  readonly models?: readonly string[] | undefined;
}

const longestPause = 60_000;

/**
 * A provider that needs no network and no key. `local/echo` answers deterministically, whole or word by word, says that it is an echo, and
 * finds all options of a decision equally likely; `local/bm25` ranks documents by their words; `local/minilm-l6-v2` makes vectors and ranks
 * by them, `local/hybrid` ranks by both, where the packages with its engine and its weights are installed. For trying things out offline, for tests, and for a semantic cache that asks
 * nobody.
 */
export function local(options: LocalOptions = {}): Provider {
  const shapes = { name: text, pauseMs: durationUpTo(longestPause, "a minute"), models: anything };
  const { name = "local", pauseMs: pause, models: asked = [] } = checkedOptions(options, shapes, { of: "local" });
  const echoes = checkNames(name, asked);
  const pauseMs = msOf(pause, 0);
  const vectors = localVectors(name);
  return defineProvider({
    name,
    reportsSearches: true,
    chat: async (request, call) => echo(request, call, { provider: name, echoes }),
    streamChat: (request, call) => echoSlowly(request, call, { provider: name, echoes, pauseMs }),
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
      const standIns = echoes.map((id) => ({ ...models.echo, id, name: id, pricing: undefined }));
      return standIns.length > 0 ? standIns : [models.echo, models.bm25, ...ofVectors];
    },
    close: () => vectors.close(),
  });
}

/** Throws `invalid_configuration` for what is no short list of names. */
function checkNames(provider: string, names: readonly string[]): readonly string[] {
  const isList =
    Array.isArray(names) && names.length <= 100 && names.every((one) => typeof one === "string" && one !== "");
  if (isList) return names;
  const message = `\`models\` of ${provider} must be a list of at most 100 names.`;
  throw new GatewayError("invalid_configuration", message, { param: "models" });
}
