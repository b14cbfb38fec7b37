/** Runs kubectl commands of a user one after another, and returns the output of each. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

import { type ClusterStand, kubectlPath } from './cluster-stand.ts';

/** The command of a container: it exits at once on TERM. */
export const SERVE = 'trap "exit 0" TERM; echo begun; while :; do sleep 0.1; done';

export interface Steps {
  /** Runs a command that must succeed; resolves with its output without the last line break. */
  readonly ok: (...args: readonly string[]) => Promise<string>;
  /** Runs a command that must fail; resolves with its error output. */
  readonly fails: (...args: readonly string[]) => Promise<string>;
  /** Runs `kubectl apply -f -` with options; it must succeed. */
  readonly apply: (manifest: string, ...args: readonly string[]) => Promise<string>;
  /** Runs any command with a manifest on its standard input. */
  readonly feed: (manifest: string, ...args: readonly string[]) => Promise<Reported>;
  /** Resolves with the value of one field of an object. */
  readonly field: (object: string, path: string) => Promise<string>;
}

export interface Reported {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function stepsOn(cluster: () => ClusterStand): Steps {
  const ok: Steps['ok'] = async (...args) => {
    const { code, stdout, stderr } = await cluster().kubectl(...args);
    expect(code, `kubectl ${args.join(' ')}: ${stderr}${stdout}`).toBe(0);
    return stdout.trimEnd();
  };
  const feed: Steps['feed'] = (manifest, ...args) => feedTo(cluster(), manifest, args);
  return {
    ok,
    feed,
    fails: async (...args) => {
      const { code, stdout, stderr } = await cluster().kubectl(...args);
      expect(code, `kubectl ${args.join(' ')}: ${stdout}`).not.toBe(0);
      return stderr.trimEnd();
    },
    apply: async (manifest, ...args) => {
      const { code, stdout, stderr } = await feed(manifest, 'apply', '-f', '-', ...args);
      expect(code, stderr).toBe(0);
      return stdout.trimEnd();
    },
    field: (object, path) => ok('get', ...object.split(' '), '-o', `jsonpath={${path}}`),
  };
}

function feedTo(
  { kubeconfig }: ClusterStand,
  manifest: string,
  args: readonly string[],
): Promise<Reported> {
  return new Promise((resolve) => {
    const child = execFile(
      kubectlPath(),
      ['--kubeconfig', kubeconfig, ...args],
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : 0;
        resolve({ code, stdout, stderr });
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(manifest);
  });
}

export interface StartedKubectl {
  /** Returns the standard output so far. */
  readonly said: () => string;
  readonly ended: Promise<Reported>;
}

/** Starts kubectl without waiting for its end. */
export function startKubectl(
  { kubeconfig }: ClusterStand,
  ...args: readonly string[]
): StartedKubectl {
  const child = spawn(kubectlPath(), ['--kubeconfig', kubeconfig, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), stdout, stderr }));
  return { said: () => stdout, ended };
}

/** A Deployment whose containers run a shell loop. */
export function deployment(
  name: string,
  { replicas = 2, says = 'v1' }: { replicas?: number; says?: string } = {},
): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, labels: { app: ${name} } }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      terminationGracePeriodSeconds: 2
      containers:
        - name: app
          image: none
          command: [sh, -c, 'trap "exit 0" TERM; echo ${says}; while :; do sleep 0.1; done']
          env: [{ name: A, value: "1" }, { name: B, value: "2" }]
          ports: [{ containerPort: 8080 }]
`;
}
