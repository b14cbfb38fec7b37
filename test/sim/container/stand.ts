/** The simulated machine with the container lifecycle, for the simulation and for hand-written cases. */
import { Host } from '../host/host.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { Account, type Creation, ROOT } from './account.ts';
import { type Command, giveCommand, type Verb } from './commands.ts';
import { installForeign } from './foreign-programs.ts';
import { beginningOf, type Begun, judgeOutcome } from './judge-command.ts';
import { judgeCommand } from './judge-end.ts';
import { followRunner, onReplaced } from './judge-runner.ts';
import { judgeSignal } from './judge-signal.ts';
import { judgeTree } from './judge-tree.ts';
import { HOOK_RUNNER, installOwn, SUPERVISOR } from './own-programs.ts';
import { type ContainerPlan, randomPlan } from './plan.ts';
import { onContent, onRename, onText } from './watch.ts';

/** Far more events than any seed needs. */
const MAX_EVENTS = 60_000;

export class Stand {
  readonly world: World;
  readonly account: Account;
  readonly host: Host;
  readonly commands: Command[] = [];
  /** Listeners that are called with every process of Lifehook that starts. */
  readonly onStart: ((process: HostProcess) => void)[] = [];
  onHookEnd: () => void = () => {};
  onProgram: (creation: Creation) => void = () => {};
  /** Called when a supervisor has started the first process of a container. */
  onHeld: (supervisor: HostProcess) => void = () => {};
  /** Called when a postexit hook begins. */
  onPostexit: (hook: HostProcess) => void = () => {};
  readonly #plans: Random;
  readonly #begun = new Map<Command, Begun>();

  constructor(world: World, random: Random) {
    this.world = world;
    const account = new Account(world);
    this.account = account;
    this.#plans = random.fork('plans');
    this.host = new Host({
      world,
      random: random.fork('host'),
      watch: {
        onContent: (path, text, by) => {
          onContent(account, { path, text, by });
        },
        onText: (path, text) => {
          onText(account, path, text);
        },
        onRename: (from) => {
          onRename(account, from);
        },
        onReplaced: (process, path) => {
          onReplaced(account, process);
          judgeTree(account, process, this.host.tree.visible(path));
        },
        onRefused: (process) => {
          account.disturb(idIn(process));
        },
        onSignal: (signal, target) => {
          judgeSignal(account, signal, target);
        },
      },
    });
    account.host = this.host;
    world.faults.phases = () => account.phases();
    this.#install(random.fork('hooks'));
  }

  #install(hooks: Random): void {
    const { host, account, world } = this;
    installOwn(host, {
      onStart: (process) => {
        if (process.argv[0] === HOOK_RUNNER) followRunner(account, process);
        this.#follow(process);
      },
      onError: (error, { failures, pid }) => {
        if (failures > 0 || account.faulty) return;
        world.violate('OCI-L1', `process ${pid} broke: ${String(error)}`);
      },
    });
    const onHookEnd = (): void => {
      this.onHookEnd();
    };
    const onHeld = (supervisor: HostProcess): void => {
      this.onHeld(supervisor);
    };
    const onProgram = (creation: Creation): void => {
      this.onProgram(creation);
    };
    const onPostexit = (hook: HostProcess): void => {
      this.onPostexit(hook);
    };
    installForeign({ host, account, random: hooks, onHookEnd, onHeld, onProgram, onPostexit });
    host.programs.set('/bin/other', () => undefined);
    host.tree.makeFolders(ROOT);
    host.tree.syncAll();
  }

  /** When the process is killed, marks all containers of its id, since it may have been changing any of them. */
  #follow(process: HostProcess): void {
    process.onEnd.push(({ signal }) => {
      if (signal !== null) this.account.disturb(idIn(process));
    });
    for (const started of this.onStart) started(process);
  }

  command(verb: Verb, id: string, plan?: ContainerPlan): Command {
    const { host, account } = this;
    const begun = beginningOf(account, id);
    const onEnd = (ended: Command): void => {
      judgeCommand(account, ended);
      judgeOutcome(account, ended, begun);
    };
    this.#meetOthers(id, begun);
    const own = plan ?? randomPlan(this.#plans.fork(String(this.commands.length)));
    const command = giveCommand({ host, account, onEnd }, { verb, id, plan: own });
    this.commands.push(command);
    this.#begun.set(command, begun);
    this.#follow(command.process);
    return command;
  }

  /** Marks commands that run in parallel on the same container as not alone. */
  #meetOthers(id: string, begun: Begun): void {
    for (const [command, other] of this.#begun) {
      if (command.id !== id || !command.process.alive) continue;
      other.isAlone = false;
      begun.isAlone = false;
    }
  }

  /** Starts a process that is not related to containers. */
  startOther(): HostProcess {
    const sink = { reader: null, write: () => undefined, holders: 0 };
    return this.host.start({ file: '/bin/other', argv: ['other'], env: {}, sink, parent: null });
  }

  losePower(): void {
    this.disturbAll();
    this.host.reboot();
    for (const [id, creation] of this.account.current) {
      const text = this.host.tree.visible(`${ROOT}/${id}/container.json`);
      const isThere = text.includes(`"bundle":"/bundles/${creation.n}"`);
      const exit = this.host.tree.visible(`${ROOT}/${id}/exit.json`);
      // A power failure may undo changes that were not acknowledged: a container, its deletion or its exit.
      if (isThere) Object.assign(creation, { deleted: false, exitText: exit === '' ? null : exit });
      else if (!creation.deleted) creation.recorded = false;
    }
  }

  disturbAll(): void {
    for (const { id } of this.account.creations) this.account.disturb(id);
  }

  /** Resolves with whether `isSo` became true within the limit of events. */
  until(isSo: () => boolean): Promise<boolean> {
    return this.world.runUntil(isSo, MAX_EVENTS);
  }

  async pass(ms: number): Promise<void> {
    let over = false;
    this.world.after(ms, () => {
      over = true;
    });
    if (await this.until(() => over)) return;
    this.world.violate('OCI-L1', `more than ${MAX_EVENTS} events in ${ms} ms`);
  }

  /** Resolves with the command's outcome when it ends. */
  async ended(command: Command): Promise<string | null> {
    await this.until(() => !command.process.alive);
    return command.outcome;
  }
}

/** The arguments of a command contain the id. Those of a supervisor or runner contain the container's directory. */
function idIn({ argv }: HostProcess): string {
  const [name, first = '', second = '', id = ''] = argv;
  if (name === 'lifehook') return id;
  const text = name === SUPERVISOR ? first : name === HOOK_RUNNER ? second : '';
  return text.slice(text.indexOf(ROOT) + ROOT.length + 1).split('/')[0] ?? '';
}
