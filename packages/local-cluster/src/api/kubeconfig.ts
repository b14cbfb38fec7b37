/** A kubeconfig for this one cluster: JSON, which is YAML that every client reads. */
export interface KubeconfigOptions {
  /** The name of cluster, user and context: "lifehook-dev". */
  readonly name: string;
  /** Example: "https://127.0.0.1:6443" */
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
  /** Absent: default. */
  readonly namespace?: string;
}

/** It contains the token: store it with mode 0600. */
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
