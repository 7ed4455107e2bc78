import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../packed.ts";

/** What a command takes for granted, and what it prints. The command is known by what it begins with. */
export interface LineSetting {
  /** Commands that go before it. */
  readonly before?: readonly string[];
  /** Written to its standard input. */
  readonly input?: string;
  /** What stands for a value that only a reader knows. */
  readonly replace?: readonly (readonly [placeholder: string, value: string])[];
  /** What it prints, on either stream. */
  readonly says?: RegExp;
  /** What it ends with; 0 unless given. */
  readonly status?: number;
  /** It runs until it is stopped, which it is once it has printed this. */
  readonly until?: RegExp;
}

/** What the commands of a page take for granted. */
export interface PageSetting {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Commands that go before the first one of the page. */
  readonly first?: readonly string[];
  readonly lines?: Readonly<Record<string, LineSetting>>;
}

/** A command that cannot run here. */
export interface NotRun {
  readonly why: string;
  /** The test that tries the same another way. */
  readonly checkedBy: string;
}

const openTelemetry: NotRun = {
  why: "downloads OpenTelemetry's packages, which takes minutes",
  checkedBy: "test/e2e/telemetry.test.ts",
};
const clusters: NotRun = { why: "needs a Kubernetes cluster", checkedBy: "test/e2e/deployment/helm.test.ts" };
const images: NotRun = { why: "builds an image from a registry", checkedBy: "test/e2e/deployment/image.test.ts" };
const units: NotRun = { why: "changes the systemd of the machine", checkedBy: "test/e2e/deployment/files.test.ts" };

/** The commands that do not run here, by what they begin with. */
export const notRun: Readonly<Record<string, NotRun>> = {
  "npm install tollgate": { why: "asks a registry for a published version", checkedBy: "test/e2e/tarball.test.ts" },
  "npm install @opentelemetry/api @opentelemetry/sdk-metrics": openTelemetry,
  "npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node": openTelemetry,
  "export OTEL_SERVICE_NAME=gateway": openTelemetry,
  'NODE_OPTIONS="--require @opentelemetry/auto-instrumentations-node/register"': openTelemetry,
  "docker compose -f deploy/docker/compose.yaml": images,
  "docker buildx build": images,
  "helm install gateway deploy/helm/tollgate": clusters,
  "install -m 0644 deploy/systemd/tollgate.service": units,
  "systemctl daemon-reload": units,
  "tollgate fault-test --quick": {
    why: "plays 200 faults for half a minute, which that test does with the same command",
    checkedBy: "test/e2e/fault-test-command.test.ts",
  },
  "claude mcp add": { why: "needs Claude Code, which test:agents installs", checkedBy: "test/agents/agents.test.ts" },
};

const pairs = [
  { known: "How do I cancel?", asked: "How can I cancel?", similarity: 0.97 },
  { known: "What does it cost?", asked: "What is the price?", similarity: 0.93 },
];

/** The labelled cases of the page itself, as many as a fit takes. */
function labelledCases(): string {
  const page = readFileSync(join(root, "docs/typed-decisions.md"), "utf8");
  const [, block = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
  const [first = "", ...rest] = block.trim().split("\n");
  const more = Array.from({ length: 20 }, (_, at) =>
    JSON.stringify({ state: `Ticket ${at}`, answers: { refund: at % 5 === 0 } }),
  );
  return [first, ...rest, ...more].join("\n");
}

const mcpServer = join(root, "test/fixtures/mcp/docs-server.mjs");
const mcpConfig = JSON.stringify({
  mcp: {
    servers: {
      files: { command: process.execPath, args: [mcpServer, "read_text_file"] },
      github: { command: process.execPath, args: [mcpServer, "list_issues", "close_issue"], approval: "pinned" },
    },
  },
});
const ask = (body: object) =>
  `curl --fail-with-body -sS $ADDRESS/v1/chat/completions -H "x-tg-key: $KEY" -H "content-type: application/json" -d '${JSON.stringify(body)}'`;
const chat = { model: "local/echo", messages: [{ role: "user", content: "Hi" }] };
const region = ["region: eu-1", "region: local"] as const;
const value = ["sk-…", "sk-docs"] as const;
const portalAddress = ["…/api", "$ADDRESS/api"] as const;

/** What the pages take for granted; a page without an entry starts from an empty folder. */
export const settings: Readonly<Record<string, PageSetting>> = {
  "README.md": {
    files: { "config.yaml": readFileSync(join(root, "test/fixtures/import/litellm.yaml"), "utf8") },
    lines: {
      "tollgate serve --check": { says: /openai/ },
      "tollgate chat": { says: /Hello there/ },
      "tollgate models": { says: /openai\/gpt-5/ },
      "tollgate plan": { says: /anthropic\/claude-sonnet-5/ },
      "tollgate key create": { says: /sk-tg-/ },
      "tollgate demo": { says: /tg_at_/ },
    },
  },
  "docs/scale.md": {
    first: ["tollgate key create reader --allow '*'"],
    lines: { "tollgate ledger export": { says: /0 requests {2}requests-/ } },
  },
  "docs/caching.md": {
    files: {
      "tollgate.config.yaml": "cache: {}\n",
      "pairs.jsonl": pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(""),
      "labels.jsonl": "",
    },
    first: ["tollgate serve"],
    lines: {
      "curl -X DELETE": {
        before: [
          `${ask(chat)} | node -p 'JSON.parse(fs.readFileSync(0)).extra_fields.cache_debug.cache_id' > cache-id`,
        ],
        replace: [["key:vk_…/TLCm…", "$(cat cache-id)"]],
      },
      "tollgate cache review pairs.jsonl  ": { input: "y\nn\n" },
    },
  },
  "docs/governance.md": {
    first: ["tollgate serve"],
    lines: {
      "tollgate price sync": {
        replace: [["https://prices.example/models.json", "$VENDOR/models.json"]],
        until: /1 models from/,
      },
      "tollgate price diff": { status: 1, says: /12 rates of 1 models differ/ },
      sqlite3: {
        before: [`KEY=$(tollgate key create reader --allow '*' 2>/dev/null); ${ask(chat)}`],
        says: /key_id\|model\|attempts\|dollars\n.*echo/,
      },
    },
  },
  "docs/mcp.md": {
    files: { "tollgate.config.json": mcpConfig },
    first: ["tollgate serve"],
    lines: {
      "tollgate mcp list --key agent": {
        before: ["tollgate key create agent --allow '*' --tool 'files/*'"],
        says: /files__read_text_file/,
      },
      "tollgate key create agent": { before: ["tollgate key delete agent"] },
      "curl http://host/v1/responses": {
        before: ["tollgate mcp approve github", "tollgate key create issues --allow '*' --tool '*' > key"],
        replace: [["sk-tg-…", "$(cat key)"]],
      },
    },
  },
  "docs/portal.md": {
    files: {
      "service.json": JSON.stringify({ server: { service: { user: "operator", password: "env:PASSWORD" } } }),
    },
    env: { PASSWORD: "of-the-operator-0123456789", TOLLGATE_SECRET: "of-the-store-0123456789-0123456789" },
    first: ["tollgate serve"],
    lines: {
      "curl -sS -u": { before: ["tollgate serve --config service.json"] },
      'curl -H "auth-token: $TOKEN" -H "region: eu-1" -H': {
        before: ["tollgate serve"],
        replace: [region, portalAddress, value],
      },
      "curl -X POST": {
        before: [
          `curl -sS -H "auth-token: $TOKEN" -H "region: local" $ADDRESS/api/ai/credentials | node -p 'JSON.parse(fs.readFileSync(0)).find(({ name }) => name === "team-b").id' > id`,
        ],
        replace: [region, portalAddress, ["$ID", "$(cat id)"]],
      },
      "curl -X PATCH": { replace: [region, portalAddress, value, ["$ID", "$(cat id)"]] },
    },
  },
  "docs/typed-decisions.md": {
    files: { "refunds.jsonl": labelledCases() },
    lines: { "tollgate decide list": { says: /refund/ } },
  },
};
