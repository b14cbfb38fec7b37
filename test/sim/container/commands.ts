/** The commands of users on the simulated machine. Each command is a process of its own. */
import type { Trust } from '../../../src/lifecycles/container/hooksd/path-trust.ts';
import type { CreateOptions } from '../../../src/lifecycles/container/life/draft.ts';
import type { ExitRecord } from '../../../src/lifecycles/container/life/container.ts';
import type { Life } from '../../../src/lifecycles/container/life/life.ts';
import { killContainer } from '../../../src/lifecycles/container/life/query.ts';
import { runContainer } from '../../../src/lifecycles/container/life/run-container.ts';
import {
  createContainer,
  deleteContainer,
  startContainer,
} from '../../../src/lifecycles/container/drive.ts';
import { LifehookError } from '../../../src/model/problem.ts';
import { LinkedSignal } from '../../../src/platform/linked-signal.ts';
import type { Host } from '../host/host.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Account, Creation } from './account.ts';
import { judgeRunExit } from './judge-command.ts';
import { lifeOf, programOf } from './own-programs.ts';
import { bundleFiles, bundleOf, type ContainerPlan, SECRET } from './plan.ts';

export type Verb = 'create' | 'start' | 'run' | 'stop' | 'kill' | 'delete' | 'force delete';

export interface Command {
  readonly verb: Verb;
  readonly id: string;
  readonly process: HostProcess;
  /** The container that `create` or `run` creates; null for other commands. */
  readonly creation: Creation | null;
  /** "done", "failed", "cancelled", the code of a problem, or the error; null if the command has not returned. */
  outcome: string | null;
}

const trust: Trust = { owners: [0], allowUntrusted: true };

export interface Commanding {
  readonly host: Host;
  readonly account: Account;
  readonly onEnd: (command: Command) => void;
}

export function giveCommand(
  { host, account, onEnd }: Commanding,
  { verb, id, plan }: { readonly verb: Verb; readonly id: string; readonly plan: ContainerPlan },
): Command {
  const makes = verb === 'create' || verb === 'run';
  const creation = makes ? prepare(host, account, { id, plan }) : null;
  const started: { command: Command | null } = { command: null };
  const end = (outcome: string): void => {
    const { command } = started;
    if (command === null) return;
    command.outcome = outcome;
    host.world.note(`${verb} ${id} (process ${command.process.pid}): ${outcome.slice(0, 200)}`);
    onEnd(command);
  };
  const program = programOf(
    host,
    async (process) => {
      const life = lifeOf(host, process, (event) => {
        if (JSON.stringify(event).includes(SECRET)) {
          host.world.violate(
            'OCI-S1',
            `a secret is in an event: ${JSON.stringify(event).slice(0, 400)}`,
          );
        }
      });
      const onExit = (exit: ExitRecord): void => {
        if (creation !== null) judgeRunExit(account, creation, exit);
      };
      end(await obey(life, { verb, id, creation, onExit }));
      return 0;
    },
    (error) => {
      if (String(error).includes(SECRET))
        host.world.violate('OCI-S1', `a secret is in ${String(error)}`);
      end(outcomeOf(error));
    },
  );
  host.programs.set('/lifehook/oci', program);
  const process = host.start({
    file: '/lifehook/oci',
    argv: ['lifehook', 'oci', verb, id],
    env: {},
    sink: { reader: null, write: () => undefined, holders: 0 },
    parent: null,
  });
  const command: Command = { verb, id, process, creation, outcome: null };
  started.command = command;
  host.world.note(`user: ${verb} ${id} as process ${process.pid}`);
  return command;
}

function syncFolder(tree: Host['tree'], path: string): void {
  const node = tree.find(path);
  if (node?.kind === 'folder') tree.syncAll(node);
}

/** Creates a bundle for the creation, with its hooks. */
function prepare(
  { tree }: Host,
  account: Account,
  { id, plan }: { readonly id: string; readonly plan: ContainerPlan },
): Creation {
  const creation = account.open(id, plan);
  tree.makeFolders(`${bundleOf(creation.n)}/rootfs`);
  tree.makeFolders(`${bundleOf(creation.n)}/hooks.d`);
  for (const [path, text] of bundleFiles(creation.n, plan)) tree.put(path, tree.newFile(text));
  tree.syncNames('/bundles');
  syncFolder(tree, bundleOf(creation.n));
  return creation;
}

interface Asked {
  readonly verb: Verb;
  readonly id: string;
  readonly creation: Creation | null;
  /** Called when the program of `run` exits. */
  readonly onExit: (exit: ExitRecord) => void;
}

async function obey(life: Life, { verb, id, creation, onExit }: Asked): Promise<string> {
  const signal = new LinkedSignal();
  if (verb === 'create' || verb === 'start') life.supervision.onSignal('SIGINT', signal.abort);
  const does: Readonly<Record<Verb, () => Promise<string>>> = {
    create: async () =>
      (await createContainer(life, { ...optionsOf(life, id, creation), signal })).kind,
    run: async () => {
      const run = await runContainer(life, optionsOf(life, id, creation));
      if (run.kind === 'ended') onExit(run.exit);
      return run.kind;
    },
    start: async () => (await startContainer(life, id, signal)).kind,
    stop: async () => done(killContainer(life, id, 'SIGTERM')),
    kill: async () => done(killContainer(life, id, 'SIGKILL')),
    delete: async () => done(deleteContainer(life, id, { force: false })),
    'force delete': async () => done(deleteContainer(life, id, { force: true })),
  };
  return does[verb]();
}

async function done(work: Promise<unknown>): Promise<string> {
  await work;
  return 'done';
}

function optionsOf(life: Life, id: string, creation: Creation | null): CreateOptions {
  if (creation === null) throw new Error('it makes no container');
  const bundle = bundleOf(creation.n);
  const { files } = life.platform;
  const compile = (): never => {
    throw new Error('no hook file of ours has a pattern');
  };
  return {
    id,
    bundle,
    runner: { kind: 'process' },
    trust,
    poststartFailure: creation.plan.poststartFailure,
    source: {
      scan: { files, compile, folders: [`${bundle}/hooks.d`], ...trust },
      policy: { badFiles: 'refuse', brokenHooks: 'fail' },
      prestart: 'keep',
    },
  };
}

function outcomeOf(error: unknown): string {
  if (error instanceof LifehookError) return error.problems.map(({ code }) => code).join(' ');
  return `broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
