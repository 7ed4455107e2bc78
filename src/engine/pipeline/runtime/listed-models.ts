import type { Model } from "../../api/models.ts";
import type { Clock } from "../../ports/clock.ts";
import { createBoundedCache } from "../../runtime/bounded-cache.ts";

/** Milliseconds for which the pages of one reading may be asked for. */
const freshMs = 300_000;
/** Lists that are kept: one for each provider, and for each choice of its credentials. */
const mostLists = 256;

/** The providers' lists as they were read last, from which the pages behind the first one are taken. */
export interface ListedModels {
  /** The list of a provider as `credentials` show it; `undefined` where none was read in the last five minutes. */
  find(provider: string, credentials: readonly string[]): readonly Model[] | undefined;
  note(provider: string, credentials: readonly string[], models: readonly Model[]): void;
}

/** A memory without lists. */
export function createListedModels({ clock }: { readonly clock: Clock }): ListedModels {
  const lists = createBoundedCache<{ readonly models: readonly Model[]; readonly until: number }>(mostLists);
  const keyOf = (provider: string, credentials: readonly string[]) => JSON.stringify([provider, ...credentials]);
  return {
    find(provider, credentials) {
      const found = lists.get(keyOf(provider, credentials));
      return found && found.until > clock.now() ? found.models : undefined;
    },
    note(provider, credentials, models) {
      lists.set(keyOf(provider, credentials), { models, until: clock.now() + freshMs });
    },
  };
}
