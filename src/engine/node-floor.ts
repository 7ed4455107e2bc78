import { refuseNode } from "./node-version.ts";

// Imported first by the public entry: an old Node gets one sentence instead of whatever would fail next.
const refusal = refuseNode(process.versions.node);
if (refusal !== undefined) {
  const error = new Error(refusal);
  error.stack = refusal; // the sentence is the whole message; frames of the module loader would only bury it
  throw error;
}
