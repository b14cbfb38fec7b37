/**
 * Containers as plain host processes: no root, no isolation. `process.args` runs on the host, with
 * the environment of config.json and, in place of `process.cwd`, that folder of the root folder.
 *
 * Between create and start the process exists and waits: a shell reads from a named pipe and then
 * becomes `env -i`, which becomes the program, all under one process number. (env clears what the
 * shell itself put into the environment, and finds the program on the container's PATH.)
 */
import type { Signal } from '../../platform/platform.ts';
import { codeOf } from '../../platform/posix-error.ts';
import type { ProcessIdentity } from '../../store/process-table.ts';
import type { Container, SupervisorOrder } from './container.ts';
import { requireTool } from './host-tool.ts';
import type { Life } from './life.ts';
import type { Making, OciRunner } from './oci-runner.ts';
import { checkProcess } from './process-config.ts';
import { warn } from './run-point.ts';

export function processRunner(life: Life): OciRunner {
  const { supervision } = life;
  return {
    hooksBy: 'engine',
    prepare: (making) => prepare(life, making),
    start: (container) => openGate(life, container),
    isHeld: (container, process) => isHeld(life, container, process),
    kill: async (_container, process, signal) => {
      supervision.signalProcess(process.pid, signal);
    },
    destroy: async (_container, process) => {
      if (process !== null) killGroup(life, process, 'SIGKILL');
    },
  };
}

const toolTimeoutMs = 10_000;
const holdScript = 'read -r go <"$0" && exec "$@"';

async function prepare(life: Life, making: Making): Promise<SupervisorOrder> {
  const { program, warnings } = await checkProcess(life, making);
  warn(life, making.id, warnings);
  const gate = gateOf(making.folder);
  const command = ['mkfifo', '-m', '600', gate];
  await requireTool(life.platform, { command, env: {}, timeoutMs: toolTimeoutMs });
  const argv = ['sh', '-c', holdScript, gate];
  const environment = Object.entries(program.env).map(([name, value]) => `${name}=${value}`);
  return {
    command: {
      file: '/bin/sh',
      argv: [...argv, '/usr/bin/env', '-i', '--', ...environment, ...program.args],
      env: {},
      cwd: program.cwd,
    },
    stdio: making.stdio,
    pidFile: null,
  };
}

/** By a process of its own, which can be killed: opening a pipe that nobody reads waits for ever. */
async function openGate(life: Life, container: Container): Promise<void> {
  const gate = gateOf(`${life.root}/${container.id}`);
  const command = ['sh', '-c', 'echo go >"$0"', gate];
  await requireTool(life.platform, { command, env: {}, timeoutMs: toolTimeoutMs });
}

/** The gate is named in the command line of the shell that waits at it, and in no other. */
async function isHeld(
  life: Life,
  container: Container,
  { pid }: ProcessIdentity,
): Promise<boolean> {
  const gate = gateOf(`${life.root}/${container.id}`);
  try {
    return (await life.platform.files.read(`/proc/${pid}/cmdline`)).includes(gate);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}

/** The process leads a session and so a group of its own, whose number is its own. */
export function killGroup(
  { supervision }: Pick<Life, 'supervision'>,
  { pid }: ProcessIdentity,
  signal: Signal,
): void {
  supervision.signalProcess(-pid, signal);
}

function gateOf(folder: string): string {
  return `${folder}/gate`;
}
