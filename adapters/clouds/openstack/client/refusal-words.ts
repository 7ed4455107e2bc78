import type { ErrorCode } from "../../../../src/engine/errors.ts";

/** A refusal that customers meet, and what it says in our words; what is captured are plain words and numbers only. */
type KnownRefusal = readonly [pattern: RegExp, words: (captured: readonly string[]) => string];

const known: readonly KnownRefusal[] = [
  [
    /^Cannot '(\w+)' instance\b.*? while it is in (?:vm_state|task_state|power_state)? ?(\w+)/,
    ([action = "", state = ""]) => `The server cannot be asked to ${verbOf(action)} while it is ${state}`,
  ],
  [/^Cannot '(\w+)' instance\b/, ([action = ""]) => `The server cannot be asked to ${verbOf(action)} now`],
  [/Cannot '?detach_volume'?: the volume is (\w+)/, ([state = ""]) => `The volume is ${state}`],
  [
    /Volume to be backed up must be available or in-use, but the current status is "([\w-]+)"/,
    ([state = ""]) => `The volume is ${state}: it can be backed up when it is available or in use`,
  ],
  [
    /Volume status must be available or error/i,
    () => "The volume must be detached, and without snapshots or running work, before it can be deleted",
  ],
  [/status must be available|must be available/i, () => "The volume is not available: wait, or detach it first"],
  [
    /Quota limit (-?\d+) for (\w+) must be greater than or equal to already used and reserved (\d+)/,
    ([limit = "", name = "", used = ""]) => `A limit of ${limit} for ${name} is below what is used: ${used}`,
  ],
  [
    /Quota exceeded for (\w+)(?:: Requested (\d+), but already used (\d+) of (\d+))?/,
    ([name = "", more, used, limit]) =>
      `The quota of ${name} is used up${limit === undefined ? "" : `: ${more} more, ${used} of ${limit} are used`}`,
  ],
  [/Quota exceeded for (\w+): (\d+) of (\d+) are used/, ([name = ""]) => `The quota of ${name} is used up`],
  [/exceeded for quota '(\w+)'/, ([name = ""]) => `The quota of ${name} is used up`],
  [/Quota exceeded for resources: \['(\w+)'\]/, ([name = ""]) => `The quota of ${name} is used up`],
  [/Quota has been met for resources: ([\w ]{1,40})/, ([name = ""]) => `The quota of ${name} is used up`],
  [/is immutable and cannot be updated/, () => "It is being changed: try again when that is done"],
  [/Flavor \S+ could not be found/, () => "There is no such flavor"],
  [/requested image|No image found/i, () => "There is no such image"],
  [/Volume type with name \S+ could not be found/, () => "There is no such volume type"],
  [/availability zone/i, () => "There is no such availability zone"],
  [/is not attached to instance/, () => "The volume is not attached to the server"],
];

/** The sentence of a code where no known refusal matches. */
const plain: { readonly [Code in ErrorCode]?: string } = {
  invalid_request: "The input was refused as invalid",
  not_found: "What was asked for is not there",
  conflict: "The present state does not allow this",
  quota_exceeded: "A quota of the project is used up",
};

/**
 * Returns what a refusal says to the caller, in our words. The texts of services are not passed on: they name hosts, requests, SQL
 * constraints and schemas. They are the error's cause, for the log.
 */
export function wordsOfRefusal(code: ErrorCode, message = ""): string | undefined {
  if (plain[code] === undefined) return undefined; // a fault of the service, or of our own rights
  for (const [pattern, words] of known) {
    const found = pattern.exec(message);
    if (found) return words(found.slice(1));
  }
  return plain[code];
}

function verbOf(action: string): string {
  return action.replace(/^os-/, "").replaceAll("_", " ");
}
