/** The actions of users in one seed, and the faults that happen meanwhile. */
import type { HostProcess } from '../host/host-process.ts';
import type { Random } from '../random.ts';
import { ROOT } from './account.ts';
import type { Verb } from './commands.ts';
import { cancelOne, interruptSteps, interruptRun } from './interruptions.ts';
import { SUPERVISOR } from './own-programs.ts';
import { pauseProcesses } from './pauses.ts';
import type { Stand } from './stand.ts';

/** Duration of all actions and faults, in milliseconds. */
export const PLAY_MS = 4_000;

const TROUBLES = [
  'kill',
  'kill at a change',
  'disk',
  'power',
  'clock',
  'two at once',
  'cancel',
  'pause',
] as const;

export type Troubles = ReadonlySet<(typeof TROUBLES)[number]>;

/** Selects each kind of trouble independently, so that many seeds have only few kinds. */
export function throwTroubles(random: Random): Troubles {
  return new Set(TROUBLES.filter(() => random.chance(0.35)));
}

const LIVES: readonly [readonly Verb[], ...(readonly Verb[])[]] = [
  ['create', 'start', 'stop', 'delete'],
  ['create', 'start', 'kill', 'delete'],
  ['create', 'start', 'force delete'],
  ['create', 'force delete'],
  ['create', 'start', 'start', 'delete'],
  ['run'],
  ['run', 'stop', 'force delete'],
];

export function planUsers(stand: Stand, troubles: Troubles, users: Random): void {
  const { world } = stand;
  const ids = users.chance(0.3) ? ['web', 'db'] : ['web'];
  for (const id of ids) {
    let atMs = users.between(0, 200);
    const lives = users.between(1, 2);
    for (let life = 0; life < lives; life += 1) {
      for (const verb of users.pick(LIVES)) {
        world.after(atMs, () => {
          give(stand, troubles, { verb, id, users });
        });
        atMs += users.pick([20, 150, 150, 400, 1_200]);
      }
    }
  }
  if (users.chance(0.5)) world.after(users.between(0, 400), () => void stand.startOther());
}

interface Act {
  readonly verb: Verb;
  readonly id: string;
  readonly users: Random;
}

function give(stand: Stand, troubles: Troubles, { verb, id, users }: Act): void {
  const { faults } = stand.world;
  if (!faults.strikes(`user: ${verb}`, users)) return;
  const command = stand.command(verb, id);
  if (verb === 'run' && troubles.has('cancel') && users.chance(0.5)) {
    interruptRun(stand, command, { dice: users.fork('signals'), withinMs: 60 });
  }
  const isTwice = troubles.has('two at once') && users.chance(0.4);
  if (!isTwice || !faults.strikes('second command at once', users)) return;
  const second = users.pick<Verb>([verb, verb, 'force delete', 'create', 'start']);
  stand.world.after(users.pick([0, 1, 5, 50]), () => {
    stand.command(second, id);
  });
}

export function planFaults(stand: Stand, troubles: Troubles, dice: Random): void {
  const { world, host, account } = stand;
  const some = (trouble: (typeof TROUBLES)[number], most: number, what: () => void): void => {
    if (!troubles.has(trouble)) return;
    const times = dice.between(1, most);
    for (let time = 0; time < times; time += 1) world.after(dice.between(0, PLAY_MS), what);
  };
  some('kill', 3, () => {
    killOne(stand, dice);
  });
  some('cancel', 2, () => {
    cancelOne(stand, dice);
  });
  some('disk', 4, () => {
    fillDisk(stand, dice);
  });
  some('power', 1, () => {
    if (world.faults.strikes('power lost', dice)) stand.losePower();
  });
  some('clock', 2, () => {
    if (!world.faults.strikes('clock set', dice)) return;
    world.setClock(dice.pick([50, 5_000, 18_000_000]) * dice.pick([-1, 1]));
  });
  const { hasFocus, isReplay } = world.faults;
  if (troubles.has('disk') || hasFocus || isReplay) {
    const rate = troubles.has('disk') ? 0.01 : SELDOM;
    Object.assign(host.faults, { syncFailure: rate, slowness: rate, shortage: SELDOM });
  }
  pauseProcesses(stand, troubles.has('pause'), dice.fork('pauses'));
  if (troubles.has('kill')) loseSupervisors(stand, dice.fork('supervisors'));
  interruptSteps(stand, troubles.has('cancel'), dice.fork('interruptions'));
  stand.onStart.push((process) => {
    if (!account.faulty || !troubles.has('kill at a change') || !dice.chance(0.3)) return;
    process.deathChance = 1 / dice.pick([5, 15, 40]);
  });
}

/** Kills a supervisor while one of its postexit hooks runs. No command waits for that hook. */
function loseSupervisors(stand: Stand, dice: Random): void {
  const { world, account } = stand;
  stand.onPostexit = (hook) => {
    let supervisor = hook.parent;
    while (supervisor !== null && supervisor.argv[0] !== SUPERVISOR) supervisor = supervisor.parent;
    const victim = supervisor;
    if (victim === null || !account.faulty || !dice.chance(0.3)) return;
    world.after(dice.between(0, 40), () => {
      if (victim.alive && account.faulty && world.faults.strikes('kill', dice)) kill(stand, victim);
    });
  };
}

/** Probability that is so low that hardly any fault happens outside the phase of the focus. */
const SELDOM = 0.000_1;

function killOne(stand: Stand, dice: Random): void {
  const { world, host } = stand;
  const all = [...host.processes.values()].filter(({ argv }) => argv[0] !== 'other');
  const [first] = all;
  if (first === undefined || !world.faults.strikes('kill', dice)) return;
  const victim = dice.pick([first, ...all.slice(1)]);
  kill(stand, victim);
}

function kill(stand: Stand, victim: HostProcess): void {
  stand.world.note(`fault: kill -9 ${victim.pid} (${victim.argv.slice(0, 3).join(' ')})`);
  stand.disturbAll();
  stand.host.kill(victim);
}

function fillDisk(stand: Stand, dice: Random): void {
  const { world, host } = stand;
  if (!world.faults.strikes('disk full for a while', dice)) return;
  host.faults.full = true;
  world.note(`the disk of ${ROOT} is full`);
  world.after(dice.between(5, 300), () => {
    host.faults.full = false;
  });
}

/** Ends all faults. Any later failure is a defect of the product. */
export function endFaults({ world, host, account }: Stand): void {
  account.faulty = false;
  Object.assign(host.faults, { full: false, shortage: 0, syncFailure: 0, slowness: 0 });
  for (const process of host.processes.values()) process.deathChance = 0;
  world.note('the faults are over');
}
