import { webhookNames } from '../lifecycle-kinds.ts';

export interface InstallOptions {
  readonly namespace: string;
  /** True: the controllers manage only the objects of their own namespace. */
  readonly namespaced: boolean;
  readonly image: string;
  readonly replicas: number;
  /** True: also install the kinds of volume snapshots, for a cluster in which the storage did not install them. */
  readonly snapshotKinds: boolean;
  /** True: each replica serves a timeline on the loopback address of its pod, and may read Events for it. */
  readonly timeline: boolean;
  /** Hosts to which hooks may send requests, besides their pods. Absent: no other hosts. */
  readonly hookHosts?: readonly string[];
  /** Absent: no notifications are sent. */
  readonly notifications?: NotificationOptions;
  /** Ports of the API server. Absent: `API_PORTS`. */
  readonly apiPorts?: readonly number[];
}

export interface NotificationOptions {
  /** Name of a Secret in the controllers' namespace, with the address of the receiver. */
  readonly secret: string;
  readonly verdicts: string;
  /** Name of the installation in notifications. */
  readonly source: string;
}

/** The ports that nearly all API servers use. */
export const API_PORTS: readonly number[] = [443, 6443];

export const NAME = 'lifehook-controller';
export const LABELS: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': 'lifehook' };
/** Name of the ConfigMap with the delivered notifications. */
export const NOTIFICATIONS = 'lifehook-notifications';
/** Name of the Service and of the Secret of the webhooks. */
export const WEBHOOK = 'lifehook-webhook';
export const WEBHOOK_CONFIGURATION_NAMES: readonly string[] = Object.values(webhookNames);
export const WEBHOOK_PORT = 8443;
export const METRICS_PORT = 9464;
