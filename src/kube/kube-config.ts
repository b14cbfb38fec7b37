/**
 * Chooses the API server and the user. The first that exists is used: an explicit file, the files of $KUBECONFIG,
 * ~/.kube/config, the cluster of this pod. As in kubectl, files without entries do not count in a pod. Files and
 * environment are injected; the official client is loaded only if a user needs a plugin.
 */
import { LifehookError } from '../model/problem.ts';
import type { AuthPlugin } from '../platform/node-auth-plugin.ts';
import type { NodeTransportOptions } from '../platform/node-server-link.ts';
import type { Clock, Files } from '../platform/platform.ts';
import { codeOf, unlessMissing } from '../platform/posix-error.ts';
import {
  readEntryData,
  badField,
  type ConfigEntry,
  currentContext,
  entriesOf,
  findEntry,
  textField,
} from './kube-config-entries.ts';
import { type KubeConfigFile, parseKubeConfig } from './kube-config-file.ts';
import { credentialsOf, CREDENTIALS_AGE_MS, cached, execCluster } from './kube-credentials.ts';
import {
  type Environment,
  isHttpProxy,
  proxyFromEnv,
  withoutCredentials,
} from './proxy-from-env.ts';

export interface KubeAccessOptions {
  readonly files: Files;
  readonly clock: Clock;
  readonly env: Environment;
  readonly authPlugin: AuthPlugin;
  /** The kubeconfig to read, instead of those from the environment. */
  readonly kubeconfig?: string | undefined;
  /** The context to use, instead of the current context. */
  readonly context?: string | undefined;
}

export interface KubeAccess {
  /** The options of `nodeHttpTransport`. */
  readonly transport: NodeTransportOptions;
  /** The default namespace. */
  readonly namespace: string;
  /** Where the access is from, for messages: `context "kind-dev" of /home/me/.kube/config`. */
  readonly source: string;
  /** The context and its file; null: the access is that of this pod. */
  readonly context: { readonly name: string; readonly file: string } | null;
}

export async function loadKubeAccess(options: KubeAccessOptions): Promise<KubeAccess> {
  const files = await readConfigFiles(options);
  const { kubeconfig, context } = options;
  const isChosen = kubeconfig !== undefined || context !== undefined || files.some(hasEntries);
  const inCluster = isChosen ? null : await inClusterAccess(options);
  if (inCluster !== null) return inCluster;
  if (files.length > 0) return accessOf(files, options);
  throw new LifehookError({
    code: 'LHK002',
    message:
      'A kubeconfig is required: none was found, and this process does not run in a pod of a cluster.',
    next: 'Run `lifehook up` for a local cluster, or name a file with --kubeconfig or $KUBECONFIG.',
  });
}

function hasEntries(file: KubeConfigFile): boolean {
  const { 'current-context': current } = file.value;
  const lists = ['contexts', 'clusters', 'users'] as const;
  if (lists.some((list) => entriesOf([file], list).length > 0)) return true;
  return typeof current === 'string' && current !== '';
}

/** The names of all contexts. Rejects like `loadKubeAccess` if a file cannot be read. */
export async function contextNames(
  options: Pick<KubeAccessOptions, 'files' | 'env' | 'kubeconfig'>,
): Promise<readonly string[]> {
  const files = await readConfigFiles(options);
  return [...new Set(entriesOf(files, 'contexts').map(({ name }) => name))];
}

/** Reads the files. An explicit file must exist; of those in $KUBECONFIG some may be missing. */
async function readConfigFiles(
  options: Pick<KubeAccessOptions, 'files' | 'env' | 'kubeconfig'>,
): Promise<KubeConfigFile[]> {
  const { files, env, kubeconfig } = options;
  if (kubeconfig !== undefined) return [await readExplicit(files, kubeconfig)];
  const named = (env['KUBECONFIG'] ?? '').split(':').filter((path) => path !== '');
  const home = env['HOME'] ?? '';
  const fallback = home === '' ? [] : [`${home}/.kube/config`];
  const found: KubeConfigFile[] = [];
  for (const path of named.length > 0 ? named : fallback) {
    const file = await readIfThere(files, path);
    if (file !== null) found.push(file);
  }
  if (named.length > 0 && found.length === 0) throw missingFile(named.join(', '));
  return found;
}

async function readExplicit(files: Files, path: string): Promise<KubeConfigFile> {
  const file = await readIfThere(files, path);
  if (file === null) throw missingFile(path);
  return file;
}

async function readIfThere(files: Files, path: string): Promise<KubeConfigFile | null> {
  try {
    return await parseKubeConfig(path, await files.read(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw codeOf(error) === null ? error : missingFile(path, error);
  }
}

function missingFile(path: string, cause?: unknown): LifehookError {
  const why = cause instanceof Error ? `cannot be read: ${cause.message}` : 'does not exist';
  return new LifehookError(
    {
      code: 'LHK001',
      message: `The kubeconfig ${path} ${why}.`,
      next: 'Correct the path, or leave it out for the default one.',
    },
    { cause },
  );
}

async function accessOf(
  files: readonly KubeConfigFile[],
  options: KubeAccessOptions,
): Promise<KubeAccess> {
  const context = currentContext(files, options.context);
  const cluster = findEntry(files, 'clusters', referredBy(context, 'cluster'));
  const userName = textField(context, 'user');
  const user =
    userName === undefined ? null : findEntry(files, 'users', referredBy(context, 'user'));
  const server = await serverOf(cluster, options);
  const sources = { ...options, cluster: execCluster(cluster, server) };
  return {
    transport: {
      ...server,
      ...(user === null ? {} : credentialsOf(user, sources)),
    },
    namespace: textField(context, 'namespace') ?? 'default',
    source: `context "${context.name}" of ${context.file.path}`,
    context: { name: context.name, file: context.file.path },
  };
}

function referredBy(
  context: ConfigEntry,
  field: 'cluster' | 'user',
): Parameters<typeof findEntry>[2] {
  const name = textField(context, field);
  if (name === undefined) throw badField(context, field, `the name of a ${field} is required`);
  return { name, by: { file: context.file, path: [...context.path, field] } };
}

async function serverOf(
  cluster: ConfigEntry,
  { files, env }: KubeAccessOptions,
): Promise<NodeTransportOptions> {
  const server = textField(cluster, 'server');
  if (server === undefined || !URL.canParse(server) || !/^https?:/.test(server)) {
    throw badField(cluster, 'server', 'an address such as https://host:6443 is required');
  }
  return {
    server,
    ca: await readEntryData(cluster, 'certificate-authority', files),
    insecure: cluster.fields['insecure-skip-tls-verify'] === true,
    tlsServerName: textField(cluster, 'tls-server-name'),
    proxyUrl: proxyOf(cluster, server, env),
  };
}

function proxyOf(cluster: ConfigEntry, server: string, env: Environment): string | undefined {
  const url = textField(cluster, 'proxy-url');
  if (url === undefined) return proxyFromEnv(server, env);
  if (isHttpProxy(url)) return url;
  throw new LifehookError({
    code: 'LHK008',
    message: `A proxy is reached over http or https; the one for ${server} is "${withoutCredentials(url)}".`,
    at: cluster.file.positionOf([...cluster.path, 'proxy-url']),
    next: 'Name an HTTP proxy, or none.',
  });
}

const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Access from inside a pod: the API server's address from the environment, the rest from mounted files. null: this
 * process does not run in a cluster. The token in the file is renewed, so it is read again and again.
 */
export async function inClusterAccess(options: {
  readonly files: Files;
  readonly clock: Clock;
  readonly env: Environment;
}): Promise<KubeAccess | null> {
  const { files, clock, env } = options;
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  const mounted = (name: string): Promise<string | null> =>
    unlessMissing(files.read(`${ACCOUNT_FOLDER}/${name}`));
  if (host === '' || port === '' || (await mounted('token')) === null) return null;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const readToken = async (): Promise<string> =>
    (await files.read(`${ACCOUNT_FOLDER}/token`)).trim();
  return {
    transport: {
      server,
      ca: (await mounted('ca.crt')) ?? undefined,
      proxyUrl: proxyFromEnv(server, env),
      credentials: cached(clock, CREDENTIALS_AGE_MS, async () => ({
        authorization: `Bearer ${await readToken()}`,
      })),
    },
    namespace: (await mounted('namespace'))?.trim() ?? 'default',
    source: 'the service account of this pod',
    context: null,
  };
}
