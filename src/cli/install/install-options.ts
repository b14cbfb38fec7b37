export interface InstallOptions {
  /** Namespace of the controllers. */
  readonly namespace: string;
  /** True: the controllers manage only the objects of that namespace. */
  readonly namespaced: boolean;
  readonly image: string;
  readonly replicas: number;
  /** True: install the kinds of the volume snapshots too, for a cluster whose storage did not install them. */
  readonly snapshotKinds: boolean;
  /** True: each replica serves a timeline on the loopback address of its pod, and may read Events for it. */
  readonly timeline: boolean;
  /** Hosts to which hooks may send requests, besides their pods. Absent: none. */
  readonly hookHosts?: readonly string[];
  /** Ports of the API server. Absent: `API_PORTS`. */
  readonly apiPorts?: readonly number[];
}

/** Ports of nearly all API servers. */
export const API_PORTS: readonly number[] = [443, 6443];

export const NAME = 'lifehook-controller';
export const LABELS: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': 'lifehook' };
/** Name of the Service, of the Secret of the webhooks, and of the configuration for the snapshot kinds. */
export const WEBHOOK = 'lifehook-webhook';
/** Names of the configurations that the controllers maintain, as in `src/cli/controller/webhook.ts`. */
export const WEBHOOK_CONFIGURATION_NAMES: readonly string[] = [WEBHOOK, 'lifehook-rollout-gate'];
/** Port of the webhook in the controllers' pods. */
export const WEBHOOK_PORT = 8443;
export const METRICS_PORT = 9464;
