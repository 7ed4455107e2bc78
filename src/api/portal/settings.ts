import type { PortalRecord } from "./record.ts";

/** A property at one level of the tree; lower levels inherit it. One record for each level and name. */
export interface StoredProperty extends PortalRecord {
  readonly property: string;
  readonly description: string;
  readonly value: string;
}

/** A text of one language at one level of the tree; lower levels inherit it. One record for each level, language and key. */
export interface StoredText extends PortalRecord {
  readonly lang: string;
  readonly key: string;
  readonly value: string;
}
