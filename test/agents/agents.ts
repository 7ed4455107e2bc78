import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentName } from "./packages.ts";

/** An interface of tollgate that agents speak. */
export type Interface = "chat" | "responses" | "anthropic" | "genai";

/** What an agent is started with. */
export interface Setting {
  /** The home folder of the agent, empty at first. */
  readonly home: string;
  /** The address of tollgate. */
  readonly address: string;
  readonly interface: Interface;
  /** A virtual key. */
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
  /** How hard the model is to think, where the agent does not choose by itself. */
  readonly effort?: string | undefined;
}

/** How an agent is started. */
export interface Launch {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A coding agent as the suites know it. */
export interface Agent {
  /** The interfaces that it can be pointed at. */
  readonly interfaces: readonly Interface[];
  /** Its tool that runs a shell command. */
  readonly tool: string;
  /** The tool's arguments for a command. */
  readonly argumentsOf: (command: string) => Readonly<Record<string, unknown>>;
  /** Writes its configuration, in which tollgate is the only provider, and says how it is started without a terminal. */
  readonly launch: (setting: Setting) => Launch;
}

function writeConfig({ home }: Setting, path: string, config: object | string): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config, null, 2));
}

const described = (command: string) => ({ command, description: "Copies the note" });

const codex: Agent = {
  interfaces: ["responses"],
  tool: "exec_command",
  argumentsOf: (cmd) => ({ cmd }),
  launch(setting) {
    const config = [
      `model = "${setting.model}"`,
      'model_provider = "tollgate"',
      ...(setting.effort === undefined ? [] : [`model_reasoning_effort = "${setting.effort}"`]),
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"', // its sandbox needs rights that a container may not have
      "check_for_update_on_startup = false",
      "[model_providers.tollgate]",
      'name = "tollgate"',
      `base_url = "${setting.address}/v1"`,
      'env_key = "TOLLGATE_KEY"',
      'wire_api = "responses"',
      "[analytics]",
      "enabled = false",
    ];
    writeConfig(setting, ".codex/config.toml", `${config.join("\n")}\n`);
    return { arguments: ["exec", "--skip-git-repo-check", setting.prompt], env: { TOLLGATE_KEY: setting.key } };
  },
};

const claudeCode: Agent = {
  interfaces: ["anthropic"],
  tool: "Bash",
  argumentsOf: described,
  launch: ({ address, key, model, prompt }) => ({
    arguments: ["-p", prompt, "--allowedTools", "Bash"],
    env: {
      ANTHROPIC_BASE_URL: `${address}/anthropic`,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
    },
  }),
};

/** The packages of the AI SDK that opencode holds, and the base URL that each takes. */
const sdks: Readonly<Record<Interface, readonly [npm: string, path: string]>> = {
  chat: ["@ai-sdk/openai-compatible", "/v1"],
  responses: ["@ai-sdk/openai", "/v1"],
  anthropic: ["@ai-sdk/anthropic", "/anthropic/v1"],
  genai: ["@ai-sdk/google", "/genai/v1beta"],
};

const opencode: Agent = {
  interfaces: ["chat", "responses", "anthropic", "genai"],
  tool: "bash",
  argumentsOf: described,
  launch(setting) {
    const { address, key, model, prompt } = setting;
    const [npm, path] = sdks[setting.interface];
    const options = { baseURL: `${address}${path}`, apiKey: key };
    writeConfig(setting, ".config/opencode/opencode.json", {
      provider: { tollgate: { npm, name: "tollgate", options, models: { [model]: { name: model } } } },
      model: `tollgate/${model}`,
      small_model: `tollgate/${model}`,
      permission: { "*": "allow" },
      autoupdate: false,
      share: "disabled",
    });
    return {
      arguments: ["run", prompt],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
      },
    };
  },
};

/** Settings of gemini-cli, and of qwen-code, which descends from it. */
const silent = {
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

const geminiCli: Agent = {
  interfaces: ["genai"],
  tool: "run_shell_command",
  argumentsOf: described,
  launch(setting) {
    const { address, key, model, prompt } = setting;
    const security = { auth: { selectedType: "gemini-api-key" } };
    writeConfig(setting, ".gemini/settings.json", { ...silent, security });
    return {
      arguments: ["--skip-trust", "--yolo", "--model", model, "--prompt", prompt],
      env: { GOOGLE_GEMINI_BASE_URL: `${address}/genai`, GEMINI_API_KEY: key },
    };
  },
};

/** What the interfaces are for qwen-code. */
interface Login {
  readonly type: string;
  readonly keyName: string;
  readonly baseUrlName: string;
  readonly path: string;
}

const logins: Readonly<Record<Interface, Login>> = {
  chat: { type: "openai", keyName: "OPENAI_API_KEY", baseUrlName: "OPENAI_BASE_URL", path: "/v1" },
  responses: { type: "openai-responses", keyName: "OPENAI_API_KEY", baseUrlName: "OPENAI_BASE_URL", path: "/v1" },
  anthropic: {
    type: "anthropic",
    keyName: "ANTHROPIC_API_KEY",
    baseUrlName: "ANTHROPIC_BASE_URL",
    path: "/anthropic",
  },
  genai: { type: "gemini", keyName: "GEMINI_API_KEY", baseUrlName: "GOOGLE_GEMINI_BASE_URL", path: "/genai" },
};

const qwenCode: Agent = {
  interfaces: ["chat", "responses", "anthropic", "genai"],
  tool: "run_shell_command",
  argumentsOf: (command) => ({ ...described(command), is_background: false }),
  launch(setting) {
    const { address, key, model, prompt } = setting;
    const { type, keyName, baseUrlName, path } = logins[setting.interface];
    writeConfig(setting, ".qwen/settings.json", { ...silent, security: { auth: { selectedType: type } } });
    return {
      arguments: ["--auth-type", type, "--yolo", "--model", model, prompt],
      env: { [baseUrlName]: `${address}${path}`, [keyName]: key },
    };
  },
};

/** The interfaces by the names that pi has for them, and the base URL that each takes. */
const apis: Readonly<Record<Interface, readonly [api: string, path: string]>> = {
  chat: ["openai-completions", "/v1"],
  responses: ["openai-responses", "/v1"],
  anthropic: ["anthropic-messages", "/anthropic"],
  genai: ["google-generative-ai", "/genai/v1beta"],
};

const pi: Agent = {
  interfaces: ["chat", "responses", "anthropic", "genai"],
  tool: "bash",
  argumentsOf: (command) => ({ command }),
  launch(setting) {
    const { address, key, model, prompt } = setting;
    const [api, path] = apis[setting.interface];
    const tollgate = { baseUrl: `${address}${path}`, api, apiKey: key, models: [{ id: model }] };
    writeConfig(setting, ".pi/agent/models.json", { providers: { tollgate } });
    return {
      arguments: ["-p", "--provider", "tollgate", "--model", model, prompt],
      env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
    };
  },
};

/** How the coding agents are started. */
export const agents: Readonly<Record<AgentName, Agent>> = {
  codex,
  "claude-code": claudeCode,
  opencode,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  pi,
};
