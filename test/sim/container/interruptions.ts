/** Sends signals of users to waiting commands: at random times, between two hooks, and while a program starts. */
import type { Signal } from '../../../src/platform/platform.ts';
import type { Random } from '../random.ts';
import type { Command, Verb } from './commands.ts';
import { noteSignal } from './judge-cancel.ts';
import type { Stand } from './stand.ts';

const CANCELLED: ReadonlySet<Verb> = new Set(['create', 'start', 'run']);
/** Signals that users send to a container in the foreground. */
const SIGNALS: readonly [Signal, ...Signal[]] = ['SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGUSR1'];

export function cancelOne(stand: Stand, dice: Random): void {
  const { world, commands } = stand;
  const command = commands.find(({ process, verb }) => process.alive && CANCELLED.has(verb));
  if (command === undefined || !world.faults.strikes('cancel', dice)) return;
  send(stand, command, command.verb === 'run' ? dice.pick(SIGNALS) : 'SIGINT');
}

/** Interrupts a command soon after a hook has ended or a program has started, mostly before the next hook. */
export function interruptSteps(stand: Stand, isChosen: boolean, dice: Random): void {
  if (!isChosen) return;
  const soon = (chance: number, longestMs: number): void => {
    if (!stand.account.faulty || !dice.chance(chance)) return;
    stand.world.after(dice.between(0, longestMs), () => {
      cancelOne(stand, dice);
    });
  };
  stand.onHookEnd = () => {
    soon(0.2, 10);
  };
  stand.onProgram = ({ n }) => {
    const command = stand.commands.find(
      ({ verb, creation }) => verb === 'run' && creation?.n === n,
    );
    if (command === undefined) soon(0.3, 10);
    else interruptRun(stand, command, { dice, withinMs: 400 });
  };
}

/** Interrupts `run` within `withinMs` milliseconds, while its hooks or its program run. */
export function interruptRun(
  stand: Stand,
  command: Command,
  { dice, withinMs }: { readonly dice: Random; readonly withinMs: number },
): void {
  const { world } = stand;
  world.after(dice.between(0, withinMs), () => {
    if (!command.process.alive || !world.faults.strikes('cancel', dice)) return;
    send(stand, command, dice.pick(SIGNALS));
  });
}

function send({ world, host, account }: Stand, command: Command, signal: Signal): void {
  world.note(`user: ${signal} for ${command.verb} ${command.id}`);
  const creation = command.creation ?? account.current.get(command.id);
  if (signal !== 'SIGUSR1') creation?.cancelsMs.push(world.elapsedMs);
  host.deliver(command.process, signal);
  noteSignal(account, command, signal);
}
