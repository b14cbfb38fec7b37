/**
 * Credentials from a kubeconfig's `exec` plugin or `auth-provider`, by the code of the official client. Loading that
 * code takes a second, so it is loaded only for the first request of such a user.
 */
import type * as https from 'node:https';

import type { Credentials } from './node-server-link.ts';

export interface PluginUser {
  readonly name: string;
  /** The field `exec` of the kubeconfig's user. */
  readonly exec?: object | undefined;
  readonly authProvider?: object | undefined;
}

interface Applies {
  applyToHTTPSOptions(options: https.RequestOptions): Promise<void>;
}

export type AuthPlugin = (user: PluginUser) => () => Promise<Credentials>;

export const nodeAuthPlugin: AuthPlugin = ({ name, exec, authProvider }) => {
  let config: Promise<Applies> | null = null;
  const load = async (): Promise<Applies> => {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const made = new KubeConfig();
    made.loadFromOptions({
      // A placeholder: the caller chooses the server, and only the credentials are used.
      clusters: [{ name, server: 'https://localhost', skipTLSVerify: false }],
      users: [{ name, exec, authProvider }],
      contexts: [{ name, cluster: name, user: name }],
      currentContext: name,
    });
    return made;
  };
  return async () => {
    config ??= load();
    const options: https.RequestOptions = { headers: {} };
    await (await config).applyToHTTPSOptions(options);
    const { Authorization: authorization } = options.headers as { Authorization?: string };
    return { authorization, cert: pemOf(options.cert), key: pemOf(options.key) };
  };
};

function pemOf(
  value: https.RequestOptions['cert'] | https.RequestOptions['key'],
): string | undefined {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString('latin1') : undefined;
}
