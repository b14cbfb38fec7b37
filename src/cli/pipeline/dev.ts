import { type Command, InvalidArgumentError } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { flag, list, text } from './option-kinds.ts';
import {
  type PipelineOptions,
  portForwardFlag,
  withBuildOptions,
  withDeployOptions,
  withLabelOption,
  withPipelineOptions,
  withPlatformOption,
  withPruneOption,
} from './options.ts';

const TRIGGERS = ['notify', 'polling', 'manual'] as const;

export type Trigger = (typeof TRIGGERS)[number];

const POLL_MS = 1_000;
const POLL_MS_MAX = 3_600_000;

interface DevFlags {
  readonly keepRunningOnFailure: boolean;
  readonly trigger: Trigger;
  readonly watchPollInterval: number;
  readonly cleanup: boolean;
  readonly portForward: boolean;
  readonly tail: boolean;
}

export function addDevCommand(parent: Command, settle: Settle): void {
  withOwnOptions(
    withPruneOption(
      withPlatformOption(
        withLabelOption(
          withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('dev')))),
        ),
      ),
    ),
  )
    .description('Build and deploy again with each change, until Ctrl-C')
    .action(async (options: PipelineOptions & DevFlags) => {
      settle(await dev(options));
    });
}

async function dev(options: PipelineOptions & DevFlags): Promise<number> {
  const [{ runVerb }, { runDev }, { watchingBy }] = await Promise.all([
    import('./run-verb.ts'),
    import('../../lifecycles/pipeline/drive/dev.ts'),
    import('./watch-triggers.ts'),
  ]);
  const { cleanup, portForward, tail, trigger, watchPollInterval } = options;
  return runVerb(options, {
    name: 'dev',
    need: 'required',
    drive: (session, { reload }) =>
      runDev(session, {
        reload,
        watching: watchingBy(trigger, watchPollInterval),
        keepsRunning: options.keepRunningOnFailure,
        cleanup,
        forwardPorts: portForward,
        tailLogs: tail,
      }),
  });
}

function withOwnOptions(command: Command): Command {
  return command
    .addOption(
      flag('--cleanup [boolean]', 'at the end, delete the deployed objects', 'CLEANUP').default(
        true,
      ),
    )
    .addOption(portForwardFlag('forward the ports of portForward').default(true))
    .addOption(
      flag(
        '--keep-running-on-failure [boolean]',
        'continue if the first iteration fails; false: stop then, as in Skaffold',
        'KEEP_RUNNING_ON_FAILURE',
      ).default(true),
    )
    .addOption(
      text('--trigger <kind>', 'how to detect changes; manual: when you press Enter', 'TRIGGER')
        .choices(TRIGGERS)
        .default('notify'),
    )
    .addOption(
      text(
        '-i, --watch-poll-interval <ms>',
        'milliseconds between two checks of --trigger polling',
        'WATCH_POLL_INTERVAL',
      )
        .argParser(parseInterval)
        .default(POLL_MS),
    )
    .addOption(
      list(
        '-w, --watch-image <names>',
        'watch only images whose name contains this text',
        'WATCH_IMAGE',
      ).default([], 'all'),
    )
    .addOption(
      flag('--tail [boolean]', 'print the logs of the deployed containers', 'TAIL').default(true),
    );
}

function parseInterval(given: string): number {
  const ms = Number(given);
  if (Number.isInteger(ms) && ms > 0 && ms <= POLL_MS_MAX) return ms;
  throw new InvalidArgumentError(
    `It must be a whole number of milliseconds from 1 to ${POLL_MS_MAX}.`,
  );
}
