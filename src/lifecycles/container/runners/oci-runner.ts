/** The common interface of the programs that create containers: an OCI runtime, or plain processes. */
import type { ProcessIdentity } from '../../../store/process-table.ts';
import type { Signal } from '../../../platform/platform.ts';
import type { Bundle } from '../config/bundle.ts';
import { isObject } from '../config/config-text.ts';
import type { Container, RunnerChoice, SupervisorOrder } from '../life/container.ts';
import type { Life } from '../life/life.ts';
import { callTool, readTool, requireTool, toolFailed } from './host-tool.ts';
import { processRunner } from './process-runner.ts';

export interface OciRunner {
  /** Which program runs the hooks. engine: Lifehook, at all six points. runtime: the OCI runtime, from config.json. */
  readonly hooksBy: 'engine' | 'runtime';
  /** Checks whether the bundle can be run, and how. Throws a LifehookError if it cannot. */
  prepare(making: Making): Promise<SupervisorOrder>;
  /** Lets the waiting program start. */
  start(container: Container): Promise<void>;
  /** Whether the program still waits for `start`. */
  isHeld(container: Container, process: ProcessIdentity): Promise<boolean>;
  kill(container: Container, process: ProcessIdentity, signal: Signal): Promise<void>;
  /** Removes the remains of a container, which may still run. Succeeds if there are none. */
  destroy(container: Container, process: ProcessIdentity | null): Promise<void>;
}

export interface Making {
  readonly id: string;
  readonly instance: string;
  readonly bundle: Bundle;
  readonly rootfs: string;
  /** The container's own directory. */
  readonly folder: string;
  readonly stdio: SupervisorOrder['stdio'];
}

export function runnerOf(life: Life, choice: RunnerChoice): OciRunner {
  return choice.kind === 'process' ? processRunner(life) : runtimeRunner(life, choice);
}

type RuntimeChoice = Extract<RunnerChoice, { kind: 'runtime' }>;

/**
 * Runs containers by an OCI runtime, through the command line that runc and crun share. The runtime runs the hooks of
 * config.json, to which ours were added before.
 */
function runtimeRunner(life: Life, choice: RuntimeChoice): OciRunner {
  const env = runtimeEnvironment(life.env);
  const { command, stateFolder } = choice;
  const argv = [command, ...(stateFolder === undefined ? [] : ['--root', stateFolder])];
  // No timeout: the runtime runs hooks, and those may have no deadline.
  const call = (...words: string[]): Promise<void> =>
    requireTool(life.platform, { command: [...argv, ...words], env, timeoutMs: null });
  return {
    hooksBy: 'runtime',
    prepare: async (making) => createOrder(argv, env, making),
    start: ({ id }) => call('start', id),
    isHeld: async ({ id }) => {
      const asking = [...argv, 'state', id];
      const state = await readTool(life.platform, { command: asking, env, timeoutMs: null });
      return isObject(state) && state['status'] === 'created';
    },
    kill: ({ id }, _process, signal) => call('kill', id, signal),
    destroy: (container, process) => destroy({ life, argv, env }, container, process),
  };
}

function createOrder(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  { id, instance, bundle, folder, stdio }: Making,
): SupervisorOrder {
  // A supervisor of a deleted container must not take the process of the next container of the id for its own.
  const pidFile = `${folder}/${instance}.pid`;
  const create = ['create', '--bundle', bundle.folder, '--pid-file', pidFile, id];
  const command = { file: argv[0] ?? '', argv: [...argv, ...create], env, cwd: bundle.folder };
  return { command, stdio, pidFile, undo: [...argv, 'delete', '--force', id] };
}

interface Calling {
  readonly life: Life;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Deletes the container with its running processes. If there is nothing left to delete, runc and crun answer
 * differently.
 */
async function destroy(
  { life, argv, env }: Calling,
  { id }: Container,
  process: ProcessIdentity | null,
): Promise<void> {
  const command = [...argv, 'delete', '--force', id];
  const { outcome, reason, stderr } = await callTool(life.platform, {
    command,
    env,
    timeoutMs: null,
  });
  const said = stderr.text.trim();
  if (outcome === 'Succeeded' || process === null || /does not exist/.test(said)) return;
  throw toolFailed(command.join(' '), `${reason} ${said}`);
}

/**
 * A hook without `env` gets the runtime's own environment, which could leak secrets. So the runtime gets only the
 * variables that runtimes themselves read.
 */
const passed = ['PATH', 'HOME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'] as const;

function runtimeEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
