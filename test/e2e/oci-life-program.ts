/**
 * The container lifecycle as a separate program, for tests that kill it. It is bundled once and started as `supervise
 * FOLDER INSTANCE` or `command JSON`. A command prints its outcome as JSON.
 */
import { dirname } from 'node:path';
import process from 'node:process';
import { decodeUtf8 } from '../../src/platform/byte-text.ts';
import { re2Compiler } from '../../src/model/re2.ts';
import { readPart } from '../../src/lifecycles/container/life/container-folder.ts';
import type { CreateOptions } from '../../src/lifecycles/container/life/draft.ts';
import {
  createContainer,
  deleteContainer,
  startContainer,
} from '../../src/lifecycles/container/drive.ts';
import type { Life } from '../../src/lifecycles/container/life/life.ts';
import { runContainer } from '../../src/lifecycles/container/life/run-container.ts';
import { waitUntilExited } from '../../src/lifecycles/container/life/supervisor.ts';
import { readHookOrder } from '../../src/lifecycles/container/hook-runs/hook-order.ts';
import { keepDeadline } from '../../src/lifecycles/container/shim/keep-deadline.ts';
import { supervise } from '../../src/lifecycles/container/life/supervise.ts';
import { LifehookError } from '../../src/model/problem.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { host } from '../../src/platform/node-shim-host.ts';
import { nodeSupervision } from '../../src/platform/node-supervision.ts';
import { host as supervisorHost } from '../../src/platform/node-supervisor-host.ts';

export type ProgramCommand = {
  readonly root: string;
  readonly supervisor: readonly string[];
  readonly hookRunner: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Hook directories; absent if there are none. */
  readonly folders?: readonly string[];
} & (
  | { readonly do: 'create' | 'run' | 'runAlone'; readonly options: CreateOptions }
  | { readonly do: 'start' | 'delete' | 'forceDelete'; readonly id: string }
);

async function obey(command: ProgramCommand): Promise<unknown> {
  const { root, supervisor, hookRunner, env } = command;
  const life: Life = {
    platform: nodePlatform,
    supervision: nodeSupervision,
    root,
    supervisor,
    hookRunner,
    env,
    uid: process.getuid?.() ?? 0,
  };
  switch (command.do) {
    case 'create':
      return createContainer(life, withSource(command.options, command.folders));
    case 'run':
      return runContainer(life, withSource(command.options, command.folders));
    case 'runAlone':
      return runContainer(withoutSupervisor(life), withSource(command.options, command.folders));
    case 'start':
      return startContainer(life, command.id);
    case 'delete':
    case 'forceDelete':
      return deleteContainer(life, command.id, { force: command.do === 'forceDelete' });
    default:
      return command satisfies never;
  }
}

/** A platform that kills its process when the container's process has started but its start is not yet recorded. */
function hastyPlatform(): Platform {
  const { files } = nodePlatform;
  const rename: typeof files.rename = async (from, to, kind) => {
    if (to.endsWith('/report.json')) process.kill(process.pid, 'SIGKILL');
    await files.rename(from, to, kind);
  };
  return { ...nodePlatform, files: { ...files, rename } };
}

/** Kills the supervisor at the end of create. */
function withoutSupervisor(life: Life): Life {
  const { files } = life.platform;
  const replace: typeof files.replace = async (path, content, like) => {
    await files.replace(path, content, like);
    if (!path.endsWith('/phase.json') || !decodeUtf8(content).includes('"created"')) return;
    const report = await readPart({ path: dirname(path), files }, 'report');
    if (report?.kind !== 'started') return;
    process.kill(report.supervisor.pid, 'SIGKILL');
    // On a busy machine the start could still find it alive.
    await waitUntilExited(nodePlatform, report.supervisor);
  };
  return { ...life, platform: { ...life.platform, files: { ...files, replace } } };
}

export function withSource(
  options: CreateOptions,
  folders: readonly string[] | undefined,
): CreateOptions {
  if (folders === undefined) return options;
  const scan = { files: nodePlatform.files, compile: re2Compiler(), folders, ...options.trust };
  const policy = { badFiles: 'refuse', brokenHooks: 'fail' } as const;
  return { ...options, source: { scan, policy, prestart: 'createRuntime' } };
}

const [, , verb, first = '', instance = ''] = process.argv;
if (verb === 'supervise' || verb === 'superviseHastily') {
  const platform = verb === 'supervise' ? nodePlatform : hastyPlatform();
  await supervise({ host: { ...supervisorHost, ...platform }, folder: first, instance });
}
if (verb === 'keepDeadline') {
  const order = readHookOrder(process.argv.slice(3));
  if (order !== null) await keepDeadline(host, order);
  process.exit(0);
}
if (verb === 'command') {
  try {
    process.stdout.write(`${JSON.stringify(await obey(JSON.parse(first) as ProgramCommand))}\n`);
  } catch (error) {
    const problems = error instanceof LifehookError ? error.problems : [{ code: String(error) }];
    process.stdout.write(`${JSON.stringify({ problems })}\n`);
  }
  process.exit(0);
}
