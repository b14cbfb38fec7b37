/** External faults of pipeline sessions: kills, signals, a full disk, and changes of the clock. */
import type { Host } from '../host/host.ts';
import { strikeInFocus } from '../in-focus.ts';
import type { Random } from '../random.ts';
import type { Account } from './account.ts';
import { judgeRecords } from './judge-end.ts';

export const TROUBLES = [
  'kill',
  'kill at a change',
  'disk',
  'power',
  'clock',
  'two at once',
  'signals',
] as const;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Stage {
  readonly host: Host;
  readonly account: Account;
  readonly troubles: ReadonlySet<string>;
  readonly withinMs: number;
}

export function planTroubles(stage: Stage, dice: Random): void {
  const { host, account, troubles, withinMs } = stage;
  const { world } = host;
  const { faults } = world;
  const some = (trouble: (typeof TROUBLES)[number], most: number, what: () => void): void => {
    if (!troubles.has(trouble)) return;
    const times = dice.between(1, most);
    for (let time = 0; time < times; time += 1) world.after(dice.between(0, withinMs), what);
  };
  some('kill', 2, () => {
    kill(stage, dice);
  });
  some('signals', 3, () => {
    signal(stage, dice.split());
  });
  if (troubles.has('signals')) signalInFocus(stage, dice);
  some('disk', 2, () => {
    if (!faults.strikes('disk full for a while', dice)) return;
    host.faults.full = true;
    world.after(dice.between(5, 200), () => {
      host.faults.full = false;
    });
  });
  if (troubles.has('disk')) {
    const slowness = dice.pick([0, 0.01]);
    Object.assign(host.faults, { syncFailure: 0.01, slowness });
    account.hasSlowDisk = slowness > 0;
  }
  some('power', 1, () => {
    if (!faults.strikes('power lost', dice)) return;
    account.powerLost = true;
    host.reboot();
  });
  some('clock', 2, () => {
    if (!faults.strikes('clock set', dice)) return;
    world.setClock(dice.pick([50, 5_000, 18_000_000]) * dice.pick([-1, 1]));
  });
  world.after(dice.between(0, withinMs), () => {
    judgeRecords(account);
  });
}

function kill({ host }: Stage, dice: Random): void {
  const [first, ...rest] = [...host.processes.values()];
  if (first === undefined || !host.world.faults.strikes('kill', dice)) return;
  const victim = dice.pick([first, ...rest]);
  host.world.note(`fault: kill -9 ${victim.pid} (${victim.argv.join(' ')})`);
  host.kill(victim);
}

/** Signals in the phase of the focus, since a random moment rarely meets a short phase. */
function signalInFocus(stage: Stage, random: Random): void {
  const { world } = stage.host;
  for (const kind of SIGNALS) {
    const strike = (dice: Random): void => {
      signal(stage, dice, kind);
    };
    strikeInFocus({ world, kind, random, withinMs: stage.withinMs, strike });
  }
}

/** `chosen`: the signal to send; absent: a random one. */
function signal({ host, account }: Stage, dice: Random, chosen?: (typeof SIGNALS)[number]): void {
  const running = account.sessions.find(
    ({ process }) => process.alive && process.handlers.has('SIGINT'),
  );
  if (running === undefined) return;
  const name = chosen ?? dice.pick(SIGNALS);
  const kind = running.cancelledMs === null ? name : 'second signal';
  if (!host.world.faults.strikes(kind, dice)) return;
  host.world.note(`user: ${name} for session ${running.n}`);
  host.deliver(running.process, name);
}
