/** `lifehook controller`: a declaration only; its code is imported when it runs. */
import { type Command, Option } from 'commander';

import type { LogLevel } from '../../observe/event-log.ts';
import type { Settle } from '../exit-codes.ts';
import { hookHostOption, withKubeOptions } from '../shared-options.ts';
import { parseListenAddress } from './listen-address.ts';
import type { ControllerOptions } from './run-controller.ts';

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function addControllerCommand(program: Command, settle: Settle): void {
  withKubeOptions(program.command('controller'))
    .description('Run the controllers of a cluster, in it or outside')
    .option('--namespaced', 'only for the objects of --namespace')
    .option('--no-leader-elect', 'stop, instead of standing by, while another process leads')
    .addOption(
      new Option('--metrics-address <host:port>', 'for /metrics, /healthz and /readyz')
        .argParser(parseListenAddress)
        .default({ host: '127.0.0.1', port: 9464 }, '127.0.0.1:9464'),
    )
    .addOption(
      new Option('--webhook-address <host:port>', 'serve the validating webhook there').argParser(
        parseListenAddress,
      ),
    )
    .option('--webhook-service <name>', 'the Service that leads there, in --namespace')
    .addOption(
      new Option(
        '--timeline-address <host:port>',
        'serve the timeline there; its log has the link',
      ).argParser(parseListenAddress),
    )
    .addOption(hookHostOption())
    .addOption(
      new Option('--log-level <level>', 'how much to tell').choices(LOG_LEVELS).default('info'),
    )
    .addHelpText(
      'after',
      '\nExample, beside a local cluster:\n  lifehook install | kubectl apply -f -\n  lifehook controller',
    )
    .action(async (options: ControllerOptions) => {
      const { runController } = await import('./run-controller.ts');
      settle(await runController(options));
    });
}
