/**
 * The credentials of a kubeconfig's user. Tokens and certificates may be renewed while this process runs, so files are
 * read again periodically. A plugin whose credentials have an expiration time runs again only after that time, or after
 * the server has refused them. Any other plugin runs again periodically too.
 */
import { LifehookError } from '../model/problem.ts';
import type { AskPlugin, AuthPlugin, PluginProgram } from '../platform/node-auth-plugin.ts';
import type { Credentials, NodeTransportOptions } from '../platform/node-server-link.ts';
import type { Clock, Files } from '../platform/platform.ts';
import { isObject, listAt, objectsAt } from './fields.ts';
import {
  readEntryData,
  readNamedFile,
  resolvePath,
  badField,
  type ConfigEntry,
  textField,
} from './kube-config-entries.ts';
import type { Json, JsonObject } from './object.ts';

export interface CredentialSources {
  readonly files: Files;
  readonly clock: Clock;
  readonly authPlugin: AuthPlugin;
  /** The description of the server for an exec plugin that requests it. */
  readonly cluster: JsonObject;
}

/** Milliseconds until credentials are read again. */
export const CREDENTIALS_AGE_MS = 10_000;

export function credentialsOf(
  user: ConfigEntry,
  sources: CredentialSources,
): Pick<NodeTransportOptions, 'credentials' | 'onRefused'> {
  const headers = impersonation(user);
  const plugin = pluginOf(user, sources);
  let how: 'anew' | undefined;
  const askPlugin = async (ask: AskPlugin): Promise<Credentials> => {
    const asked = ask(how);
    how = undefined;
    return definedOf(await asked);
  };
  return {
    credentials: cached(sources.clock, CREDENTIALS_AGE_MS, async () => ({
      cert: await readEntryData(user, 'client-certificate', sources.files),
      key: await readEntryData(user, 'client-key', sources.files),
      ...(plugin === null ? {} : await callPlugin(user, () => askPlugin(plugin))),
      ...definedOf({ authorization: await authorizationOf(user, sources.files) }),
      headers,
    })),
    onRefused: () => {
      how = 'anew';
    },
  };
}

/** The defined fields only: a plugin may provide just some of them. */
function definedOf({ authorization, cert, key }: Credentials): Credentials {
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

async function authorizationOf(user: ConfigEntry, files: Files): Promise<string | undefined> {
  const named = textField(user, 'tokenFile');
  if (named !== undefined) {
    return `Bearer ${(await readNamedFile(user, { field: 'tokenFile', named }, files)).trim()}`;
  }
  const token = textField(user, 'token');
  if (token !== undefined) return `Bearer ${token}`;
  const username = textField(user, 'username');
  if (username === undefined) return undefined;
  const plain = new TextEncoder().encode(`${username}:${textField(user, 'password') ?? ''}`);
  return `Basic ${btoa(String.fromCharCode(...plain))}`;
}

function impersonation(user: ConfigEntry): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const as = textField(user, 'as');
  const uid = textField(user, 'as-uid');
  const groups = user.fields['as-groups'];
  if (as !== undefined) headers['impersonate-user'] = as;
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  if (isTexts(groups)) headers['impersonate-group'] = groups;
  const extra = user.fields['as-user-extra'];
  if (!isObject(extra)) return headers;
  for (const [key, values] of Object.entries(extra)) {
    if (isTexts(values)) headers[`impersonate-extra-${encodeURIComponent(key)}`] = values;
  }
  return headers;
}

function pluginOf(user: ConfigEntry, { authPlugin, cluster }: CredentialSources): AskPlugin | null {
  const { exec, 'auth-provider': authProvider } = user.fields;
  if (isObject(exec))
    return authPlugin({ name: user.name, exec: withContext(user, exec, cluster) });
  return isObject(authProvider) ? authPlugin({ name: user.name, authProvider }) : null;
}

/** Name of the extension of a cluster that has the settings of exec plugins for it. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/** The server as `spec.cluster` of an ExecCredential. */
export function execCluster(
  cluster: ConfigEntry,
  { server, ca, insecure, tlsServerName }: NodeTransportOptions,
): JsonObject {
  const found = objectsAt(cluster.fields, 'extensions').find(({ name }) => name === EXEC_EXTENSION);
  const { extension: config } = found ?? {};
  const proxyUrl = textField(cluster, 'proxy-url');
  return {
    server,
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
    ...(insecure === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca === undefined ? {} : { 'certificate-authority-data': btoa(ca) }),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
    ...(config === undefined ? {} : { config }),
  };
}

/**
 * The exec entry for the plugin. A relative path is resolved from the directory of the file that names it.
 * KUBERNETES_EXEC_INFO says that the plugin cannot ask the user, and describes the cluster if the entry requests that.
 */
function withContext(
  user: ConfigEntry,
  exec: JsonObject,
  cluster: JsonObject,
): PluginProgram & JsonObject {
  const { command, apiVersion, env } = exec;
  if (typeof command !== 'string' || command === '') {
    throw badField(user, 'exec', 'a command is required');
  }
  const info = {
    apiVersion: apiVersion ?? '',
    kind: 'ExecCredential',
    spec: { interactive: false, ...(exec['provideClusterInfo'] === true ? { cluster } : {}) },
  };
  return {
    ...exec,
    command: command.includes('/') ? resolvePath(user.file.path, command) : command,
    args: listAt(exec, 'args').map(String),
    env: [
      { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) },
      ...(Array.isArray(env) ? env : []),
    ],
  };
}

async function callPlugin(
  user: ConfigEntry,
  plugin: () => Promise<Credentials>,
): Promise<Credentials> {
  try {
    return await plugin();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.trim() : String(cause);
    const { exec } = user.fields;
    const hint = isObject(exec) ? exec['installHint'] : undefined;
    throw new LifehookError(
      {
        code: 'LHK009',
        message: `The credential plugin of the user "${user.name}" gave no credentials (${why}).`,
        at: user.file.positionOf([...user.path, 'exec']),
        next:
          typeof hint === 'string'
            ? hint.trim()
            : 'Log in again with the tool that set up this user.',
      },
      { cause },
    );
  }
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/**
 * Caches a value until it has this age, and computes a new one once for all callers, however long that takes: a login
 * may wait for the user. A failure is not cached.
 */
export function cached<T>(
  clock: Clock,
  maxAgeMs: number,
  make: () => Promise<T>,
): () => Promise<T> {
  let current: Promise<T> | null = null;
  let expiresAtMs = -Infinity;
  const renew = async (): Promise<T> => {
    expiresAtMs = Infinity;
    try {
      const value = await make();
      expiresAtMs = clock.monotonicMs() + maxAgeMs;
      return value;
    } catch (error) {
      expiresAtMs = -Infinity;
      throw error;
    }
  };
  return () => {
    if (current === null || clock.monotonicMs() >= expiresAtMs) current = renew();
    return current;
  };
}
