/** Runs the steps of a transcript in a shell, in its own namespace and directory. */
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { run } from '../../e2e/cluster-stand.ts';
import { normaliseText, type Places } from './normalise-text.ts';
import type { Transcript } from './transcript.ts';

export interface Stage {
  /** Path of kubectl; it must have the version of the transcripts. */
  readonly kubectl: string;
  readonly kubeconfig: string;
  readonly node: string;
  /** Home directory; kubectl caches its discovery there. */
  readonly home: string;
}

/** More than two waits of 120 s, so that a step can report what it waited for. */
const STEP_TIMEOUT_MS = 300_000;
const IMAGE = 'docker.io/local/busybox:1';
const PRELUDE = join(import.meta.dirname, 'prelude.sh');

/** Returns the normalised answer to each step. */
export async function playTranscript(
  { steps }: Transcript,
  name: string,
  stage: Stage,
): Promise<readonly (readonly string[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'transcript-'));
  const namespace = `transcript-${name}-${process.pid}`;
  const kubeconfig = join(folder, '.kubeconfig');
  await copyFile(stage.kubeconfig, kubeconfig);
  const kubectl = (...args: readonly string[]): Promise<unknown> =>
    run(stage.kubectl, ['--kubeconfig', kubeconfig, ...args]);
  await mkdir(stage.home, { recursive: true });
  await kubectl('create', 'namespace', namespace);
  await kubectl('config', 'set-context', '--current', `--namespace=${namespace}`);
  try {
    // Controllers create both; a pod is refused without its service account.
    const created = ['serviceaccount/default', 'configmap/kube-root-ca.crt'];
    await kubectl('wait', '--for=create', ...created, '--timeout=120s');
    const shell = {
      places: { namespace, folder },
      env: { ...environment(stage, kubeconfig), NAMESPACE: namespace },
    };
    const answers: (readonly string[])[] = [];
    for (const { command } of steps) answers.push(await typed(command, shell));
    return answers;
  } finally {
    await kubectl('delete', 'namespace', namespace, '--wait=false');
    await rm(folder, { recursive: true, force: true });
  }
}

function environment({ kubectl, node, home }: Stage, kubeconfig: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TZ: 'UTC',
    LANG: 'C',
    KUBECONFIG: kubeconfig,
    KUBECTL: kubectl,
    NODE: node,
    IMAGE,
  };
}

interface Shell {
  readonly places: Places;
  readonly env: Record<string, string>;
}

/** Standard output and standard error in the order of arrival, and the exit code if it is not 0. */
async function typed(command: string, { places, env }: Shell): Promise<readonly string[]> {
  const child = spawn('bash', ['-c', `. '${PRELUDE}'; exec 2>&1\n${command}`], {
    cwd: places.folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: STEP_TIMEOUT_MS,
    detached: true,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  endGroup(child.pid);
  const lines = text === '' ? [] : normaliseText(text.trimEnd(), places);
  return code === 0 ? lines : [...lines, `[exit ${code ?? 'late'}]`];
}

/** Kills the background processes of a step, such as a port forward, which would outlive it. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
