/** A project in its own directory, in which tests run `lifehook pipeline …` against a local cluster. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import type { PipelineEvent } from '../../src/lifecycles/pipeline/events/pipeline-event.ts';
import type { Ended } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

export interface Project extends Disposable {
  readonly folder: string;
  write(name: string, text: string, mode?: number): void;
  read(name: string): string;
  /** Runs `lifehook …` in the project's directory. */
  lifehook(...args: readonly string[]): Promise<Ended>;
  /** Starts `lifehook …` without waiting, for tests that interact with the running command. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started;
  /** Directories of the recorded sessions, newest first, relative to the project's directory. */
  sessions(): readonly string[];
  /** Events of the newest session. */
  events(): readonly PipelineEvent[];
}

export interface Started {
  readonly child: ChildProcess;
  /** Returns the output so far. */
  readonly out: () => string;
  readonly ended: Promise<Ended>;
  /** Resolves once the output contains the text. */
  seen(text: string): Promise<void>;
}

export function openProject(
  kubeconfig: string | null,
  files: Readonly<Record<string, string>>,
): Project {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-project-'));
  const write: Project['write'] = (name, text, mode) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (mode !== undefined) chmodSync(path, mode);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const start: Project['start'] = (args, env = {}) => {
    const own = kubeconfig === null ? {} : { KUBECONFIG: kubeconfig };
    return startProgram(args, folder, { ...own, ...env });
  };
  const sessions: Project['sessions'] = () => {
    const names = readdirSync(join(folder, '.lifehook', 'sessions'))
      .toSorted()
      .toReversed();
    return names.map((name) => join('.lifehook', 'sessions', name));
  };
  return {
    folder,
    write,
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    lifehook: (...args) => start(args).ended,
    start,
    sessions,
    events: () => {
      const lines = readFileSync(join(folder, sessions()[0] ?? '', 'events.ndjson'), 'utf8').trim();
      return lines.split('\n').map((line) => JSON.parse(line) as PipelineEvent);
    },
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startProgram(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Started {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const reported = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      reported[name] += text;
    });
  }
  const state = { over: false };
  const ended = new Promise<Ended>((done) => {
    child.on('close', (code) => {
      state.over = true;
      done({ code: code ?? -1, ...reported });
    });
  });
  const out = (): string => reported.stdout + reported.stderr;
  return {
    child,
    out,
    ended,
    seen: async (text) => {
      const endMs = performance.now() + PATIENCE_MS;
      while (!out().includes(text)) {
        if (state.over || performance.now() > endMs)
          throw new Error(`it did not say "${text}":\n${out()}`);
        await new Promise((resume) => setTimeout(resume, POLL_MS));
      }
    },
  };
}

const POLL_MS = 20;
/** Milliseconds to wait for one line of output. */
const PATIENCE_MS = 120_000;

/** A hook that runs a shell line, as YAML in flow style. */
export const shellHook = (line: string): string => `{ command: [sh, -c, ${JSON.stringify(line)}] }`;

/** The same hook, for a list that may also have container hooks. */
export const hostHook = (line: string): string => `{ host: ${shellHook(line)} }`;

/** An image with a custom builder that builds nothing, so that hooks run before and after it. */
export function emptyBuild(
  hooks: { readonly ofImage?: string; readonly ofBuild?: string },
  more: Readonly<Record<string, string>> = {},
): Project {
  const skaffold = `apiVersion: skaffold/v4beta13
kind: Config
build:
  tagPolicy: { envTemplate: { template: v1 } }
  artifacts:
    - image: web
      custom: { buildCommand: 'true', dependencies: { paths: [src] } }
      hooks: ${hooks.ofImage ?? '{}'}
  hooks: ${hooks.ofBuild ?? '{}'}
`;
  return openProject(null, { 'skaffold.yaml': skaffold, 'src/a': 'a\n', ...more });
}

/** An environment without any configuration of this machine. */
export const ALONE = { KUBECONFIG: '/nowhere', HOME: '/nowhere' };

/** A shell loop that runs until TERM. */
export const SERVE = 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done';

/** Files of a project: an image `web`, built from a directory, and a pod that runs it. */
export function shopFiles(hooks: {
  readonly build?: string;
  readonly render?: string;
  readonly deploy?: string;
  readonly lifehook?: string;
}): Readonly<Record<string, string>> {
  return {
    'skaffold.yaml': `apiVersion: skaffold/v4beta13
kind: Config
metadata: { name: shop }
build:
  tagPolicy: { inputDigest: {} }
  artifacts:
    - image: web
      context: web
      hooks: ${hooks.build ?? '{}'}
manifests:
  rawYaml: [k8s/*.yaml]
  hooks: ${hooks.render ?? '{}'}
deploy:
  kubectl:
    hooks: ${hooks.deploy ?? '{}'}
`,
    'lifehook.yaml': `folderBuilders:
  web: { path: ., command: [sh, -c, '${SERVE}'] }
${hooks.lifehook ?? ''}`,
    'web/page.html': 'hello\n',
    'k8s/web.yaml': `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  terminationGracePeriodSeconds: 1
  containers: [{ name: web, image: web }]
`,
  };
}
