/** Access from inside of a pod: the API server's address from the environment, the rest from mounted files. */
import type { Clock, Files } from '../platform/platform.ts';
import { codeOf } from '../platform/posix-error.ts';
import { cached } from './cached.ts';
import type { KubeAccess } from './kube-config.ts';
import { CREDENTIALS_AGE_MS } from './kube-credentials.ts';
import { type Environment, proxyFromEnv } from './proxy-from-env.ts';

const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Null: this does not run in a cluster. The token in the file is renewed, so it is read repeatedly. */
export async function inClusterAccess(options: {
  readonly files: Files;
  readonly clock: Clock;
  readonly env: Environment;
}): Promise<KubeAccess | null> {
  const { files, clock, env } = options;
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  if (host === '' || port === '' || (await readIfThere(files, 'token')) === null) return null;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const readToken = async (): Promise<string> =>
    (await files.read(`${ACCOUNT_FOLDER}/token`)).trim();
  return {
    transport: {
      server,
      ca: (await readIfThere(files, 'ca.crt')) ?? undefined,
      proxyUrl: proxyFromEnv(server, env),
      credentials: cached(clock, CREDENTIALS_AGE_MS, async () => ({
        authorization: `Bearer ${await readToken()}`,
      })),
    },
    namespace: (await readIfThere(files, 'namespace'))?.trim() ?? 'default',
    source: 'the service account of this pod',
    context: null,
  };
}

async function readIfThere(files: Files, name: string): Promise<string | null> {
  try {
    return await files.read(`${ACCOUNT_FOLDER}/${name}`);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
