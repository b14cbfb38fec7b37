/** Options of a kubeconfig for one cluster. The file is written as JSON, which every YAML reader accepts. */
export interface KubeconfigOptions {
  /** Name of the cluster, the user and the context, such as "lifehook-dev". */
  readonly name: string;
  /** URL of the API server, such as "https://127.0.0.1:6443". */
  readonly server: string;
  /** Certificate authority in PEM. */
  readonly authority: string;
  readonly token: string;
  /** Namespace of the context; default: `default`. */
  readonly namespace?: string;
}

/** The text contains the token: write it to a file with mode 0600. */
export function kubeconfigText(options: KubeconfigOptions): string {
  const { name, server, authority, token, namespace = 'default' } = options;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': btoa(authority) } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
    preferences: {},
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
