import { splitWarnings } from "../../../caching/embedded-texts.ts";
import { nameAnswer } from "../../../caching/scope.ts";
import type { TextLookup } from "../../../caching/text-lookup.ts";
import { type CacheLookup, emitCache, mayWrite } from "../lookup.ts";
import { waitFor } from "../same-question.ts";
import type { Hit } from "../single-flight.ts";
import { type DeliveredAnswer, hitOf } from "../store.ts";
import { textLocation } from "./cached-texts.ts";

/**
 * Stores the vectors that a provider gave, each as the answer to a request for its text alone, under the target that served; returns the
 * hit for callers who asked the same. A failure costs no caller the answer: it is emitted as an event.
 */
export async function storeTexts(lookup: CacheLookup, own: TextLookup, delivered: DeliveredAnswer): Promise<Hit> {
  const hit = hitOf(lookup, delivered);
  const served = lookup.call.result?.target;
  if (!mayWrite(lookup) || served === undefined || !own.fresh) return hit;
  try {
    const names = await putAll(lookup, own, { served, delivered });
    const [name] = own.ids.length === 1 ? names : [];
    const named = name === undefined ? {} : { cache_id: name };
    emitCache(lookup, () => ({ result: "kept", ...named }));
    return { ...hit, name };
  } catch (error) {
    emitCache(lookup, () => ({ result: "failed", error }));
    return hit;
  }
}

/** The answer that was delivered, and the target that served. */
interface ServedTexts {
  readonly served: string;
  readonly delivered: DeliveredAnswer;
}

async function putAll(lookup: CacheLookup, own: TextLookup, { served, delivered }: ServedTexts): Promise<string[]> {
  const { positions = [], answers = [] } = own.fresh ?? {};
  const { extra_fields } = delivered;
  const warningsOf = splitWarnings(own.texts, extra_fields?.warnings ?? []);
  const names: string[] = [];
  const puts = positions.map((position, at) => {
    const location = textLocation(lookup, { own, served }, position);
    if (!location) return undefined;
    const { scope, id } = location;
    names.push(nameAnswer(scope, id));
    const single = { ...answers[at], extra_fields: { ...extra_fields, warnings: warningsOf(position) } };
    return lookup.cache.answers.put(scope, id, hitOf(lookup, single as DeliveredAnswer).answer); // as the verb gave it
  });
  await waitFor(lookup, Promise.all(puts));
  return names;
}
