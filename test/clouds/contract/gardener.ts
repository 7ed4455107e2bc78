import { expect } from "vitest";
import type { KubeSender } from "../../../adapters/clouds/gardener/index.ts";
import { cloudProfileSpec } from "./clusters.ts";

async function create(api: KubeSender, path: string, body: unknown): Promise<void> {
  const { status } = await api({ method: "POST", path, body }, new AbortController().signal);
  expect(status).toBe(201);
}

/** Makes the cloud profile of the story; gives its name. */
export async function makeProfile(api: KubeSender, suffix: string): Promise<string> {
  const name = `cp-${suffix}`;
  const core = "core.gardener.cloud/v1beta1";
  const profile = { apiVersion: core, kind: "CloudProfile", metadata: { name }, spec: cloudProfileSpec };
  await create(api, `/apis/${core}/cloudprofiles`, profile);
  return name;
}

/** Makes the namespace of a new project, as Gardener's controllers would. */
export async function makeNamespace(api: KubeSender, name: string): Promise<void> {
  await create(api, "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
}
