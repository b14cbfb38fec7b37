/** The scheduler pauses processes of Lifehook for a while. Some users act without waiting for a paused process. */
import { SLOW_MS } from '../host/host-changes.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Random } from '../random.ts';
import { SUPERVISOR } from './own-programs.ts';
import type { Stand } from './stand.ts';

const PAUSED = 0.15;

export function pauseProcesses(stand: Stand, isChosen: boolean, dice: Random): void {
  const { account, world } = stand;
  const fault = world.faults.of('pause');
  const { hasFocus, isReplay } = world.faults;
  const rate = isChosen ? PAUSED : hasFocus || isReplay ? SELDOM : 0;
  const pause = (process: HostProcess): void => {
    if (!account.faulty || !fault.chance(dice, rate)) return;
    process.pausedUntilMs = world.elapsedMs + dice.between(0, SLOW_MS);
    if (process.argv[0] === SUPERVISOR && dice.chance(0.5)) replaceSoon(stand, process, dice);
  };
  stand.onStart.push(pause);
  stand.onHeld = pause;
}

/** Probability that is so low that hardly any pause happens outside the phase of the focus. */
const SELDOM = 0.000_1;

/**
 * A user kills the command that waits for the supervisor, deletes its container, and creates another one with that id.
 */
function replaceSoon(stand: Stand, supervisor: HostProcess, dice: Random): void {
  const { world, host } = stand;
  const command = stand.commands.find(({ process }) => process === supervisor.parent);
  if (command === undefined) return;
  const { id, process } = command;
  world.after(dice.between(5, 30), () => {
    if (!world.faults.strikes('kill', dice)) return;
    world.note(`user: kill -9 ${process.pid}, ${command.verb} ${id}`);
    stand.disturbAll();
    host.kill(process);
  });
  for (const [verb, earliestMs] of [
    ['force delete', 40],
    ['create', 200],
  ] as const) {
    world.after(dice.between(earliestMs, earliestMs + 150), () => {
      if (world.faults.strikes(`user: ${verb}`, dice)) stand.command(verb, id);
    });
  }
}
