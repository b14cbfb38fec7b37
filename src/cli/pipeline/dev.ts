import type { Command } from 'commander';

import type { Settle } from '../settle.ts';
import {
  flag,
  type PipelineOptions,
  withBuildOptions,
  withDeployOptions,
  withPipelineOptions,
} from './options.ts';

interface DevFlags {
  readonly cleanup: boolean;
  readonly portForward: boolean;
  readonly tail: boolean;
}

export function addDevCommand(parent: Command, settle: Settle): void {
  withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('dev'))))
    .description('build and deploy, and again with each change, until Ctrl-C')
    .addOption(
      flag('--cleanup [boolean]', 'at the end, delete what was deployed', 'CLEANUP').default(true),
    )
    .addOption(
      flag('--port-forward [boolean]', 'forward the ports of portForward', 'PORT_FORWARD').default(
        true,
      ),
    )
    .addOption(flag('--tail [boolean]', 'print the logs of what runs', 'TAIL').default(true))
    .action(async (options: PipelineOptions & DevFlags) => {
      const [{ runVerb }, { runDev }, { nodePathWatching }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/dev.ts'),
        import('../../platform/node-path-watching.ts'),
      ]);
      const { cleanup, portForward, tail } = options;
      settle(
        await runVerb(options, {
          name: 'dev',
          need: 'required',
          drive: (session, { reload }) =>
            runDev(session, {
              reload,
              watching: nodePathWatching,
              cleanup,
              forwardPorts: portForward,
              tailLogs: tail,
            }),
        }),
      );
    });
}
