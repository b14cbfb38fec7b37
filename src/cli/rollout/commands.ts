/** Declares `lifehook rollout …`; a command's code is imported when it runs. */
import { type Command, Option } from 'commander';

import type { Settle } from '../exit-codes.ts';
import {
  listOutputOption,
  outputOption,
  quietOption,
  withKubeOptions,
  parseSeconds,
} from '../shared-options.ts';
import type { AskOptions } from './ask.ts';
import type { PlanOptions } from './plan.ts';
import type { StatusOptions } from './status.ts';
import type { WatchOptions } from './watch.ts';

const FAILURES = `1 failed, held or rolled back; 3 the same, because of a failed hook`;
const WATCH_EXIT_CODES = `0 done or nothing to do; ${FAILURES};
124 not finished within --timeout; 130 interrupted.`;

export function addRolloutCommands(program: Command, settle: Settle): void {
  const rollout = program
    .command('rollout')
    .description('Follow and control rollouts that have hooks')
    .helpCommand(false);
  addLooks(rollout, settle);
  addPlan(rollout, settle);
  addAsks(rollout, settle);
  addCheck(rollout, settle);
}

function of(rollout: Command, verb: string): Command {
  return withKubeOptions(rollout.command(verb)).argument('<deployment>', 'name of the Deployment');
}

function addLooks(rollout: Command, settle: Settle): void {
  of(rollout, 'status')
    .description('Show the phase of a rollout, what it waits for, and what to do next')
    .addOption(outputOption())
    .addHelpText('after', `\nExit codes: 0 done, nothing to do or still in progress; ${FAILURES}.`)
    .action(async (name: string, options: StatusOptions) => {
      const { runStatus } = await import('./status.ts');
      settle(await runStatus(name, options));
    });
  of(rollout, 'watch')
    .description('Follow a rollout until it ends')
    .addOption(timeout())
    .addOption(quietOption())
    .addHelpText(
      'after',
      `\nExit codes: ${WATCH_EXIT_CODES}\n\nExample:\n  lifehook rollout watch web && echo released`,
    )
    .action(async (name: string, options: WatchOptions) => {
      const { runRolloutWatch } = await import('./watch.ts');
      settle(await runRolloutWatch(name, options));
    });
  of(rollout, 'history')
    .description('List the last rollouts and the results of their hooks')
    .addOption(listOutputOption())
    .action(async (name: string, options: StatusOptions) => {
      const { runRolloutHistory } = await import('./history.ts');
      settle(await runRolloutHistory(name, options));
    });
}

function addPlan(rollout: Command, settle: Settle): void {
  of(rollout, 'plan')
    .description('Show what would run at the next change of the template')
    .option('-f, --file <manifest>', 'manifest with the new Deployment; - reads stdin')
    .addOption(outputOption())
    .action(async (name: string, options: PlanOptions) => {
      const { runRolloutPlan } = await import('./plan.ts');
      settle(await runRolloutPlan(name, options));
    });
}

function addAsks(rollout: Command, settle: Settle): void {
  const asks = [
    ['retry', 'Retry a rollout that was held, failed or was rolled back'],
    ['abort', 'Abort the rollout in progress; onAbort says what follows'],
  ] as const;
  for (const [verb, description] of asks) {
    of(rollout, verb)
      .description(description)
      .option('--wait', 'follow the rollout until it ends')
      .addOption(timeout())
      .addOption(quietOption())
      .addHelpText('after', `\nExit codes with --wait: ${WATCH_EXIT_CODES}`)
      .action(async (name: string, options: AskOptions) => {
        const { runRolloutAsk } = await import('./ask.ts');
        settle(await runRolloutAsk(verb, name, options));
      });
  }
}

function addCheck(rollout: Command, settle: Settle): void {
  of(rollout, 'check')
    .description('Prove that a changed template would not run before its hook')
    .addOption(outputOption())
    .action(async (name: string, options: StatusOptions) => {
      const { runRolloutCheck } = await import('./status.ts');
      settle(await runRolloutCheck(name, options));
    });
}

function timeout(): Option {
  return new Option('--timeout <seconds>', 'seconds to follow the rollout').argParser(parseSeconds);
}
