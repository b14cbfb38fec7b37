/**
 * The cluster of a command: from --kubeconfig and --context, else from $KUBECONFIG or ~/.kube/config, else that of the
 * pod in which the command runs.
 */
import process from 'node:process';

import type { KubeClient, KubeConnection } from '../kube/client.ts';
import { contextNames, loadKubeAccess } from '../kube/kube-config.ts';
import { makeKubeClient } from '../kube/make-client.ts';
import { LifehookError } from '../model/problem.ts';
import { type AuthPlugin, nodeAuthPlugin } from '../platform/node-auth-plugin.ts';
import { nodeHttpTransport } from '../platform/node-http-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { codeOf } from '../platform/posix-error.ts';
import { randomFraction } from '../platform/randomness.ts';
import type { TcpAddress } from '../platform/tcp-listener.ts';
import { version } from './version.ts';

export interface KubeOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

/** A connection to the cluster; disposing of this object closes it. */
export interface CliCluster extends Disposable {
  readonly connection: KubeConnection;
  readonly client: KubeClient;
  /** The namespace of --namespace, else that of the context. */
  readonly namespace: string;
  /** Where the connection data are from, for messages: `context "kind-dev" of /home/me/.kube/config`. */
  readonly source: string;
  /** The context and its kubeconfig file; null: the cluster in which this process runs. */
  readonly context: { readonly name: string; readonly file: string } | null;
  /** Example: "https://127.0.0.1:6443" */
  readonly server: string;
  /** Opens another connection to the same server, with separate sockets. */
  readonly connectAgain: () => KubeConnection;
  readonly close: () => void;
}

/** Connects to the cluster of the options. `purpose` is added to the User-Agent, such as "snapshot status". */
export async function connectToKube(
  options: KubeOptions,
  purpose: string,
  authPlugin: AuthPlugin = nodeAuthPlugin,
): Promise<CliCluster> {
  const { files, clock } = nodePlatform;
  const { env } = process;
  const { kubeconfig, context } = options;
  const access = await loadKubeAccess({ files, clock, env, authPlugin, kubeconfig, context });
  const opened: KubeConnection[] = [];
  const connect = (): KubeConnection => {
    const connection: KubeConnection = {
      transport: nodeHttpTransport(access.transport),
      platform: nodePlatform,
      userAgent: `lifehook/${version} (${purpose})`,
      random: randomFraction,
    };
    opened.push(connection);
    return connection;
  };
  const connection = connect();
  const close = (): void => {
    for (const { transport } of opened) transport.close();
  };
  return {
    connection,
    client: makeKubeClient(connection),
    namespace: options.namespace ?? access.namespace,
    source: access.source,
    context: access.context,
    server: access.transport.server,
    connectAgain: connect,
    close,
    [Symbol.dispose]: close,
  };
}

/** The contexts that `--context` accepts. */
export function kubeContexts(kubeconfig: string | undefined): Promise<readonly string[]> {
  return contextNames({ files: nodePlatform.files, env: process.env, kubeconfig });
}

/** The address to listen on, and the facts that explain why listening may fail. */
export interface Wanted {
  /** The option that sets the address, such as "--metrics-address". */
  readonly option: string;
  readonly address: TcpAddress;
  /** The code of the error if the address cannot be listened on. */
  readonly code: 'LHG016' | 'LHK108';
  /** The process that most often uses the port, such as "another `lifehook ui`". */
  readonly rival: string;
}

/** Rejects with `wanted.code`, and a next step, if the process cannot listen on the address. */
export async function sayWhere<T>(wanted: Wanted, listening: Promise<T>): Promise<T> {
  const { option, address, rival } = wanted;
  const { host, port } = address;
  try {
    return await listening;
  } catch (error) {
    const code = codeOf(error);
    if (!isOfListening(error) || code === null) throw error;
    const { why, next } = whyNot(code, port, rival);
    const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    const message = `Cannot listen on ${at} (${option}): ${why}.`;
    const problem = { code: wanted.code, severity: 'error', message, next } as const;
    throw new LifehookError(problem, { cause: error });
  }
}

/** Whether the error is one of `listen`: the same codes also occur with files and connections. */
function isOfListening(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

interface Refusal {
  readonly why: string;
  readonly next: string;
}

function whyNot(code: string, port: number, rival: string): Refusal {
  switch (code) {
    case 'EADDRINUSE':
      return {
        why: `another process holds the port ${port}, perhaps ${rival}`,
        next: `find that process with \`ss -ltnp 'sport = :${port}'\` and stop it, or give another port; 0 means any free port.`,
      };
    case 'EACCES':
      return {
        why: `this user may not open the port ${port}`,
        next: 'give a port above 1023.',
      };
    case 'EADDRNOTAVAIL':
      return {
        why: 'this machine has no such address',
        next: 'use an address of this machine (`ip addr` lists them), 127.0.0.1, or 0.0.0.0 for all addresses.',
      };
    default:
      return { why: `the operating system refused with ${code}`, next: 'give another address.' };
  }
}
