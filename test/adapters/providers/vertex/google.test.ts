import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { vertex } from "../../../../adapters/providers/vertex/index.ts";
import { createEngine } from "../../../../src/index.ts";
import { readAnswer } from "../../../fixtures/native.ts";
import { serve } from "../../../http/support/server.ts";

const messages = [{ role: "user" as const, content: "Hi" }];

/** Who exchanges a workload's token for one of Google's, and Vertex AI, on this machine; the environment names the workload's identity. */
async function startGoogle(exchange: { status: number; body: object }) {
  const asked: string[] = [];
  const server = await serve((request, response) => {
    asked.push(`${request.url?.split("/").pop()} ${request.headers.authorization ?? "-"}`);
    const { status, body } =
      request.url === "/exchange" ? exchange : { status: 200, body: readAnswer("gemini/text.json") };
    request.resume().once("end", () => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  const folder = mkdtempSync(join(tmpdir(), "tollgate-google-"));
  const [file, subject] = [join(folder, "identity.json"), join(folder, "subject")];
  writeFileSync(subject, "the workload's token");
  const identity = {
    type: "external_account",
    audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/cluster",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${server.url}/exchange`,
    credential_source: { file: subject },
  };
  writeFileSync(file, JSON.stringify(identity));
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", file);
  const vertexHere = vertex({ project: "p", location: "us-east5", baseUrl: server.url });
  const engine = createEngine({ providers: [vertexHere, local()] });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await engine.close();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  return { engine, asked };
}

const token = { access_token: "ya29.from-google", expires_in: 3600, token_type: "Bearer" };

it("asks with the token that Google's own library finds on the machine, and asks Google for nothing else", async () => {
  const { engine, asked } = await startGoogle({ status: 200, body: token });
  for (let call = 0; call < 2; call++) await engine.chat({ model: "vertex/gemini-2.5-flash", messages });
  const model = "gemini-2.5-flash:generateContent Bearer ya29.from-google";
  expect(asked).toEqual(["exchange -", model, model]);
});

it("goes on to the next candidate when there is no token to be had", async () => {
  const { engine, asked } = await startGoogle({ status: 400, body: { error: "invalid_grant" } });
  const answer = await engine.chat({ model: "vertex/gemini-2.5-flash", fallbacks: ["local/echo"], messages });
  expect(answer.extra_fields?.provider).toBe("local");
  const failure = await engine.chat({ model: "vertex/gemini-2.5-flash", messages }).catch((thrown) => thrown);
  expect(failure).toMatchObject({ code: "upstream_credentials_exhausted", param: "accessToken", provider: "vertex" });
  expect(new Set(asked)).toEqual(new Set(["exchange -"]));
});
