/**
 * The foreign programs on the simulated machine: hooks, mkfifo, and the shell that waits at the gate and becomes the
 * program.
 */
import type { Point } from '../../../src/lifecycles/container/life/container.ts';
import type { Exit } from '../../../src/platform/platform.ts';
import { parentOf } from '../host/file-tree.ts';
import type { Host } from '../host/host.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Random } from '../random.ts';
import type { Account, Creation, HookRun } from './account.ts';
import { judgeHook, judgeHookEnd, judgeProgram, nameOf } from './judge-hook.ts';
import { judgeSupervised } from './judge-instance.ts';
import { SECRET } from './plan.ts';

interface Stage {
  readonly host: Host;
  readonly account: Account;
  readonly random: Random;
  readonly onHookEnd: () => void;
  readonly onProgram: (creation: Creation) => void;
  readonly onHeld: (supervisor: HostProcess) => void;
  readonly onPostexit: (hook: HostProcess) => void;
}

export function installForeign(stage: Stage): void {
  const { programs, tree } = stage.host;
  programs.set('/hooks/hook', (process) => {
    runHook(stage, process);
  });
  programs.set('/bin/sh', (process) => {
    wait(stage, process);
  });
  programs.set('sh', (process) => {
    openGate(stage, process);
  });
  programs.set('mkfifo', (process) => {
    endAfter(stage, process, { code: makePipe(stage, process), signal: null });
  });
  programs.set('/bin/daemon', () => undefined);
  for (const path of ['/bin/app', '/hooks/hook']) {
    tree.makeFolders(parentOf(path));
    tree.put(path, tree.newFile('#!'));
  }
}

function endAfter({ host, random }: Stage, process: HostProcess, exit: Exit): void {
  host.world.after(random.fraction() * 3, () => {
    host.end(process, exit);
  });
}

function makePipe({ host }: Stage, { argv }: HostProcess): number {
  try {
    host.tree.putPipe(argv.at(-1) ?? '');
    return 0;
  } catch {
    return 1;
  }
}

/** The shell of a container waits until it reads a line from its gate. */
function wait({ account, host, onHeld }: Stage, process: HostProcess): void {
  const creation = account.ofBundle(process.cwd);
  if (creation === undefined) return;
  host.world.note(`${creation.id} (${creation.n}) waits as ${process.pid}`);
  if (creation.held !== null) {
    account.world.violate('OCI-D2', `${creation.id} (${creation.n}) is started a second time`);
  }
  creation.held = process;
  judgeSupervised(account, creation, process);
  if (process.parent !== null) onHeld(process.parent);
}

/** Simulates `echo go >gate`, which blocks until a process reads from the gate. */
function openGate(stage: Stage, process: HostProcess): void {
  const { host, account, random } = stage;
  const gate = process.argv.at(-1) ?? '';
  const node = host.tree.find(gate);
  if (node?.kind !== 'other') {
    endAfter(stage, process, { code: node === undefined ? 1 : 0, signal: null });
    return;
  }
  const reader = [...host.processes.values()].find(
    ({ argv }) => argv[0] === 'sh' && argv[3] === gate && argv.length > 4,
  );
  if (reader === undefined) return;
  host.world.after(random.fraction() * 2, () => {
    if (!process.alive) return;
    if (!reader.alive) return;
    const creation = account.ofBundle(reader.cwd);
    if (creation !== undefined) becomeProgram(stage, creation, reader);
    endAfter(stage, process, { code: 0, signal: null });
  });
}

function becomeProgram(
  { host, account, random, onProgram }: Stage,
  creation: Creation,
  process: HostProcess,
): void {
  const { plan, id, n } = creation;
  host.world.note(`the program of ${id} (${n}) begins`);
  judgeProgram(account, creation);
  creation.releasedMs = host.world.elapsedMs;
  onProgram(creation);
  process.argv = ['app'];
  const deaf = host.world.faults.of('program ignores TERM');
  if (deaf.chance(random, account.faulty ? 0.2 : 0, () => ['starting'])) {
    process.handlers.set('SIGTERM', () => undefined);
  }
  host.world.after(1, () => {
    if (process.alive) host.write(process, 'stdout', 'serving\n');
  });
  if (plan.programMs === null) return;
  host.world.after(plan.programMs, () => {
    host.end(process, { code: plan.programCode, signal: null });
  });
}

function runHook(stage: Stage, process: HostProcess): void {
  const { host, account } = stage;
  const { world } = host;
  const [, n = '', point = '', index = ''] = process.argv;
  const creation = account.ofNumber(Number(n));
  const run: HookRun = {
    point: point as Point,
    index: Number(index),
    process,
    beganMs: world.elapsedMs,
    endedMs: null,
    lostRunner: false,
    runner: process.parent,
    children: [],
  };
  const name = nameOf(creation, run);
  world.note(`${name} begins`);
  judgeHook(account, creation, run);
  creation.hooks.push(run);
  if (point === 'postexit') stage.onPostexit(process);
  process.parent?.onEnd.push((exit) => {
    run.lostRunner ||= exit.signal !== null;
  });
  process.onEnd.push((exit) => {
    run.endedMs = world.elapsedMs;
    world.note(`${name} ends with ${exit.signal ?? exit.code}`);
    judgeHookEnd(account, creation, run);
    stage.onHookEnd();
  });
  behave(stage, creation, run);
}

/** Selects the rare misbehaviour of a hook at random. */
function behave(stage: Stage, creation: Creation, run: HookRun): void {
  const { host, account, random } = stage;
  const { process, point, index } = run;
  const { faults } = host.world;
  const may = (kind: string, chance: number): boolean =>
    faults.of(kind).chance(random, account.faulty ? chance : 0, () => [point]);
  const plan = creation.plan.hooks[point][index];
  const hangs = may('hook hangs', 0.06) || plan?.hangs === true;
  // The plan decides whether a failure of this hook matters.
  const code = may('hook fails', failureChance(point)) ? 3 : 0;
  if (may('hook ignores TERM', 0.1)) process.handlers.set('SIGTERM', () => undefined);
  if (may('hook leaves a child', childChance(hangs))) leaveChildren(stage, process, run);
  const floods = may('hook prints without end', 0.03);
  const said = plan?.hasSecret === true ? `using ${SECRET}\n` : 'working\n';
  host.world.after(random.fraction() * 5, () => {
    if (point === 'precreate') say(stage, process, code === 0 ? process.stdin : '{');
    else if (floods) flood(stage, process, said.repeat(500));
    else complain(stage, process, said);
  });
  if (hangs) return;
  const longMs = random.chance(0.2) ? 400 : 40;
  host.world.after(5 + random.fraction() * longMs, () => {
    host.end(process, { code, signal: null });
  });
}

/**
 * Probability that a hook fails. Failures are more frequent at poststart, because the container may continue after
 * them.
 */
function failureChance(point: Point): number {
  return point === 'poststart' ? 0.5 : 0.08;
}

/** Probability that a hook starts a process. A hook that hangs mostly waits for a process that it has started. */
function childChance(hangs: boolean): number {
  return hangs ? 0.6 : 0.08;
}

function say({ host }: Stage, process: HostProcess, text: string): void {
  if (process.alive) host.write(process, 'stdout', text);
}

function complain({ host }: Stage, process: HostProcess, text: string): void {
  if (process.alive) host.write(process, 'stderr', text);
}

function flood(stage: Stage, process: HostProcess, text: string): void {
  for (let piece = 0; piece < PIECES; piece += 1) {
    stage.host.world.after(piece, () => {
      complain(stage, process, text);
    });
  }
}

const PIECES = 30;

/** Starts daemons that outlive the hook: one in a session of its own, and half of the time one in the hook's group. */
function leaveChildren({ host, random }: Stage, process: HostProcess, run: HookRun): void {
  const daemon = {
    file: '/bin/daemon',
    argv: ['daemon', process.argv[1] ?? '', run.point, String(run.index)],
    env: {},
    sink: { reader: null, write: () => undefined, holders: 0 },
    parent: process,
  };
  run.children.push(host.start(daemon));
  if (!random.chance(0.5)) return;
  run.children.push(host.start({ ...daemon, group: process.group }));
}
