/** The log of a container as kubectl prints it, for tests that are not about kubectl. */
import { isReason } from '../../src/kube/api-error.ts';
import type { KubeConnection } from '../../src/kube/client.ts';
import { type LogOptions, podLogs } from '../../src/kube/logs.ts';

/** The log of a container. Each line ends with a line break; '' if no container has started yet. */
export async function podLog(connection: KubeConnection, options: LogOptions): Promise<string> {
  let all = '';
  try {
    for await (const { text } of podLogs(connection, options)) all += `${text}\n`;
  } catch (error) {
    if (!isReason(error, 'NotFound', 'BadRequest')) throw error;
  }
  return all;
}
