/** The fields of an own account that can be changed. */
export interface ProfileFields {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

/** What `PATCH /me` is sent: the fields that were changed; one that was emptied is removed. */
export function changedFields(
  before: ProfileFields,
  after: ProfileFields,
): Partial<Record<keyof ProfileFields, string | null>> {
  const names = ["first_name", "last_name", "email"] as const;
  const changed = names.filter((name) => after[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name].trim() || null]));
}
