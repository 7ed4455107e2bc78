interface UserDraft {
  readonly username: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: string;
}

interface UserPlace {
  readonly reseller: string;
  readonly client_id: string | null;
}

/** The body of `POST /users` that a draft stands for: what is empty is not sent. */
export function toUserInput({ username, role, ...person }: UserDraft, place?: UserPlace) {
  const { email, first_name, last_name } = person;
  const filled = Object.entries({ email, first_name, last_name }).flatMap(([name, value]) =>
    value.trim() === "" ? [] : [[name, value.trim()] as const],
  );
  return {
    username: username.trim(),
    ...Object.fromEntries(filled),
    ...(role !== "" && { roles: [role] }),
    ...(place && { reseller: place.reseller, ...(place.client_id !== null && { client_id: place.client_id }) }),
  };
}
