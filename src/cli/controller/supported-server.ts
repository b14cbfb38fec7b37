/**
 * Applies the support policy of docs/install.md when the controllers start: rejects or warns of unsupported API
 * servers.
 */
import type { ServerVersion } from '../../kube/capabilities.ts';
import { LifehookError } from '../../model/problem.ts';

/** The oldest minor release of Kubernetes 1 on which the cluster suites pass. */
export const OLDEST_TESTED_MINOR = 35;

/** The first minor release that serves v5.channel.k8s.io to every client; exec fails without it. */
const OLDEST_USABLE_MINOR = 30;

/**
 * The warning if the server is older than the tested ones; null: it is not older.
 * @throws {LifehookError} LHS411 if no hook could run on the server.
 */
export function requireSupportedServer({ major, minor, text }: ServerVersion): string | null {
  const tested = `Lifehook is tested with Kubernetes 1.${OLDEST_TESTED_MINOR} and later`;
  if (major > 1 || minor >= OLDEST_TESTED_MINOR) return null;
  if (minor >= OLDEST_USABLE_MINOR) return `The API server is ${text}; ${tested}.`;
  throw new LifehookError({
    code: 'LHS411',
    message: `The API server is ${text}, which cannot run commands in containers as Lifehook needs it: ${tested}.`,
    next: 'Upgrade the cluster, or use an older Lifehook.',
  });
}
