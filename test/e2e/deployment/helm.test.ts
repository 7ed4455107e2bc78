import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { start } from "../command-line.ts";
import { buildIfNeeded, root } from "../packed.ts";
import { installHelm, installPrograms, runAt } from "./programs.ts";

const chart = join(root, "deploy", "helm", "tollgate");
const folder = mkdtempSync(join(tmpdir(), "tollgate-helm-"));
let helm = "";

beforeAll(() => {
  installPrograms();
  helm = installHelm();
  buildIfNeeded();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is read of a manifest here. */
// biome-ignore lint/suspicious/noExplicitAny: a manifest of Kubernetes, of which each test reads another part
type Manifest = any;

const secrets = [
  "--set",
  "secrets.TOLLGATE_SECRET=0123456789abcdef0123456789abcdef",
  "--set",
  "secrets.DATABASE_URL=postgres://db/tollgate",
];

/** The manifests of the chart, by their kinds. */
function render(...settings: readonly string[]): Record<string, Manifest> {
  const { status, output } = runAt(helm, ["template", "gw", chart, "--namespace", "ai", ...secrets, ...settings]);
  if (status !== 0) throw new Error(output);
  const manifests = parseAllDocuments(output).map((document) => document.toJS() as Manifest);
  return Object.fromEntries(manifests.filter(Boolean).map((manifest) => [manifest.kind, manifest]));
}

it("helm finds nothing wrong with the chart", () => {
  const linted = runAt(helm, ["lint", "--strict", chart, ...secrets]);
  expect(linted.output).toContain("0 chart(s) failed");
  expect(linted.status).toBe(0);
});

it("the chart makes what a gateway needs, and its parts find one another", () => {
  const made = render("--set", "ingress.enabled=true", "--set", "ingress.tlsSecret=gateway-tls");
  expect(Object.keys(made).sort()).toEqual([
    "ConfigMap",
    "Deployment",
    "HorizontalPodAutoscaler",
    "Ingress",
    "PodDisruptionBudget",
    "Secret",
    "Service",
    "ServiceAccount",
  ]);
  const { spec, metadata } = made.Deployment;
  const labels = spec.template.metadata.labels;
  for (const selector of [
    spec.selector.matchLabels,
    made.Service.spec.selector,
    made.PodDisruptionBudget.spec.selector.matchLabels,
  ])
    expect(labels).toMatchObject(selector);
  expect(made.HorizontalPodAutoscaler.spec.scaleTargetRef.name).toBe(metadata.name);
  expect(spec.replicas).toBeUndefined(); // the autoscaler's to say
  const [container] = spec.template.spec.containers;
  expect(container.envFrom).toEqual([{ secretRef: { name: made.Secret.metadata.name } }]);
  expect(spec.template.spec.volumes[0].configMap.name).toBe(made.ConfigMap.metadata.name);
  expect(spec.template.spec.serviceAccountName).toBe(made.ServiceAccount.metadata.name);
  const ports = container.ports.map(({ name }: Manifest) => name);
  for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
    expect(ports).toContain(container[probe].httpGet.port);
  expect(container.readinessProbe.httpGet.path).toBe("/health/ready");
  expect(container.livenessProbe.httpGet.path).toBe("/health/live");
  expect(made.Service.spec.ports[0].targetPort).toBe("http");
  expect(made.Ingress.spec.rules[0].http.paths[0].backend.service.name).toBe(made.Service.metadata.name);
});

it("a gateway runs as nobody in particular, and has the time that it takes to stop", () => {
  const { spec } = render("--set", "drainDelay=20", "--set", "grace=120").Deployment.spec.template;
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
  const [container] = spec.containers;
  expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
  expect(container.securityContext.capabilities).toEqual({ drop: ["ALL"] });
  expect(container.args.slice(-4)).toEqual(["--drain-delay", "20s", "--grace", "120s"]);
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(20 + 120);
});

it("secrets are in the Secret alone, or in one of somebody else's", () => {
  const made = render();
  const { Secret, ...others } = made;
  expect(Secret.stringData.DATABASE_URL).toBe("postgres://db/tollgate");
  expect(JSON.stringify(others)).not.toContain("0123456789abcdef");
  const borrowed = render("--set", "existingSecret=vault");
  expect(borrowed.Secret).toBeUndefined();
  expect(borrowed.Deployment.spec.template.spec.containers[0].envFrom[0].secretRef.name).toBe("vault");
});

it("what is missing or of the wrong form is refused by name", () => {
  const refused = (...settings: readonly string[]) => runAt(helm, ["template", "gw", chart, ...settings]);
  expect(refused().output).toContain("secrets.TOLLGATE_SECRET is required");
  expect(refused("--set", "secrets.TOLLGATE_SECRET=x").output).toContain("secrets.DATABASE_URL is required");
  expect(refused(...secrets, "--set", "grace=0").output).toMatch(/grace/);
  for (const settings of [[], [...secrets, "--set", "grace=0"]]) expect(refused(...settings).status).not.toBe(0);
});

it("a changed configuration restarts the gateways, and a fixed number of them needs no autoscaler", () => {
  const sum = (made: Record<string, Manifest>) => made.Deployment.spec.template.metadata.annotations["checksum/config"];
  expect(sum(render("--set", "config.logLevel=warn"))).not.toBe(sum(render()));
  expect(sum(render())).toBe(sum(render()));
  const fixed = render("--set", "autoscaling.enabled=false", "--set", "replicaCount=2");
  expect(fixed.HorizontalPodAutoscaler).toBeUndefined();
  expect(fixed.Deployment.spec.replicas).toBe(2);
});

it("the configuration that it mounts is one that a gateway takes", async () => {
  const text = render().ConfigMap.data["tollgate.config.yaml"];
  writeFileSync(join(folder, "tollgate.config.yaml"), text);
  const env = {
    DATABASE_URL: "postgres://db/tollgate",
    REDIS_URL: "redis://redis:6379",
    TOLLGATE_SECRET: "0123456789abcdef0123456789abcdef",
  };
  const check = start(["serve", "--check", "--config", join(folder, "tollgate.config.yaml")], { folder, env });
  expect([await check.ended, check.err()]).toEqual([0, expect.any(String)]);
});
