import type { Clock, Ids } from "../../ports/clock.ts";
import type { Provider, ProviderCall, Timeouts } from "../../ports/provider.ts";
import type { Transport } from "../../ports/transport.ts";

/** Milliseconds for which a provider's list of models is valid. */
const listMs = 300_000;
/** Milliseconds after which a list that could not be read is requested again. */
const retryMs = 30_000;
/** Milliseconds to wait for a list. */
const waitMs = 10_000;

/** The providers' own lists of models, read for a model without a provider. */
export interface ModelLists {
  /** The names in a provider's list; `undefined` while none has been read. */
  namesOf(provider: string): ReadonlySet<string> | undefined;
  /** True when the list would be read now: it was never read, or is too old. */
  isDue(provider: string): boolean;
  /** Reads the lists that are due; concurrent callers share one reading of each list. Never rejects. */
  read(providers: readonly Provider[]): Promise<void>;
}

interface ModelNames {
  readonly names: ReadonlySet<string> | undefined;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

/** The settings for reading lists. */
export interface ModelListDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timeouts: Timeouts;
  readonly transport: Transport | undefined;
}

/** Lists that are empty until they are read. A provider that fails, or has no list, has no names. */
export function createModelLists(deps: ModelListDeps): ModelLists {
  const { clock } = deps;
  const lists = new Map<string, ModelNames>();
  const reading = new Map<string, Promise<void>>();
  const isDue = (provider: string): boolean => (lists.get(provider)?.dueAt ?? 0) <= clock.now();
  const readOne = async (provider: Provider): Promise<void> => {
    const names = await readNames(provider, deps).catch(() => undefined);
    const known = names ?? lists.get(provider.name)?.names;
    lists.set(provider.name, { names: known, dueAt: clock.now() + (names ? listMs : retryMs) });
    reading.delete(provider.name);
  };
  return {
    namesOf: (provider) => lists.get(provider)?.names,
    isDue,
    async read(providers) {
      const due = providers.filter(({ name }) => isDue(name));
      await Promise.all(
        due.map((provider) => {
          const begun = reading.get(provider.name) ?? readOne(provider);
          if (reading.get(provider.name) !== begun) reading.set(provider.name, begun);
          return begun;
        }),
      );
    },
  };
}

async function readNames(provider: Provider, deps: ModelListDeps): Promise<ReadonlySet<string>> {
  if (!provider.listModels) return new Set();
  const controller = new AbortController();
  const stopTimer = deps.clock.after(waitMs, () => controller.abort(new Error("the list of models took too long")));
  const ended = new Promise<never>((_resolve, reject) =>
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason)),
  );
  try {
    const models = await Promise.race([provider.listModels(listCall(provider, deps, controller.signal)), ended]);
    return new Set(models.map(({ id }) => id));
  } finally {
    stopTimer();
  }
}

function listCall(
  { credentials }: Provider,
  { clock, ids, timeouts, transport }: ModelListDeps,
  signal: AbortSignal,
): ProviderCall {
  const credential = credentials?.[0]?.id;
  return {
    id: ids(),
    model: "",
    credential,
    startedAt: clock.now(),
    signal,
    timeouts,
    transport,
    raw: undefined,
    warn() {},
  };
}
