/** The directory of a demonstration: copies of the examples, and the state of its cluster. */
import { cp, mkdtemp, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';

import { LifehookError } from '../../model/problem.ts';
import { isSingleExecutable, programFolder } from '../program-files.ts';

export interface DemoWorld {
  readonly folder: string;
  /** The directory of the order service's Skaffold project. */
  readonly orders: string;
  /** The directory of the project that is restored from the snapshot. */
  readonly restored: string;
  /** The directory of the clusters' state. */
  readonly state: string;
  readonly kubeconfig: string;
  /** The environment of the demonstration's commands. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Variables of the user that would change the demonstration; they are removed from the environment. */
const NOT_OURS = /^(SKAFFOLD_|LIFEHOOK_|KUBERNETES_|OTEL_|KUBECONFIG$|(HTTPS?|ALL)_PROXY$)/i;

/** Rejects in the single executable, because it does not contain the examples. */
export async function openDemoWorld(): Promise<DemoWorld> {
  if (isSingleExecutable) throw noDemo();
  // A umask such as 002 would let other users write to hook files, which would then be rejected.
  process.umask(0o022);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lifehook-demo-')));
  const examples = join(programFolder(), '..', 'examples', 'demo');
  const state = join(folder, 'state');
  const orders = join(folder, 'orders');
  const restored = join(folder, 'restored');
  const kubeconfig = join(state, 'lifehook', 'local', 'kubeconfig');
  try {
    await mkdir(state);
    await cp(join(examples, 'orders'), orders, { recursive: true });
    await cp(join(examples, 'restored'), restored, { recursive: true });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    orders,
    restored,
    state,
    kubeconfig,
    env: { ...ownEnvironment(), XDG_STATE_HOME: state, KUBECONFIG: kubeconfig },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Replaces a text in a file. Rejects if the file does not contain the text. */
export async function edit(path: string, text: string, replacement: string): Promise<void> {
  const old = await readFile(path, 'utf8');
  if (!old.includes(text)) throw new Error(`${path} does not say ${text}`);
  await writeFile(path, old.replace(text, replacement));
}

function noDemo(): LifehookError {
  return new LifehookError({
    code: 'LHG014',
    message:
      'Cannot run the demo: it needs Node and the example files, and this single executable has neither.',
    next: 'run it from the package (npx lifehook demo).',
  });
}

/** The environment of the commands. The running Node is first on PATH, because a hook looks for `node` there. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name));
  const path = [dirname(process.execPath), process.env['PATH'] ?? '/usr/bin:/bin'].join(delimiter);
  return { ...Object.fromEntries(kept), PATH: path };
}
