export interface InstallOptions {
  /** Where the controllers run. */
  readonly namespace: string;
  /** Only the objects of that namespace are theirs. */
  readonly namespaced: boolean;
  readonly image: string;
  readonly replicas: number;
  /** The kinds of the volume snapshots too, for a cluster whose storage has not brought them. */
  readonly snapshotKinds: boolean;
  /** Each replica serves a timeline on the loopback address of its pod, and may read Events for it. */
  readonly timeline: boolean;
  /** Where hooks may send requests, besides the pod that they are for. Absent: nowhere. */
  readonly hookHosts?: readonly string[];
  /** Where the API server listens. Absent: `API_PORTS`. */
  readonly apiPorts?: readonly number[];
}

/** Of the endpoints of API servers nearly everywhere. */
export const API_PORTS: readonly number[] = [443, 6443];

export const NAME = 'lifehook-controller';
export const LABELS: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': 'lifehook' };
/** Of the Service and of the Secret of the webhooks, and of the configuration for the snapshot kinds. */
export const WEBHOOK = 'lifehook-webhook';
/** Those that the controllers keep, as `src/cli/controller/webhook.ts` names them. */
export const WEBHOOK_CONFIGURATION_NAMES: readonly string[] = [WEBHOOK, 'lifehook-rollout-gate'];
/** Where the controllers listen in their pods. */
export const WEBHOOK_PORT = 8443;
export const METRICS_PORT = 9464;
