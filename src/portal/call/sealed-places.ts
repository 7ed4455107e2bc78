/** Where sealed texts are stored: what each is bound to ({@link Secrets}). A new one is a function here and a line in `reseal.ts`. */

/** The secret key of a key pair. */
export function keyPairPlace(id: string): string {
  return `keypair/${id}/secret_key`;
}

/** The secret of a user's one-time codes. */
export function totpPlace(userId: string): string {
  return `totp/${userId}/secret`;
}

/** The value of a vendor's credential. */
export function credentialPlace(id: string): string {
  return `provider_credential/${id}/value`;
}

/** The signing secret of a webhook. */
export function webhookPlace(channelId: string): string {
  return `alert_channel/${channelId}/secret`;
}

/** The address of a webhook. */
export function webhookUrlPlace(channelId: string): string {
  return `alert_channel/${channelId}/url`;
}

/** The fields that a step of a task sends, or its answer. */
export function stepPlace(taskId: string, stepId: number, field: "params" | "response"): string {
  return `task/${taskId}/${stepId}/${field}`;
}

/** The fields of resources of the embedded cloud that are sealed where they are texts. */
export const sealedLocalFields = ["blob", "data"] as const;

/** A sealed field of a resource of the embedded cloud; the id is the record's: `<region>/<kind>/<id>`. */
export function localPlace(id: string, field: (typeof sealedLocalFields)[number]): string {
  return `local_thing/${id}/${field}`;
}
