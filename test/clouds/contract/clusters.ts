import { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { mapTexts, openTranscript } from "../../adapters/contract/transcript.ts";
import * as story from "./clusters-story.ts";
import type { ClusterSubject } from "./clusters-subject.ts";

export { type ClusterSubject, cloudProfileSpec } from "./clusters-subject.ts";

/** Of an object's metadata only what the portal promises, so that labels and counters of one kind of server do not matter. */
function keepPromised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keepPromised);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => key !== "status" || typeof value === "string");
  return Object.fromEntries(
    fields.map(([key, field]) => [key, key === "metadata" ? promisedMetadata(field) : keepPromised(field)]),
  );
}

function promisedMetadata(metadata: unknown): unknown {
  const { name, namespace, annotations } = metadata as Readonly<Record<string, unknown>>;
  return { name, namespace, annotations };
}

/** Of a deletion's status what tells a client what was deleted. */
function keepOfStatus(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "Status")
    return keepPromised(value);
  const { apiVersion, kind, status, details } = value as { details?: { name?: string; kind?: string } } & Record<
    string,
    unknown
  >;
  return { apiVersion, kind, status, details: { name: details?.name, kind: details?.kind } };
}

/** Tells the whole story to a back end. What is the same for every back end is in the transcript; what is not has been left out. */
export async function tellClusters(subject: ClusterSubject) {
  let project_name = "no-project-yet";
  const normalise = (answer: unknown) =>
    mapTexts(keepOfStatus(answer), (text) =>
      text.replaceAll(project_name, "<project>").replaceAll(subject.suffix, "<suffix>"),
    );
  const transcript = openTranscript({ rows: clusters, backend: subject.backend, call: subject.provider, normalise });
  await story.tellProfiles(transcript, subject);
  const at = await story.tellProject(transcript, subject);
  project_name = at.project_name;
  await story.tellSecrets(transcript, subject, at.namespace);
  await story.tellBindings(transcript, subject, at.namespace);
  await story.tellShoot(transcript, subject, at.namespace);
  await story.tellWorkers(transcript, subject, at.namespace);
  await story.tellEnd(transcript, subject, at);
  return transcript.lines.map((line) => mapTexts(line, (text) => text.replaceAll(at.project_name, "<project>")));
}
