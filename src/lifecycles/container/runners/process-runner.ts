/**
 * Runs containers as plain host processes: it needs no root rights, and gives no isolation. `process.args` runs on the
 * host, with the environment of config.json and with `process.cwd` resolved in the root directory.
 *
 * Between create and start the process exists and waits: a shell reads from a named pipe and then becomes `env -i`,
 * which becomes the program, all with the same pid. (env clears the variables that the shell itself adds, and finds the
 * program on the container's PATH.)
 */
import { LifehookError } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf, unlessMissing } from '../../../platform/posix-error.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { groupMayLive, procTable } from '../../../store/process-table.ts';
import type { Container, SupervisorOrder } from '../life/container.ts';
import { requireTool } from './host-tool.ts';
import type { Life } from '../life/life.ts';
import type { Making, OciRunner } from './oci-runner.ts';
import { checkProcess } from './process-config.ts';
import { warn } from '../hook-runs/run-point.ts';

export function processRunner(life: Life): OciRunner {
  const { supervision } = life;
  return {
    hooksBy: 'engine',
    prepare: (making) => prepare(life, making),
    start: (container) => openGate(life, container),
    isHeld: ({ id }, { pid }) => waitsAt(life.platform.files, gateOf(`${life.root}/${id}`), pid),
    kill: async ({ id }, process, signal) => {
      if (supervision.signalProcess(process.pid, signal)) return;
      // A process that has exited meanwhile needs no signal.
      if (!(await procTable(life.platform.files).isAlive(process))) return;
      throw new LifehookError({
        code: 'LHC232',
        message: `The process of container ${id} (${process.pid}) got no ${signal}: it runs as another user.`,
        next: 'Send the signal as that user or as root.',
      });
    },
    destroy: async (container, process) => {
      const left = await findAtGate(life, container);
      if (process !== null && (await groupMayLive(life.platform.files, process))) {
        left.push(process.pid);
      }
      // Each process in `left` leads a session, and so a process group whose id is the pid of that process.
      for (const pid of left) supervision.signalProcess(-pid, 'SIGKILL');
    },
  };
}

const toolTimeoutMs = 10_000;
const holdScript = 'read -r go <"$0" && exec "$@"';
const openScript = 'echo go >"$0"';

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
    undo: null,
  };
}

/**
 * Opens the gate, a named pipe, in a child process: opening a pipe without a reader blocks for ever, and a child can be
 * killed. Then the gate is removed, since no process waits at it any more.
 */
async function openGate(life: Life, container: Container): Promise<void> {
  const gate = gateOf(`${life.root}/${container.id}`);
  const command = ['sh', '-c', openScript, gate];
  await requireTool(life.platform, { command, env: {}, timeoutMs: toolTimeoutMs });
  await life.platform.files.remove(gate);
}

/**
 * Finds the processes that wait on either side of a container's gate, by their command lines. A supervisor may have
 * been killed before it reported its process, and a start command while it opened the gate.
 */
async function findAtGate(life: Life, { id }: Container): Promise<number[]> {
  const { files } = life.platform;
  const gate = gateOf(`${life.root}/${id}`);
  if (!(await exists(files, gate))) return [];
  const found: number[] = [];
  for (const name of await files.list('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const script = await scriptAt(files, gate, pid);
    if (script === holdScript || script === openScript) found.push(pid);
  }
  return found;
}

async function exists(files: Files, path: string): Promise<boolean> {
  return (await unlessMissing(files.stat(path))) !== null;
}

async function waitsAt(files: Files, gate: string, pid: number): Promise<boolean> {
  return (await scriptAt(files, gate, pid)) === holdScript;
}

/**
 * The script that this process runs at the gate; null: it is no shell at this gate. Only such a shell has the gate's
 * path in its command line.
 */
async function scriptAt(files: Files, gate: string, pid: number): Promise<string | null> {
  try {
    const [shell, , script, own] = (await files.read(`/proc/${pid}/cmdline`)).split('\0');
    return shell === 'sh' && own === encodeUtf8(gate) ? (script ?? null) : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return null;
    throw error;
  }
}

function gateOf(folder: string): string {
  return `${folder}/gate`;
}
