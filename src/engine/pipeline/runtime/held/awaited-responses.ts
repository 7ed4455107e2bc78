/** A response in the background that this process waits for. */
export interface AwaitedResponse {
  /**
   * Shows the response as a request of its owner found it. Where it is done, the promise resolves when the call is settled: its row is in
   * the ledger and its reservation has ended.
   */
  observe(response: Readonly<Record<string, unknown>>): Promise<void>;
}

/** The responses in the background that this process waits for, by {@link responseName}. */
export type AwaitedResponses = Map<string, AwaitedResponse>;

/** The name of a vendor's response among those of all vendors. */
export function responseName(provider: string, id: string): string {
  return `${provider} ${id}`;
}
