/** Declares `lifehook controller`; its code is imported when it runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';

import type { LogLevel } from '../../observe/event-log.ts';
import type { TcpAddress } from '../../platform/tcp-listener.ts';
import type { Settle } from '../exit-codes.ts';
import { hookHostOption, notifyOptions, withKubeOptions } from '../shared-options.ts';
import type { ControllerOptions } from './run-controller.ts';

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function addControllerCommand(program: Command, settle: Settle): void {
  const command = withKubeOptions(program.command('controller'))
    .description('Run the controllers, inside or outside of their cluster')
    .option('--namespaced', 'control only the objects of --namespace')
    .option('--no-leader-elect', 'exit, instead of waiting, if another process is the leader')
    .addOption(
      new Option('--metrics-address <host:port>', 'address of /metrics, /healthz and /readyz')
        .argParser(parseListenAddress)
        .default({ host: '127.0.0.1', port: 9464 }, '127.0.0.1:9464'),
    )
    .addOption(
      new Option('--webhook-address <host:port>', 'address of the webhook server').argParser(
        parseListenAddress,
      ),
    )
    .option('--webhook-service <name>', 'Service of the webhook server, in --namespace')
    .addOption(
      new Option(
        '--timeline-address <host:port>',
        'address of the timeline; the log has its link',
      ).argParser(parseListenAddress),
    )
    .addOption(hookHostOption())
    .option('--notify-file <file>', 'file of mode 600 with the keys of --notify-secret')
    .addOption(
      new Option('--log-level <level>', 'lowest level of the log lines to print')
        .choices(LOG_LEVELS)
        .default('info'),
    )
    .addHelpText(
      'after',
      '\nExample, next to a local cluster:\n  lifehook install | kubectl apply -f -\n  lifehook controller',
    )
    .action(async (options: ControllerOptions) => {
      const { runController } = await import('./run-controller.ts');
      settle(await runController(options));
    });
  for (const option of notifyOptions()) command.addOption(option);
}

const HIGHEST_PORT = 65_535;

/** An address to listen on: "127.0.0.1:9464", "0.0.0.0:8443", "[::]:8443". */
export function parseListenAddress(text: string): TcpAddress {
  const match = /^(?:\[(?<six>[0-9a-f:]+)\]|(?<four>[\d.]+|localhost)):(?<port>\d{1,5})$/u.exec(
    text,
  );
  const { six, four, port = '' } = match?.groups ?? {};
  const host = six ?? four;
  if (host === undefined || Number(port) > HIGHEST_PORT) {
    throw new InvalidArgumentError(
      'An address and a port are required, such as 127.0.0.1:9464, 0.0.0.0:8443 or [::]:8443.',
    );
  }
  return { host, port: Number(port) };
}
