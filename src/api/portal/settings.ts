import type { PortalRecord } from "./record.ts";

/** A property at one level of the tree; lower levels inherit it. One record per place and name. */
export interface StoredProperty extends PortalRecord {
  readonly property: string;
  readonly description: string;
  readonly value: string;
}
