/** The cluster of a command: from --kubeconfig and --context, $KUBECONFIG, or the pod that it runs in. */
import process from 'node:process';

import type { KubeClient, KubeConnection } from '../kube/client.ts';
import { contextNames, loadKubeAccess } from '../kube/kube-config.ts';
import { makeKubeClient } from '../kube/make-client.ts';
import { nodeAuthPlugin } from '../platform/node-auth-plugin.ts';
import { nodeHttpTransport } from '../platform/node-http-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { version } from './version.ts';

export interface KubeOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

export interface CliCluster {
  readonly connection: KubeConnection;
  readonly client: KubeClient;
  /** The namespace of --namespace, else that of the context. */
  readonly namespace: string;
  /** For messages: `context "kind-dev" of /home/me/.kube/config`. */
  readonly source: string;
  /** The context and its kubeconfig file; null: the cluster that this process runs in. */
  readonly context: { readonly name: string; readonly file: string } | null;
  /** Example: "https://127.0.0.1:6443" */
  readonly server: string;
  /** Opens another connection to the same server, with separate sockets. */
  readonly connectAgain: () => KubeConnection;
  readonly close: () => void;
}

/** `purpose` is added to the User-Agent: "snapshot status". */
export async function connectToKube(options: KubeOptions, purpose: string): Promise<CliCluster> {
  const { files, clock } = nodePlatform;
  const { env } = process;
  const { kubeconfig, context } = options;
  const authPlugin = nodeAuthPlugin;
  const access = await loadKubeAccess({ files, clock, env, authPlugin, kubeconfig, context });
  const opened: KubeConnection[] = [];
  const connect = (): KubeConnection => {
    const connection: KubeConnection = {
      transport: nodeHttpTransport(access.transport),
      platform: nodePlatform,
      userAgent: `lifehook/${version} (${purpose})`,
      random: Math.random,
    };
    opened.push(connection);
    return connection;
  };
  const connection = connect();
  return {
    connection,
    client: makeKubeClient(connection),
    namespace: options.namespace ?? access.namespace,
    source: access.source,
    context: access.context,
    server: access.transport.server,
    connectAgain: connect,
    close: () => {
      for (const { transport } of opened) transport.close();
    },
  };
}

/** The contexts that `--context` accepts. */
export function kubeContexts(kubeconfig: string | undefined): Promise<readonly string[]> {
  return contextNames({ files: nodePlatform.files, env: process.env, kubeconfig });
}
