/** Whether somebody may run a command in a pod, attach to it, or reach its ports: what the query asks for. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { RequestScope } from '../context.ts';
import { isTrue } from '../request-info.ts';
import { admitSubresource } from './admit-subresource.ts';

const KINDS: Readonly<Record<string, string>> = {
  attach: 'PodAttachOptions',
  exec: 'PodExecOptions',
  portforward: 'PodPortForwardOptions',
};

/** Throws the refusal. */
export async function admitConnection(scope: RequestScope): Promise<void> {
  const { info, request } = scope;
  const kind = KINDS[info.subresource];
  if (kind === undefined) return;
  await admitSubresource(scope, {
    operation: 'CONNECT',
    group: '',
    version: 'v1',
    kind,
    fields: info.subresource === 'portforward' ? portsOf(request.query) : streamsOf(request.query),
    options: null,
    dryRun: false,
  });
}

/** What is false is left out. */
function streamsOf(query: URLSearchParams): JsonObject {
  const asked = ['stdin', 'stdout', 'stderr', 'tty'].filter((name) => isTrue(query.get(name)));
  const container = query.get('container') ?? '';
  const command = query.getAll('command');
  return {
    ...Object.fromEntries(asked.map((name) => [name, true])),
    ...(container === '' ? {} : { container }),
    ...(command.length === 0 ? {} : { command }),
  };
}

function portsOf(query: URLSearchParams): JsonObject {
  const ports = query.getAll('ports').flatMap((text) => text.split(',').map(Number));
  return ports.length === 0 || ports.some(Number.isNaN) ? {} : { ports };
}
